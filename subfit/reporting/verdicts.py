"""The verdict on one cue: what became of it, and its figures beside its limits. Plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from subfit.fitting.outcomes import CueOutcome, TermUse
from subfit.fitting.risk import RISKY
from subfit.limits.budget import LengthBudget, excess
from subfit.limits.guideline import Guideline
from subfit.reporting.lengths import joined_lines, length_ratio_of, measure_text
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
