"""``subfit check``: measure any subtitle file against a guideline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from subfit.batch.items import STREAM
from subfit.batch.job import Limits, ReadingOptions
from subfit.batch.plan import is_script
from subfit.cli import options
from subfit.cli.console import WORST, Messages
from subfit.cli.output import OVER_LIMITS, one_line, print_json
from subfit.cli.parameters import language_in_name, takes
from subfit.cli.summary import UNTIMED, show_heading
from subfit.errors import UsageError
from subfit.files import check_writable, write_bytes
from subfit.limits.budget import LengthRatio
from subfit.limits.guideline import override
from subfit.reporting.check import (
    KIND_NAMES,
    CheckReport,
    CueCheck,
    check_track,
    violation_of,
)
from subfit.reporting.figures import TEXT
from subfit.reporting.page import check_page
from subfit.reporting.report import SCHEMA
from subfit.reporting.tables import Forms, Table, render_report
from subfit.reporting.wording import (
    PLACE,
    compliance_of,
    count_of,
    lost_of,
    number,
    over_budget,
    percent,
    place_cells,
    place_of,
    ratio_of,
    speed_of,
)
from subfit.subtitles.cues import Track
from subfit.subtitles.pairing import can_pair
from subfit.version import __version__


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--source", metavar="FILE", help="What it was translated from; adds LR and LC.")
@options.target_language("Language of FILE.  [default: from its name, as in movie.de.srt]")
@options.source_language_option
@options.reading_options(options.SUBTITLE_FORMATS, frames="for gaps in frames")
@options.limit_options
@options.length_ratio_option
@options.report_option
@options.overwrite_option("Replace it.")
@options.json_option
@options.quiet_option
@takes(reading=ReadingOptions, limits=Limits)
def check(
    file: str,
    source: str | None,
    target_language: str | None,
    source_language: str,
    reading: ReadingOptions,
    limits: Limits,
    length_ratio: LengthRatio | None,
    report: Path | None,
    overwrite: bool,
    json: bool,
    quiet: bool,
) -> int:
    """Measure a subtitle file, whoever made it, against a guideline.

    FILE is a subtitle or .txt file, or '-' for standard input; --encoding and --input-format
    are meant for it.

    Exit codes: 0 every limit is kept; 1 failed; 2 wrong usage; 3 a limit is broken.
    """
    _refuse_scripts(file if reading.input_format is None else None, source)
    if file == source == STREAM:
        raise UsageError("standard input can be FILE or --source, not both")
    if length_ratio is not None and source is None:
        raise UsageError("--length-ratio is about the length of a source; name it with --source")
    language = target_language or language_in_name(file)
    track = reading.read(file, language)
    original = None if source is None else ReadingOptions().read(source, source_language)
    if original is not None and not can_pair(track, original):
        raise UsageError(
            f"{source} has {_size(original)} and {file} {_size(track)}: to be paired they need as "
            "many, or times in both"
        )
    guideline = limits.guideline_for(language, timed=track.timed)
    guideline = override(guideline, frame_rate=reading.script.fps)
    if report is not None:
        check_writable(report, overwrite=overwrite)
    checks = check_track(
        track, guideline, original, source_language=source_language, length_ratio=length_ratio
    )
    exit_code = OVER_LIMITS if checks.violations else 0
    document = {
        "schema": SCHEMA,
        "subfit": __version__,
        "input": file,
        "source": source,
        "exit_code": exit_code,
        "repairs": [asdict(repair) for repair in track.repairs],
        **checks.to_dict(),
    }
    if report is not None:
        pair = source_language, language
        page = partial(check_page, checks, track, document, pair)
        data = render_report(report, Forms(document, lambda: _table(document), page))
        write_bytes(report, data, overwrite=overwrite)
    if json:
        print_json(document)
    else:
        messages = Messages(data_on_stdout=False, quiet=quiet)
        _show(file, track, checks, messages)
        if limits.for_screens and not track.timed:
            messages.note(UNTIMED)
    return exit_code


def _refuse_scripts(*names: str | None) -> None:
    """Tell of dubbing scripts before anything is asked about how to read them."""
    for name in names:
        if name is not None and is_script(Path(name)):
            raise UsageError(
                f"{name}: check is for subtitles; translate keeps the translations that a dubbing "
                "script has, and writes how they fit beside them"
            )


def _size(track: Track) -> str:
    return count_of(len(track.cues), "cue" if track.timed else "line")


def _table(document: dict[str, Any]) -> Table:
    cues: list[dict[str, Any]] = document["cues"]
    columns = tuple(cues[0]) if cues else ()
    facts = {name: value for name, value in document.items() if name != "cues"}
    widths, times = {"text": TEXT, "source": TEXT}, frozenset({"start", "end"})
    return Table("Cues", columns, cues, facts, widths=widths, times=times)


def _show(name: str, track: Track, report: CheckReport, messages: Messages) -> None:
    show_heading(messages, name, report.guideline)
    messages.figures(_figures(report))
    messages.repairs(track.repairs)
    for cue in report.cues:
        if cue.source is None:
            continue
        start = cue.cue.start if track.timed else None
        where = place_of(cue.position, start, cue.cue.line)
        for term in cue.source.lost:
            wanted = f"{one_line(term.source)} ({one_line(' | '.join(term.targets))})"
            messages.say(f"  {where}: without {wanted}")
        if cue.source.added:
            messages.say(f"  {where}: {', '.join(cue.source.added)} is not in the source")
    _show_worst(report, messages, timed=track.timed)


def _show_worst(report: CheckReport, messages: Messages, *, timed: bool) -> None:
    """Show the cues that break limits, those furthest over their budget first."""
    worst = sorted(
        (cue for cue in report.cues if cue.violations),
        key=lambda cue: (-cue.overflow, -len(cue.violations), cue.position),
    )
    if worst:
        headings = (*PLACE, "text", "characters", "budget", "CPS", "broken limits")
        rows = [tuple(_cells(cue, timed=timed)) for cue in worst[:WORST]]
        messages.table(headings, rows, texts={"text", "broken limits"}, title="Worst cues:")
        messages.more(len(worst) - WORST, "--json or --report")


def _cells(cue: CueCheck, *, timed: bool) -> Iterator[str]:
    yield from place_cells(cue.position, cue.cue.start if timed else None, cue.cue.line)
    yield cue.text
    yield from map(number, (cue.characters, cue.budget, cue.cps))
    yield "; ".join(violation_of(violation) for violation in cue.violations)


def _figures(report: CheckReport) -> Iterator[tuple[str, str]]:
    totals = report.totals
    yield "cues", f"{totals['cues']}: {totals['compliant_cues']} keep every limit"
    for kind, broken in totals["violations"].items():
        yield KIND_NAMES[kind], f"{broken['cues']} ({percent(broken['share'])})"
    if totals["cps"]["count"]:
        yield "CPS", speed_of(totals["cps"])
    yield "over budget", over_budget(totals["overflow"])
    if totals["lengths"] is not None:
        yield "LR", ratio_of(totals["lengths"]["length_ratio"])
        yield "LC", compliance_of(totals["lengths"]["compliance"])
        if totals["kept"]:
            yield "kept", f"{count_of(totals['kept'], 'cue')} as in the source, without LR and LC"
        unpaired, left_over = totals["unpaired_cues"], totals["unpaired_source_cues"]
        if unpaired or left_over:
            yield (
                "unpaired",
                f"{count_of(unpaired, 'cue')} without source, "
                f"{count_of(left_over, 'source cue')} without translation",
            )
        if totals["lost"]:
            yield "lost", lost_of(totals["lost"])
