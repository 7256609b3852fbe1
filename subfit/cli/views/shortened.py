"""What became of subtitles that were shortened in their own language, as people are told."""

from __future__ import annotations

from collections.abc import Iterator

from subfit.batch.items import Result
from subfit.cli.views.batch import OneFile
from subfit.cli.views.console import WORST, shown_names
from subfit.cli.views.summary import bound_of, remarks_of
from subfit.reporting.report import Report
from subfit.reporting.verdicts import CueVerdict
from subfit.reporting.wording import (
    PLACE,
    count_of,
    number,
    over_budget,
    place_cells,
    speed_of,
    times_moved,
)

_CELLS = (*PLACE, "before", "after", "characters", "limit")
_KEPT = (*PLACE, "text", "characters", "limit", "what fits would lose")
SHOWN = 10
"""Shortened cues that are shown one by one."""


class OneShortened(OneFile):
    """Tells of a single file that was shortened, in detail."""

    def finished(self, result: Result, _: int) -> None:
        """Tell what became of it; what was raised is told when the program ends with it."""
        report, failure, messages = result.report, result.failure, self._messages
        if failure is not None and failure.error is None:
            messages.error(failure.message)
        if report is None:
            return
        item = result.item
        messages.heading(shown_names(item.source, item.target), report.guideline)
        messages.figures(_figures(report))
        messages.repairs(report.repairs)
        for line in remarks_of(report):
            messages.say(f"  {line}")
        changed = [cue for cue in report.cues if was_shortened(cue)]
        if changed:
            rows = [_changed(cue) for cue in changed[:SHOWN]]
            messages.table(_CELLS, rows, texts={"before", "after"}, title="Shortened:")
            messages.more(len(changed) - SHOWN, "--report FILE")
        over = [cue for cue in report.cues if cue.outcome.status == "overflow"]
        if over:
            worst = sorted(over, key=lambda cue: -cue.excess)[:WORST]
            rows = [_kept(cue) for cue in worst]
            texts = {"text", "what fits would lose"}
            messages.table(_KEPT, rows, texts=texts, title="Still over:")
            messages.more(len(over) - WORST, "--report FILE")


def was_shortened(cue: CueVerdict) -> bool:
    """Tell whether a cue has other words than it had."""
    return " ".join(cue.outcome.source.split()) != " ".join(cue.outcome.target.split())


def _figures(report: Report) -> Iterator[tuple[str, str]]:
    totals = report.totals
    before, after = totals["overflow"]["before"], totals["overflow"]["after"]
    changed = [cue for cue in report.cues if was_shortened(cue)]
    shorter = sum(cue.source_characters - cue.characters for cue in changed)
    cues = count_of(len(changed), "shortened", plural="")
    yield (
        "cues",
        f"{totals['cues']}: {cues} by {count_of(shorter, 'character')}, the rest as it was",
    )
    if totals.get("unread"):
        yield "unread", count_of(totals["unread"], "block") + " without times that can be read"
    yield (
        "over budget",
        f"{over_budget(after)}; before, {before['over']} by " + number(before["characters"]),
    )
    if totals["lines_overflow"]:
        yield "over lines", f"{count_of(totals['lines_overflow'], 'cue')} within budget"
    if totals["withheld"]:
        whole = count_of(totals["withheld"], "cue")
        yield (
            "kept whole",
            (
                f"{whole} over the budget since what fits would lose something "
                "(--strict-budget takes it)"
            ),
        )
    if totals["losing"]:
        yield "losing", f"{count_of(totals['losing'], 'shortened cue')} lost something essential"
    if totals["condensed"]:
        yield "condensed", f"{count_of(totals['condensed'], 'cue')} with words left out"
    if totals["cps"]["count"]:
        yield "CPS", speed_of(totals["cps"])
    if totals["binding"]["all"]:
        yield "bound by", bound_of(report)
    if totals["timing"]["moved"]:
        yield "out-times", times_moved(totals["timing"], report.guideline.frame_rate)


def _changed(cue: CueVerdict) -> tuple[str, ...]:
    outcome = cue.outcome
    return (
        *place_cells(cue.number, cue.start, outcome.cue.line),
        outcome.source,
        outcome.target,
        f"{number(cue.source_characters)} to {number(cue.characters)}",
        number(cue.most_characters),
    )


def _kept(cue: CueVerdict) -> tuple[str, ...]:
    outcome = cue.outcome
    return (
        *place_cells(cue.number, cue.start, outcome.cue.line),
        outcome.target,
        number(cue.characters),
        number(cue.most_characters),
        ", ".join(outcome.withheld) or ("nothing fits" if cue.excess else "–"),
    )
