"""``subfit check``: hold any subtitle file to a guideline, and mend what needs no judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from subfit.batch.items import STREAM
from subfit.batch.job import Limits, ReadingOptions, with_shot_changes
from subfit.batch.plan import is_script, keep_format
from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import FAILED, OVER_LIMITS, failure_of, one_line, print_json
from subfit.cli.parameters import FILE, language_in_name, names, takes
from subfit.cli.running import UNTIMED, show_heading
from subfit.errors import UsageError
from subfit.files import check_writable, read_bytes, write_bytes
from subfit.limits.budget import LengthRatio
from subfit.quality.exchange import EXCHANGES, TITLES
from subfit.quality.findings import Finding
from subfit.quality.inspect import inspect, mend
from subfit.reporting.check import KIND_NAMES, CheckReport, check_track
from subfit.reporting.figures import TEXT
from subfit.reporting.lengths import plain_data
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
from subfit.subtitles.formats import render_track
from subfit.subtitles.pairing import can_pair
from subfit.version import __version__

_SHOWN = 10
"""Cues that are shown."""
_FORMATS = ("text", "json", *EXCHANGES)


@dataclass(frozen=True, slots=True)
class _Request:
    """How files are to be checked."""

    reading: ReadingOptions
    limits: Limits
    source: str | None
    source_language: str
    length_ratio: LengthRatio | None
    shot_changes: Path | None
    profanity: Path | None
    skip: tuple[str, ...]
    fix: bool
    target_language: str | None
    output: Path | None
    report: Path | None
    overwrite: bool


@dataclass(frozen=True, slots=True)
class _Checked:
    """A file, and what was found in it."""

    name: str
    track: Track
    report: CheckReport
    findings: list[Finding]
    done: list[Finding]
    """What was mended."""

    def document(self, source: str | None, exit_code: int) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "schema": SCHEMA,
            "subfit": __version__,
            "input": self.name,
            "source": source,
            "exit_code": exit_code,
            "repairs": plain_data(self.track.repairs),
            "findings": [self._plain(one) for one in self.findings],
            "mended": [self._plain(one) for one in self.done],
            **self.report.to_dict(),
        }

    def _plain(self, one: Finding) -> dict[str, Any]:
        return {**asdict(one), "cue": one.cue + 1, "line": self.track.cues[one.cue].line}


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--source", metavar="FILE", help="What it was translated from; adds LR and LC.")
@options.target_language("Language of FILE.  [default: from its name, as in movie.de.srt]")
@options.source_language_option
@options.reading_options(options.SUBTITLE_FORMATS, frames="for gaps and shot changes")
@options.limit_options
@options.length_ratio_option
@options.shot_list_option
@click.option(
    "--profanity", type=FILE, metavar="FILE", help="Words that must not be said, one a line: darn*."
)
@click.option(
    "--skip",
    type=names,
    default="",
    show_default=False,
    metavar="RULE,...",
    help="Rules that are not looked at, by the names that 'mended' and --format json give.",
)
@click.option(
    "--fix", is_flag=True, help="Mend what needs no judgement; the file goes to -o, or stays."
)
@click.option("-o", "--output", type=FILE, metavar="FILE", help="With --fix, the file to write.")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="text", help="What is printed."
)
@options.table_report_option
@options.overwrite_option("Replace reports and -o; with --fix alone, FILE itself.")
@options.json_option
@options.quiet_option
@takes(request=_Request)
def check(files: tuple[str, ...], request: _Request, form: str, json: bool, quiet: bool) -> int:
    """Hold subtitle files, whoever made them, to a guideline.

    FILE is a subtitle or .txt file, or '-' for standard input; --encoding and --input-format
    are meant for it. Limits, gaps, shot changes and how text is set are looked at, as far as the
    guideline has rules for them.

    Exit codes: 0 every limit and rule is kept; 1 failed; 2 wrong usage; 3 one is broken.
    """
    _refuse(files, request)
    report, output, overwrite = request.report, request.output, request.overwrite
    messages = Messages(data_on_stdout=False, quiet=quiet)
    checked, documents, codes = list[_Checked](), list[dict[str, Any]](), list[int]()
    for file in files:
        try:
            one = _check(file, request)
            for path in filter(None, (report, output)):
                check_writable(path, overwrite=overwrite)
            if file == STREAM and output is not None:
                keep_format("standard input", str(output), one.track.format)
            if request.fix and (one.done or output is not None):
                target, encoding = output or Path(one.name), one.track.encoding.name
                data = render_track(one.track, output_encoding=encoding, name=str(target))
                write_bytes(target, data, overwrite=overwrite)
        except Exception as error:
            if len(files) == 1:
                raise
            failure = failure_of(error)
            messages.error(failure.message)
            documents.append({"input": file, "error": failure.to_dict()})
            codes.append(FAILED)
            continue
        checked.append(one)
        codes.append(OVER_LIMITS if one.findings else 0)
        documents.append(one.document(request.source, codes[-1]))
    if report is not None:
        (document,) = documents
        data = render_report(report, Forms(document, lambda: _table(document)))
        write_bytes(report, data, overwrite=overwrite)
    exit_code = FAILED if FAILED in codes else max(codes)
    if form in EXCHANGES:
        text = EXCHANGES[form]([(one.name, one.track, one.findings) for one in checked])
        if text:
            click.echo(text)
    elif json or form == "json":
        several = {"subfit": __version__, "exit_code": exit_code, "files": documents}
        print_json(documents[0] if len(files) == 1 else several)
    else:
        for one in checked:
            _show(one, messages, fixed=request.fix)
            if request.limits.for_screens and not one.track.timed:
                messages.note(UNTIMED)
    return exit_code


def _refuse(files: Sequence[str], request: _Request) -> None:
    """Tell what cannot be together before any file is read."""
    source, output, report = request.source, request.output, request.report
    for name in (*(files if request.reading.input_format is None else ()), source):
        if name is not None and is_script(Path(name)):
            raise UsageError(
                f"{name}: check is for subtitles; translate keeps the translations that a dubbing "
                "script has, and writes how they fit beside them"
            )
    for option, value in {"--source": source, "--output": output, "--report": report}.items():
        if value is not None and len(files) > 1:
            raise UsageError(f"{option} is for one file, and there are {len(files)}")
    if source is not None and source == files[0] == STREAM:
        raise UsageError("standard input can be FILE or --source, not both")
    if request.length_ratio is not None and source is None:
        raise UsageError("--length-ratio is about the length of a source; name it with --source")
    if output is not None and not request.fix:
        raise UsageError("--output is for --fix")
    if output is not None:
        keep_format(files[0], str(output))
    if request.fix and output is None and (not request.overwrite or STREAM in files):
        raise UsageError("--fix writes a file: name it with -o, or replace FILE with --overwrite")
    for rule in request.skip:
        if rule not in TITLES:
            raise UsageError(f"--skip {rule}: no such rule; there are {', '.join(TITLES)}")


def _check(file: str, request: _Request) -> _Checked:
    """Read a file, mend it if asked to, and find what is wrong with it."""
    language = request.target_language or language_in_name(file)
    limits = request.limits
    track = request.reading.read(file, language, limits)
    original = None
    if request.source is not None:
        original = ReadingOptions().read(request.source, request.source_language, limits)
    if original is not None and not can_pair(track, original):
        raise UsageError(
            f"{request.source} has {_size(original)} and {file} {_size(track)}: to be paired they "
            "need as many, or times in both"
        )
    fps = request.reading.script.fps
    guideline = limits.guideline_for(language, timed=track.timed, frame_rate=fps)
    track = with_shot_changes(track, request.shot_changes, guideline)
    track, done = mend(track, guideline, request.skip) if request.fix else (track, [])
    report = check_track(
        track,
        guideline,
        original,
        source_language=request.source_language,
        length_ratio=request.length_ratio,
        skipped=request.skip,
    )
    listed = b"" if request.profanity is None else read_bytes(request.profanity)
    lines = listed.decode("utf-8-sig", "replace").split("\n")
    words = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    findings = inspect(track, report, banned=words, skipped=request.skip)
    return _Checked(file, track, report, findings, done)


def _size(track: Track) -> str:
    return count_of(len(track.cues), "cue" if track.timed else "line")


def _table(document: dict[str, Any]) -> Table:
    told: dict[int, list[str]] = {}
    for one in document["findings"]:
        told.setdefault(one["cue"], []).append(f"{one['rule']}: {one['message']}")
    cues = [{**cue, "findings": told.get(at, [])} for at, cue in enumerate(document["cues"], 1)]
    columns = tuple(cues[0]) if cues else ()
    facts = {name: value for name, value in document.items() if name not in ("cues", "findings")}
    widths, times = {"text": TEXT, "source": TEXT, "findings": TEXT}, frozenset({"start", "end"})
    return Table("Cues", columns, cues, facts, widths=widths, times=times)


def _show(checked: _Checked, messages: Messages, *, fixed: bool) -> None:
    track, report = checked.track, checked.report
    show_heading(messages, checked.name, report.guideline)
    rules = [one for one in checked.findings if one.rule not in KIND_NAMES]
    by_rule = Counter(one.rule for one in rules).most_common()
    told = [("rules", ", ".join(f"{rule} {count}" for rule, count in by_rule))] if rules else []
    messages.figures([*_figures(report), *told])
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
    _show_findings(checked, checked.findings, messages, "Worst cues:")
    _show_findings(checked, checked.done, messages, "Mended:")
    if not fixed and (mendable := sum(one.mendable for one in checked.findings)):
        messages.note(f"{count_of(mendable, 'finding')} can be mended by --fix")


def _show_findings(
    checked: _Checked, findings: Sequence[Finding], messages: Messages, title: str
) -> None:
    """Show the cues that something is about, those furthest over their budget first."""
    told: dict[int, list[str]] = {}
    for one in findings:
        name = "" if one.rule in KIND_NAMES else f"{one.rule}: "
        told.setdefault(one.cue, []).append(f"{name}{one.message}")
    cues, timed = checked.report.cues, checked.track.timed
    worst = sorted(told, key=lambda at: (-cues[at].overflow, -len(told[at]), at))
    rows = [
        (
            *place_cells(at + 1, cues[at].cue.start if timed else None, cues[at].cue.line),
            cues[at].text,
            *map(number, (cues[at].characters, cues[at].budget, cues[at].cps)),
            "; ".join(told[at]),
        )
        for at in worst[:_SHOWN]
    ]
    if rows:
        headings = (*PLACE, "text", "characters", "budget", "CPS", "what is wrong")
        messages.table(headings, rows, texts={"text", "what is wrong"}, title=title)
        messages.more(len(worst) - _SHOWN, "--json or --report")


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
