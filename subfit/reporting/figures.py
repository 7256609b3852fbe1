"""The verdict on one cue, and the figures that reports have of it, each declared once.

JSON keys, columns of CSV and workbooks, the figures of a cue on its HTML page and the definitions
beside all these are made of `CUE_FIGURES`. A figure more is an entry more; what is told of a whole
file is declared in `subfit.reporting.totals`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from subfit.fitting.outcomes import RISKY, CueOutcome, TermUse
from subfit.limits.budget import LengthBudget, excess
from subfit.limits.guideline import Guideline
from subfit.reporting.lengths import joined_lines, length_ratio_of, measure_text, plain_data
from subfit.text.counting import count_characters


@dataclass(frozen=True, slots=True)
class CueVerdict:
    """One cue of a report; `subfit.reporting.figures.CUE_FIGURES` names and explains what is
    reported of it."""

    number: int
    """1 for the first cue."""
    outcome: CueOutcome
    timed: bool
    """Whether its times mean anything; they do not in plain text."""
    characters: float
    """Characters of the translation."""
    line_characters: tuple[float, ...]
    """Characters of each line of the translation."""
    cps: float | None
    """Characters per second of the translation; None without a duration."""
    source_characters: float
    length_ratio: float | None
    """Characters of translation per source character; None for an empty source."""
    excess: float
    """Characters over the budget."""
    natural_excess: float
    """Characters of the translation found without any limit over the budget that the source's
    times give."""

    @property
    def start(self) -> int | None:
        """In-time in milliseconds; None in plain text."""
        return self.outcome.cue.start if self.timed else None

    @property
    def budget(self) -> LengthBudget:
        """The limits of the cue; of a cue that was not translated there are none."""
        return self.outcome.budget or LengthBudget()

    @property
    def most_characters(self) -> float | None:
        """Most characters the cue may have; None if nothing limits them."""
        return None if math.isinf(self.budget.characters) else self.budget.characters

    @property
    def risk(self) -> float | None:
        """How likely someone must change the translation, 0 to 1; None if there is none."""
        return self.outcome.risk

    @property
    def risky(self) -> bool:
        """Whether its risk is `RISKY` or more."""
        return self.risk is not None and self.risk >= RISKY

    @property
    def joined(self) -> tuple[int, ...]:
        """Numbers of the cues over which its sentence runs, if it is more than this one."""
        return tuple(index + 1 for index in self.outcome.joined)

    @property
    def terms(self) -> tuple[TermUse, ...]:
        """What the glossary has for its source."""
        return tuple(term for term in self.outcome.terms if not term.placeable)

    @property
    def lost(self) -> tuple[TermUse, ...]:
        """Numbers, addresses and the like of its source that the translation lacks."""
        return tuple(term for term in self.outcome.terms if term.placeable and not term.placed)

    @property
    def moved(self) -> int:
        """Milliseconds by which it ends later than the source."""
        return self.outcome.written_end - self.outcome.cue.end if self.timed else 0

    @property
    def translated(self) -> bool:
        """Whether there is a translation to judge."""
        return self.outcome.status in ("fits", "overflow")

    @property
    def kept(self) -> bool:
        """Whether the translation stood in the dubbing script already."""
        return self.outcome.speaking is not None and self.outcome.speaking.kept

    @property
    def settled(self) -> bool:
        """Whether nobody needs to look at it: it stays as it was, and rightly."""
        return self.outcome.status == "passed" or (self.kept and self.outcome.status == "fits")


def verdict_on(
    number: int, outcome: CueOutcome, guideline: Guideline, *, timed: bool
) -> CueVerdict:
    """Judge one cue."""
    budget = outcome.budget or LengthBudget()
    duration = outcome.written_end - outcome.cue.start if timed else None
    measured = measure_text(outcome.target, duration, guideline)
    counting = guideline.counting
    return CueVerdict(
        number=number,
        outcome=outcome,
        timed=timed,
        characters=measured.characters,
        line_characters=measured.line_characters,
        cps=measured.cps,
        source_characters=count_characters(joined_lines(outcome.source), counting),
        length_ratio=length_ratio_of(outcome.source, outcome.target, counting),
        excess=excess(outcome.target, budget, guideline),
        natural_excess=excess(outcome.natural, outcome.given_budget or budget, guideline),
    )


NUMBER, WORDS, TEXT = 12, 28, 44
"""Widths of columns in a workbook, in characters."""


@dataclass(frozen=True, slots=True)
class CueFigure:
    """A figure of every cue."""

    name: str
    """Key in JSON, column of CSV and workbooks."""
    value: Callable[[CueVerdict], object]
    """Works it out; dataclasses and tuples become objects and lists in JSON."""
    definition: str = ""
    """What it means, as every report tells it; empty where the name says all."""
    width: int = NUMBER
    """Width of its column in a workbook."""
    is_time: bool = False
    """Whether it is in milliseconds and a workbook shows a time of the day."""


# fmt: off
CUE_FIGURES = (
    CueFigure("number", lambda cue: cue.number),
    CueFigure("line", lambda cue: cue.outcome.cue.line),
    CueFigure("start", lambda cue: cue.start, is_time=True),
    CueFigure("end", lambda cue: cue.outcome.written_end if cue.timed else None,
        "out-time as written, which the limits are of, in milliseconds; source_end: the source's",
        is_time=True),
    CueFigure("source_end", lambda cue: cue.outcome.cue.end if cue.timed else None, is_time=True),
    CueFigure("status", lambda cue: cue.outcome.status,
        "fits: within its budget and lines; overflow: over its budget or lines; passed: kept by "
        "rule (empty, music, sound); untranslated: kept because no translation was found"),
    CueFigure("source", lambda cue: cue.outcome.source, width=TEXT),
    CueFigure("target", lambda cue: cue.outcome.target, width=TEXT),
    CueFigure("source_characters", lambda cue: cue.source_characters,
        "characters of the source in one line, each line break a space"),
    CueFigure("characters", lambda cue: cue.characters,
        "characters of the translation: one per grapheme, line breaks and markup not counted; "
        "settings.guideline.counting says what else is not"),
    CueFigure("budget", lambda cue: cue.most_characters,
        "most characters the cue may have: the lowest of its limits"),
    CueFigure("binding", lambda cue: cue.budget.binding,
        "the limit that is the budget: cps (reading speed x duration), cpl (characters per line "
        "x lines), characters (most per cue), length_ratio (MAX x characters of the source) or "
        "speech (of dubbing scripts: about what can be said in time); totals: how many "
        "translated cues each limit binds"),
    CueFigure("limits", lambda cue: dict(cue.budget.limits),
        "the ceiling of each limit by itself, in characters"),
    CueFigure("excess", lambda cue: cue.excess,
        "characters over the budget; of a line that takes too long to say, the share of its "
        "characters that is too much"),
    CueFigure("cps", lambda cue: cue.cps,
        "characters / seconds on screen, as the guideline counts for reading speed; totals: over "
        "translated cues with a duration"),
    CueFigure("cpl", lambda cue: cue.line_characters, "characters of each line"),
    CueFigure("length_ratio", lambda cue: cue.length_ratio,
        "characters of translation / source, lines joined by spaces; totals: mean and population "
        "standard deviation over translated cues"),
    CueFigure("natural", lambda cue: cue.outcome.natural,
        "the translation that was found first, with nothing to limit its length; of fit, "
        "what stood there", width=TEXT),
    CueFigure("risk", lambda cue: cue.risk,
        "how likely a person must change the translation, from 0 to 1, by what the model and its "
        "alignment with the source tell of it, as held against cues that someone rated; null "
        "where nothing was translated, a memory translated or the model tells no probabilities"),
    CueFigure("risky", lambda cue: cue.risky,
        f"whether the risk is {RISKY} or more: seven in ten such cues have to be changed. totals: "
        "how many cues"),
    CueFigure("losses", lambda cue: cue.outcome.losses,
        "what the translation of the cue's sentence loses of what it would say without limits, as "
        "far as that can be told: negation, name, number, verb, words, part, end, likelihood, "
        "length; docs/report.md says what each is", width=WORDS),
    CueFigure("withheld", lambda cue: cue.outcome.withheld,
        "what a translation within the budget would lose: the cue was let go over its budget "
        "instead (--strict-budget keeps to it). totals: how many cues", width=WORDS),
    CueFigure("omitted", lambda cue: cue.outcome.omitted,
        "of fit: words of what stood there that were left out, since they can be spared, and with "
        "them it did not fit", width=WORDS),
    CueFigure("joined", lambda cue: cue.joined,
        "numbers of the cues over which the sentence runs, translated as one"),
    CueFigure("alternatives", lambda cue: cue.outcome.alternatives,
        "other translations that fit, longer ones first, then better ones: text; its characters; "
        "share (of the budget, or of the natural length where that is shorter); score; target and "
        "payload, broken into lines, without and with markup. Of a sentence over several cues "
        "each cue has its part; the first ones belong together, and so on", width=TEXT),
    CueFigure("unplaced", lambda cue: cue.outcome.unplaced,
        "inner markup of the source that found no place in the translation"),
    CueFigure("terms", lambda cue: cue.terms,
        "what the glossary has for the source: source, as it stands there; targets, what may "
        "stand for it; placed: whether the translation of the sentence has one of them; reason "
        "why not. totals: found in the sources, placed in the translations"),
    CueFigure("lost", lambda cue: cue.lost,
        "what is the same in all languages, or nearly so, and is in the source but not in the "
        "translation of the sentence: addresses, names with capitals or digits inside, numbers, "
        "amounts, measures and times of day in digits. totals: how many"),
    CueFigure("memory", lambda cue: cue.outcome.memory,
        "with --memory, what translation memories have for the cue's sentence (of several the "
        "least similar): match_class, as CAT tools count matches; similarity, 1 - edits / words "
        "of the longer source; used: exact (taken word for word), guided (the translation was "
        "rewarded for following it) or empty; source, target and origin of the best match. "
        "totals: how many cues of each class, and how many were taken word for word (exact)",
        width=TEXT),
    CueFigure("note", lambda cue: cue.outcome.note, width=WORDS),
    CueFigure("speaking", lambda cue: cue.outcome.speaking,
        "of dubbing scripts: speaker; notes; slot (seconds from start to end); source_estimated "
        "and estimated (seconds that source and translation take to say at the usual rate of "
        "their language); measured (seconds that a synthetic voice took, with --voice); "
        "speed_factor (measured, or else estimated, / slot); sync: over or under what "
        "--speed-factor allows, else ok; kept: whether the translation stood there already. "
        "totals: lines with a slot; how many are ok, over and under; speed_factor: mean and "
        "deviation; worst: the highest; kept: how many of all lines"),
)
# fmt: on
"""The figures in the order of the columns."""


def cue_values(cue: CueVerdict) -> dict[str, Any]:
    """Return the figures of a cue by name, as JSON values."""
    return {figure.name: plain_data(figure.value(cue)) for figure in CUE_FIGURES}
