"""``subfit reflow``: the lines of subtitles, broken anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from subfit.batch.items import Item
from subfit.batch.job import Limits, ReadingOptions, Writing
from subfit.batch.plan import Plan, is_script, plan_in_place
from subfit.batch.run import write_as_read
from subfit.cli import options
from subfit.cli.console import WORST, Messages
from subfit.cli.output import FAILED, OVER_LIMITS, print_json
from subfit.cli.parameters import language_in_name, takes
from subfit.cli.running import show_heading, show_plan
from subfit.errors import Failure, UsageError, failure_of
from subfit.reporting.check import violation_of
from subfit.reporting.lengths import plain_data
from subfit.reporting.reflow import CueReflow, Reflow, reflow_track
from subfit.reporting.wording import PLACE, count_of, place_cells
from subfit.subtitles.encoding import checked_encoding
from subfit.version import __version__


@dataclass(frozen=True, slots=True)
class _Request:
    """All that was asked for."""

    reading: ReadingOptions
    limits: Limits
    writing: Writing
    dry_run: bool


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of one file."""

    item: Item
    reflow: Reflow | None = None
    failure: Failure | None = None


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="FILE...")
@options.target_language(
    "Language of the subtitles.  [default: from the file's name, as in movie.de.srt]"
)
@options.reading_options(options.TIMED_FORMATS, frames="of times in frames")
@options.guideline_option
@options.line_options
@options.line_shape_option
@options.output_options("", "Replace existing files; without -o, the files themselves.")
@options.dry_run_option
@options.json_option
@options.quiet_option
@takes(request=_Request)
def reflow(
    inputs: tuple[str, ...], request: _Request, target_language: str | None, json: bool, quiet: bool
) -> int:
    """Break the lines of subtitles anew, without translating them.

    FILE is a subtitle file ('subfit formats' lists the kinds), a folder with such files, a pattern
    such as 'films/*.srt', or '-' for standard input. Only line breaks change: words, markup, times
    and everything else stays as it is. A cue that no line breaks can bring within the limits is
    reported.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues have lines over the
    limits.
    """
    if request.reading.encoding is not None:
        checked_encoding(request.reading.encoding)
    request.limits.guideline_for(target_language or "und")
    plan = plan_in_place(inputs, request.writing, target_language or "und", dry_run=request.dry_run)
    to_stdout = any(item.to_stdout for item in plan.items)
    if json and to_stdout and not request.dry_run:
        raise UsageError("--json and the subtitles both go to stdout; name a file with -o")
    messages = Messages(data_on_stdout=json or to_stdout, quiet=quiet)
    show_plan(plan, messages)
    done = [
        _Done(Item(place, "", "und"), failure=failure) for place, failure in plan.listing.failures
    ]
    for item in plan.items:
        done.append(_reflow_one(item, request, plan))
        _show(done[-1], messages, dry_run=request.dry_run)
    over = any(one.reflow and one.reflow.over for one in done)
    exit_code = FAILED if any(one.failure for one in done) else OVER_LIMITS if over else 0
    if json:
        files = [_entry(one) for one in done]
        print_json({"subfit": __version__, "exit_code": exit_code, "files": files})
    return exit_code


def _reflow_one(item: Item, request: _Request, plan: Plan) -> _Done:
    """Reflow a file; of several, one that fails does not stop the others."""
    if item.language == "und":
        item = Item(item.source, item.target, language_in_name(item.source))
    try:
        return _Done(item, _reflow_file(item, request, plan))
    except Exception as error:
        if not plan.several:
            raise
        return _Done(item, failure=failure_of(error))


def _reflow_file(item: Item, request: _Request, plan: Plan) -> Reflow:
    """Read a file, break its lines, and write it unless this is a rehearsal."""
    script = request.reading.input_format is None and is_script(Path(item.source))
    track = None if script else request.reading.read(item.source, item.language)
    if track is None or not track.timed:
        what = "a dubbing script" if script else "plain text"
        raise UsageError(f"{item.source}: {what} is on no screen: it has no lines to break")
    reflowed = reflow_track(track, request.limits.guideline_for(item.language))
    if request.dry_run:
        return reflowed
    write_as_read(item, reflowed.track, plan, overwrite=request.writing.overwrite)
    return reflowed


def _entry(done: _Done) -> dict[str, Any]:
    named = {"input": done.item.source, "output": done.item.target or None}
    if done.reflow is None:
        return {**named, "error": done.failure.to_dict() if done.failure else None}
    reflow = done.reflow
    return {
        **named,
        "language": done.item.language,
        "settings": {"guideline": plain_data(reflow.guideline)},
        "totals": {"cues": len(reflow.cues), "broken": reflow.broken, "over": reflow.over},
        "repairs": [asdict(repair) for repair in reflow.track.repairs],
        "cues": [_cue(number, cue) for number, cue in enumerate(reflow.cues, 1)],
    }


def _cue(number: int, cue: CueReflow) -> dict[str, Any]:
    return {
        "number": number,
        "line": cue.cue.line,
        "state": cue.state,
        "before": list(cue.before),
        "after": list(cue.after),
        "characters": list(cue.characters),
        "violations": [asdict(violation) for violation in cue.violations],
        "note": cue.note,
    }


def _show(done: _Done, messages: Messages, *, dry_run: bool) -> None:
    reflow, item = done.reflow, done.item
    if reflow is None:
        messages.error(done.failure.message if done.failure else "")
        return
    show_heading(messages, item.title, reflow.guideline)
    messages.figures(_figures(reflow, dry_run=dry_run))
    if item.language == "und":
        messages.note("no language is known, so lines follow punctuation and length; pass -t")
    messages.repairs(reflow.track.repairs)
    over = [(number, cue) for number, cue in enumerate(reflow.cues, 1) if cue.violations]
    if over:
        rows = [
            (
                *place_cells(number, cue.cue.start, cue.cue.line),
                " / ".join(cue.after),
                "; ".join(map(violation_of, cue.violations)),
            )
            for number, cue in over[:WORST]
        ]
        headings, texts = (*PLACE, "text", "broken limits"), {"text", "broken limits"}
        messages.table(headings, rows, texts=texts, title="Still over:")
        messages.more(len(over) - WORST, "--json")


def _figures(reflow: Reflow, *, dry_run: bool) -> Iterator[tuple[str, str]]:
    verb = "would be broken" if dry_run else "broken"
    yield "cues", f"{len(reflow.cues)}: {reflow.broken} {verb} anew"
    yield "over limits", count_of(reflow.over, "cue") if reflow.over else "none"
