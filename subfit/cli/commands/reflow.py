"""``subfit reflow``: the lines of subtitles, broken anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from subfit.batch.items import Item
from subfit.batch.job import Limits, ReadingOptions, Writing
from subfit.batch.plan import plan_in_place
from subfit.batch.run import write_as_read
from subfit.cli import options
from subfit.cli.console import WORST, Messages
from subfit.cli.output import FAILED, OVER_LIMITS, print_json
from subfit.cli.parameters import takes
from subfit.cli.running import (
    each_file,
    failed_entry,
    messages_for,
    read_on_screen,
    show_heading,
    shown_names,
)
from subfit.errors import Failure
from subfit.reporting.check import violation_of
from subfit.reporting.lengths import plain_data
from subfit.reporting.reflow import CueReflow, Reflow, reflow_track
from subfit.reporting.wording import PLACE, count_of, place_cells
from subfit.subtitles.encoding import checked_encoding
from subfit.version import __version__


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

    FILE is a subtitle file ('subfit formats' lists the kinds), a folder with such files, a pattern
    such as 'films/*.srt', or '-' for standard input. Only line breaks change: words, markup, times
    and everything else stays as it is. A cue that no line breaks can bring within the limits is
    reported.

    Exit codes: 0 done; 1 a file failed; 2 wrong usage; 3 done, but some cues have lines over the
    limits.
    """
    if reading.encoding is not None:
        checked_encoding(reading.encoding)
    named = target_language or "und"
    limits.guideline_for(named)
    plan = plan_in_place(inputs, writing, named, dry_run=dry_run)
    messages = messages_for(inputs, writing, dry_run=dry_run, json=json, quiet=quiet)

    def reflowed(item: Item) -> Reflow:
        track = read_on_screen(item, reading, "lines to break")
        made = reflow_track(track, limits.guideline_for(item.language))
        if not dry_run:
            write_as_read(item, made.track, plan, overwrite=writing.overwrite)
        _show(item, made, messages, dry_run=dry_run)
        return made

    done = list(each_file(plan, messages, reflowed))
    failed = any(isinstance(made, Failure) for _, made in done)
    over = any(isinstance(made, Reflow) and made.over for _, made in done)
    exit_code = FAILED if failed else OVER_LIMITS if over else 0
    if json:
        files = [_entry(item, made) for item, made in done]
        print_json({"subfit": __version__, "exit_code": exit_code, "files": files})
    return exit_code


def _entry(item: Item, reflow: Reflow | Failure) -> dict[str, Any]:
    if isinstance(reflow, Failure):
        return failed_entry(item, reflow)
    return {
        "input": item.source,
        "output": item.target,
        "language": item.language,
        "settings": {"guideline": plain_data(reflow.guideline)},
        "totals": {"cues": len(reflow.cues), "broken": reflow.broken, "over": reflow.over},
        "repairs": plain_data(reflow.track.repairs),
        "cues": [_cue(number, cue) for number, cue in enumerate(reflow.cues, 1)],
    }


def _cue(number: int, cue: CueReflow) -> dict[str, Any]:
    data = plain_data(cue)
    del data["cue"], data["payload"]
    return {"number": number, "line": cue.cue.line, **data}


def _show(item: Item, reflow: Reflow, messages: Messages, *, dry_run: bool) -> None:
    show_heading(messages, shown_names(item.source, item.target), reflow.guideline)
    messages.figures(_figures(reflow, dry_run=dry_run))
    if item.language == "und":
        messages.note("no language is known, so lines follow punctuation and length; pass -t")
    messages.repairs(reflow.track.repairs)
    rows = [
        (
            *place_cells(number, cue.cue.start, cue.cue.line),
            " / ".join(cue.after),
            "; ".join(map(violation_of, cue.violations)),
        )
        for number, cue in enumerate(reflow.cues, 1)
        if cue.violations
    ]
    if rows:
        headings, texts = (*PLACE, "text", "broken limits"), {"text", "broken limits"}
        messages.table(headings, rows[:WORST], texts=texts, title="Still over:")
        messages.more(len(rows) - WORST, "--json")


def _figures(reflow: Reflow, *, dry_run: bool) -> Iterator[tuple[str, str]]:
    verb = "would be broken" if dry_run else "broken"
    yield "cues", f"{len(reflow.cues)}: {reflow.broken} {verb} anew"
    yield "over limits", count_of(reflow.over, "cue") if reflow.over else "none"
