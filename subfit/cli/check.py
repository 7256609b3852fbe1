"""``subfit check``: measure any subtitle file against a guideline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from subfit import __version__
from subfit.catalogue.items import STREAM
from subfit.catalogue.settings import Limits, Reading
from subfit.check import check_track
from subfit.check_report import CheckReport
from subfit.cli.check_page import check_page
from subfit.cli.console import WORST, Messages
from subfit.cli.failures import OVER_LIMITS, print_json
from subfit.cli.figures import (
    compliance_of,
    count_of,
    lost_of,
    number,
    over_budget,
    percent,
    ratio_of,
    speed_of,
)
from subfit.cli.options import (
    json_option,
    language_of,
    limit_options,
    reading_options,
    report_options,
    target_language_option,
)
from subfit.cli.reports import check_report
from subfit.cli.text import one_line
from subfit.cli.violations import KIND_NAMES, violation_of
from subfit.cues import Track
from subfit.errors import UsageError
from subfit.formats import write_bytes
from subfit.guideline import override
from subfit.pairing import can_pair
from subfit.report_files.rendering import Forms, render_report
from subfit.report_files.table import Table


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--source", metavar="FILE", help="What it was translated from; adds LR and LC.")
@target_language_option("Language of FILE.  [default: from its name, as in movie.de.srt]")
@reading_options
@limit_options
@report_options
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; the exit code tells.")
def check(
    file: str,
    source: str | None,
    target_language: str | None,
    reading: Reading,
    limits: Limits,
    report: Path | None,
    overwrite: bool,
    json: bool,
    quiet: bool,
) -> int:
    """Measure a subtitle file, whoever made it, against a guideline.

    FILE is a .srt, .vtt or .txt file, or '-' for standard input; --encoding and --input-format
    are meant for it.

    Exit codes: 0 every limit is kept; 1 failed; 2 wrong usage; 3 a limit is broken.
    """
    if file == source == STREAM:
        raise UsageError("standard input can be FILE or --source, not both")
    if report is not None:
        check_report(report, overwrite=overwrite)
    language = target_language or language_of(file)
    track = replace(reading, source_language=language).read(file)
    if track.spoken:
        raise UsageError(
            f"{file}: check is for subtitles; translate keeps the translations that a dubbing "
            "script has, and writes how they fit beside them"
        )
    original = None if source is None else Reading(reading.source_language).read(source)
    if original is not None and not can_pair(track, original):
        raise UsageError(
            f"{source} has {_size(original)} and {file} {_size(track)}: to be paired they need as "
            "many, or times in both"
        )
    guideline = limits.guideline_for(language, timed=track.timed)
    guideline = override(guideline, frame_rate=reading.script.fps)
    found = check_track(
        track,
        guideline,
        original,
        source_language=reading.source_language,
        length_ratio=limits.length_ratio,
    )
    document = {
        "subfit": __version__,
        "input": file,
        "source": source,
        "exit_code": OVER_LIMITS if found.violations else 0,
        "repairs": [asdict(repair) for repair in track.repairs],
        **found.to_dict(),
    }
    if report is not None:
        languages = reading.source_language, language

        def page() -> str:
            return check_page(found, track, document, languages)

        data = render_report(report, Forms(document, lambda: _table(document), page))
        write_bytes(report, data, overwrite=overwrite)
    if json:
        print_json(document)
    else:
        _show(file, track, found, Messages(data_on_stdout=False, quiet=quiet))
    return OVER_LIMITS if found.violations else 0


def _size(track: Track) -> str:
    return count_of(len(track.cues), "cue" if track.timed else "line")


def _table(document: dict[str, Any]) -> Table:
    cues: list[dict[str, Any]] = document["cues"]
    columns = tuple(cues[0]) if cues else ()
    return Table("Cues", columns, cues, {k: v for k, v in document.items() if k != "cues"})


def _show(name: str, track: Track, found: CheckReport, messages: Messages) -> None:
    messages.heading(name, found.guideline)
    messages.figures(_figures(found))
    messages.repairs(track.repairs)
    for cue in found.cues:
        for each in cue.source.lost if cue.source else ():
            wanted = f"{one_line(each.source)} ({one_line(' | '.join(each.targets))})"
            messages.say(f"  line {cue.cue.line}: without {wanted}")
    worst = sorted(
        (cue for cue in found.cues if cue.violations),
        key=lambda cue: (-cue.overflow, -len(cue.violations), cue.position),
    )
    if worst:
        rows = [
            (
                str(cue.cue.line),
                cue.text,
                number(cue.characters),
                number(cue.budget),
                number(cue.cps),
                "; ".join(violation_of(each) for each in cue.violations),
            )
            for cue in worst[:WORST]
        ]
        headings = ("line", "text", "characters", "budget", "CPS", "broken limits")
        messages.table(headings, rows, texts={"text", "broken limits"}, title="Worst cues:")
        messages.more(len(worst) - WORST, "--json or --report")


def _figures(found: CheckReport) -> Iterator[tuple[str, str]]:
    yield "cues", f"{len(found.cues)}: {found.compliant_cues} keep every limit"
    for kind, count in found.violations.items():
        yield KIND_NAMES[kind], f"{count} ({percent(count / len(found.cues))})"
    if found.cps.count:
        yield "CPS", speed_of(found.cps, found.worst_cps)
    yield "over budget", over_budget(found.overflow)
    if found.lengths is not None:
        yield "LR", ratio_of(found.lengths.length_ratio)
        yield "LC", compliance_of(found.lengths.compliance)
        unpaired = sum(cue.source is None for cue in found.cues)
        if unpaired or found.unpaired_source_cues:
            yield (
                "unpaired",
                f"{count_of(unpaired, 'cue')} without source, "
                f"{count_of(found.unpaired_source_cues, 'source cue')} without translation",
            )
        if found.lost:
            yield "lost", lost_of(found.lost)
