"""``subfit reflow``: the lines of subtitles, broken anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from subfit.batch.failures import FAILED, Failure, failure_of
from subfit.batch.items import STREAM
from subfit.batch.job import Limits, ReadingOptions, Writing
from subfit.batch.plan import is_script
from subfit.batch.reflow_plan import Planned, plan_reflow
from subfit.cli.failures import OVER_LIMITS, print_json
from subfit.cli.options import constraints, shared
from subfit.cli.options.binding import takes
from subfit.cli.options.types import language_in_name
from subfit.cli.views.console import WORST, Messages
from subfit.errors import UsageError
from subfit.files import make_folder, write_bytes
from subfit.reporting.lengths import plain_data
from subfit.reporting.reflow import CueReflow, Reflow, reflow_track
from subfit.reporting.wording import PLACE, count_of, place_cells, violation_of
from subfit.subtitles.encoding import checked_encoding
from subfit.subtitles.formats import render_track
from subfit.version import __version__


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of one file."""

    planned: Planned
    language: str
    reflow: Reflow | None = None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class _Request:
    """All that was asked for."""

    language: str | None
    """The language of all files; None for what their names say."""
    reading: ReadingOptions
    limits: Limits
    writing: Writing
    dry_run: bool


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="FILE...")
@shared.target_language_option(
    "Language of the subtitles.  [default: from the file's name, as in movie.de.srt]"
)
@shared.reading_options(shared.TIMED_FORMATS)
@constraints.guideline_option
@constraints.line_options
@constraints.line_shape_option
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE|FOLDER",
    help="File to write, '-' for stdout; or a folder, of several files always: one that is there, "
    "or any that ends in '/'.",
)
@shared.output_options
@shared.overwrite_option(
    "Replace existing files; without -o and --output-dir, the files themselves."
)
@shared.dry_run_option
@shared.json_option
@shared.quiet_option
@takes(reading=ReadingOptions, limits=Limits, writing=Writing)
def reflow(
    inputs: tuple[str, ...],
    target_language: str | None,
    reading: ReadingOptions,
    limits: Limits,
    writing: Writing,
    dry_run: bool,
    json: bool,
    quiet: bool,
) -> int:
    """Break the lines of subtitles anew, without translating them.

    FILE is a .srt or .vtt file, a folder with such files, a pattern such as 'films/*.srt', or '-'
    for standard input. Only line breaks change: words, markup, times and everything else stays as
    it is. A cue that no line breaks can bring within the limits is reported.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues have lines over the
    limits.
    """
    request = _Request(target_language, reading, limits, writing, dry_run)
    _check(request)
    plan = plan_reflow(inputs, writing, dry_run=dry_run)
    to_stdout = any(planned.target == STREAM for planned in plan.files)
    if json and to_stdout and not dry_run:
        raise UsageError("--json and the subtitles both go to stdout; name a file with -o")
    messages = Messages(data_on_stdout=json or to_stdout, quiet=quiet)
    for _, failure in plan.failures:
        messages.error(failure.message)
    done = [_Done(Planned(name, ""), "", failure=failure) for name, failure in plan.failures]
    for planned in plan.files:
        done.append(_reflow_one(planned, request, several=plan.several))
        _show(done[-1], messages, dry_run=dry_run)
    exit_code = _exit_code(done)
    if json:
        files = [_entry(reflowed) for reflowed in done]
        print_json({"subfit": __version__, "exit_code": exit_code, "files": files})
    return exit_code


def _check(request: _Request) -> None:
    """Tell of arguments that are wrong for every file, before any of them is looked at."""
    if request.reading.encoding is not None:
        checked_encoding(request.reading.encoding)
    request.limits.guideline_for(request.language or "und")


def _reflow_one(planned: Planned, request: _Request, *, several: bool) -> _Done:
    """Reflow a file; of several, one that fails does not stop the others."""
    language = request.language or language_in_name(planned.source)
    try:
        return _Done(planned, language, _reflow_file(planned, language, request))
    except Exception as error:
        if not several:
            raise
        return _Done(planned, language, failure=failure_of(error))


def _reflow_file(planned: Planned, language: str, request: _Request) -> Reflow:
    """Read a file, break its lines, and write it unless this is a rehearsal."""
    if request.reading.input_format is None and is_script(Path(planned.source)):
        raise _unseen(planned, "a dubbing script")
    track = request.reading.read(planned.source, language)
    if not track.timed:
        raise _unseen(planned, "plain text")
    reflowed = reflow_track(track, request.limits.guideline_for(language))
    if request.dry_run:
        return reflowed
    data = render_track(reflowed.track, output_encoding=track.encoding.name, name=planned.target)
    if planned.target == STREAM:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return reflowed
    if planned.in_folder and not planned.in_place:
        make_folder(Path(planned.target).parent)
    write_bytes(Path(planned.target), data, overwrite=request.writing.overwrite)
    return reflowed


def _unseen(planned: Planned, what: str) -> UsageError:
    return UsageError(f"{planned.source}: {what} is on no screen: it has no lines to break")


def _exit_code(done: list[_Done]) -> int:
    if any(reflowed.failure for reflowed in done):
        return FAILED
    return OVER_LIMITS if any(reflowed.reflow and reflowed.reflow.over for reflowed in done) else 0


def _entry(done: _Done) -> dict[str, Any]:
    named = {"input": done.planned.source, "output": done.planned.target or None}
    if done.failure is not None or done.reflow is None:
        return {**named, "error": done.failure.to_dict() if done.failure else None}
    reflow = done.reflow
    return {
        **named,
        "language": done.language,
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
    reflow, planned = done.reflow, done.planned
    if reflow is None:
        messages.error(done.failure.message if done.failure else "")
        return
    title = planned.source if planned.in_place else f"{planned.source} -> {planned.target or '?'}"
    messages.heading(title, reflow.guideline)
    messages.figures(_figures(reflow, dry_run=dry_run))
    if done.language == "und":
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
