"""``subfit budget``: how long the translation of every cue may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from subfit.batch.job import Limits, ReadingOptions
from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import print_json
from subfit.cli.parameters import takes
from subfit.cli.running import UNSEEN, UNTIMED, show_heading
from subfit.fitting.options import Options
from subfit.limits.budget import LengthBudget, LengthRatio
from subfit.limits.cue_budgets import cue_budgets
from subfit.limits.guideline import Guideline
from subfit.reporting.lengths import joined_lines, plain_data
from subfit.reporting.wording import LIMIT_NAMES, PLACE, number, place_cells
from subfit.subtitles.cues import Track
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.payload import plain_text, seen_lines
from subfit.subtitles.sentences import parse_cues
from subfit.text.counting import count_characters
from subfit.version import __version__


@click.command()
@click.argument("input", metavar="INPUT")
@options.target_language(
    "Language of the translation.  [default: the guideline's general values]", default="und"
)
@options.source_language_option
@options.reading_options(frames="of time codes with frames and for gaps in frames")
@options.limit_options
@options.length_ratio_option
@options.dubbing_options
@options.json_option
@takes(options.FIELDS, reading=ReadingOptions, limits=Limits, options=Options)
def budget(
    input: str,
    target_language: str,
    reading: ReadingOptions,
    limits: Limits,
    options: Options,
    length_ratio: LengthRatio | None,
    json: bool,
) -> None:
    """Show how many characters the translation of every cue may have, and which limit binds.

    INPUT is a subtitle or .txt file, a dubbing script (.csv, .tsv, .xlsx), or '-' for standard
    input. Nothing is translated.
    """
    track, ratio = reading.read(input, options.source_language, limits), length_ratio
    guideline = limits.guideline_for(target_language, timed=track.timed)
    texts = parse_cues(track.cues, track.format)
    budgets = cue_budgets(track, guideline, ratio, options.dubbing)
    cues = [
        _describe(position, track, text, budget, guideline)
        for position, (text, budget) in enumerate(zip(texts, budgets, strict=True), 1)
    ]
    if json:
        settings = {"guideline": plain_data(guideline), "length_ratio": plain_data(ratio)}
        totals = {"cues": len(cues), "binding": _bound(cues)}
        document = {"settings": settings, "totals": totals, "repairs": plain_data(track.repairs)}
        print_json({"subfit": __version__, "input": input, **document, "cues": cues})
    else:
        messages = Messages(data_on_stdout=False, quiet=False)
        headings = [*PLACE, "seconds", "length", "CPS", "budget", "limit", "source"]
        messages.table(headings, map(_cells, cues), texts={"source"})
        bound = ", ".join(f"{LIMIT_NAMES[name]} {count}" for name, count in _bound(cues).items())
        title = f"{input}: {len(cues)} cues; bound by {bound or 'nothing'}"
        show_heading(messages, title, guideline)
        messages.figures([("table", "length and CPS of the source; budget in characters")])
        messages.repairs(track.repairs)
        if limits.for_screens and not track.timed:
            messages.note(UNSEEN if track.spoken else UNTIMED)


def _describe(
    position: int, track: Track, text: CueText, budget: LengthBudget, guideline: Guideline
) -> dict[str, Any]:
    """Return one cue's row, as JSON values."""
    cue, source = track.cues[position - 1], text.shown
    timed = track.timed or budget.speaking is not None
    seconds = cue.duration / 1000 if timed else 0.0
    # As `check` counts the same cue: in its own lines. Of a script, directions are not said.
    seen = source if track.spoken else seen_lines(plain_text(cue.text, track.format))
    reading = count_characters(seen, guideline.cps_counting)
    row = {
        "number": position,
        "line": cue.line,
        "start": cue.start if timed else None,
        "end": cue.end if timed else None,
        "kind": text.kind,
        "source": source,
        "characters": guideline.count(seen),
        "source_characters": guideline.count(joined_lines(source)),
        "source_cps": reading / seconds if seconds > 0 else None,
        "budget": budget.characters,
        "binding": budget.binding,
        "limits": dict(budget.limits),
        "floor": budget.floor,
    }
    return {key: plain_data(value) for key, value in row.items()}


def _bound(cues: Sequence[dict[str, Any]]) -> dict[str, int]:
    counts = Counter(cue["binding"] for cue in cues)
    return {limit: counts[limit] for limit in LIMIT_NAMES if counts[limit]}


def _cells(cue: dict[str, Any]) -> list[str]:
    timed = cue["start"] is not None
    return [
        *place_cells(cue["number"], cue["start"], cue["line"]),
        f"{(cue['end'] - cue['start']) / 1000:.2f}" if timed else "–",
        *map(number, (cue["characters"], cue["source_cps"], cue["budget"])),
        LIMIT_NAMES.get(cue["binding"], "none"),
        cue["source"],
    ]
