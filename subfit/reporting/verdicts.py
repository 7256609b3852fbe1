"""The verdict on one cue: its figures beside its limits. Plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from subfit.fitting.outcomes import Alternative, CueOutcome, Status, TermUse
from subfit.limits.budget import LengthBudget, Limit, excess
from subfit.limits.guideline import Guideline, count_characters
from subfit.reporting.lengths import one_line
from subfit.speech.speaking import Speaking


@dataclass(frozen=True, slots=True)
class CueVerdict:
    """One cue of a report; `subfit.reporting.definitions.DEFINITIONS` explains the figures."""

    number: int
    """1 for the first cue."""
    line: int
    """Where it stands in the source file."""
    start: int | None
    """Milliseconds; None in plain text."""
    end: int | None
    source_end: int | None
    status: Status
    source: str
    target: str
    source_characters: float
    characters: float
    budget: float | None
    """None if nothing limits it, or it was not translated."""
    binding: Limit | None
    limits: dict[Limit, float]
    excess: float
    cps: float | None
    cpl: tuple[float, ...]
    lines: int
    length_ratio: float | None
    natural: str
    natural_characters: float | None
    natural_excess: float
    asked: int
    score: float | None
    doubtful: bool
    omitted: tuple[str, ...]
    unfamiliar: tuple[str, ...]
    joined: tuple[int, ...]
    alternatives: tuple[Alternative, ...]
    unplaced: tuple[str, ...]
    terms: tuple[TermUse, ...]
    lost: tuple[TermUse, ...]
    note: str
    speaking: Speaking | None = None
    """Of dubbing scripts."""

    @property
    def moved(self) -> int:
        """Milliseconds by which it ends later than the source."""
        return 0 if self.end is None or self.source_end is None else self.end - self.source_end

    @property
    def suspect(self) -> bool:
        """Whether it may lack something that the source says, or have words that are none."""
        return self.doubtful or bool(self.lost or self.unfamiliar)

    @property
    def translated(self) -> bool:
        """Whether there is a translation to judge."""
        return self.status in ("fits", "overflow")

    @property
    def kept(self) -> bool:
        """Whether the translation stood in the script already."""
        return self.speaking is not None and self.speaking.kept

    @property
    def settled(self) -> bool:
        """Whether there is nothing to look at: it stays as it is, and rightly."""
        return self.status == "passed" or (self.kept and self.status == "fits")


@dataclass(frozen=True, slots=True)
class TimesMoved:
    """How many out-times are other ones than the source's, and by how much, in milliseconds."""

    moved: int = 0
    milliseconds: int = 0
    longest: int = 0

    @classmethod
    def of(cls, cues: Iterable[CueVerdict]) -> TimesMoved:
        """Count those of some cues."""
        moved = [cue.moved for cue in cues if cue.moved]
        return cls(len(moved), sum(moved), max(moved, default=0))


def verdict_on(
    number: int, outcome: CueOutcome, guideline: Guideline, *, timed: bool
) -> CueVerdict:
    """Judge one cue.

    Args:
        number: 1 for the first cue.
        outcome: What became of it.
        guideline: Says what a character is.
        timed: Whether its times mean anything.
    """
    cue, target, counting = outcome.cue, outcome.target, guideline.counting
    budget = outcome.budget or LengthBudget()
    seconds = (outcome.written_end - cue.start) / 1000 if timed else 0.0
    characters = count_characters(target, counting)
    source_characters = count_characters(one_line(outcome.source), counting)
    return CueVerdict(
        number=number,
        line=cue.line,
        start=cue.start if timed else None,
        end=outcome.written_end if timed else None,
        source_end=cue.end if timed else None,
        status=outcome.status,
        source=outcome.source,
        target=target,
        source_characters=source_characters,
        characters=characters,
        budget=None if math.isinf(budget.characters) else budget.characters,
        binding=budget.binding,
        limits=dict(budget.limits),
        excess=excess(target, budget, guideline),
        cps=count_characters(target, guideline.cps_counting) / seconds if seconds > 0 else None,
        cpl=tuple(count_characters(line, counting) for line in target.split("\n") if target),
        lines=len(target.split("\n")) if target else 0,
        length_ratio=(
            count_characters(one_line(target), counting) / source_characters
            if source_characters
            else None
        ),
        natural=outcome.natural,
        natural_characters=count_characters(outcome.natural, counting) or None,
        natural_excess=excess(outcome.natural, outcome.given_budget or budget, guideline),
        asked=outcome.asked,
        score=outcome.score if outcome.natural else None,
        doubtful=outcome.doubtful,
        omitted=outcome.omitted,
        unfamiliar=outcome.unfamiliar,
        joined=tuple(index + 1 for index in outcome.joined),
        alternatives=outcome.alternatives,
        unplaced=outcome.unplaced,
        terms=tuple(each for each in outcome.terms if not each.placeable),
        lost=tuple(each for each in outcome.terms if each.placeable and not each.placed),
        note=outcome.note,
        speaking=outcome.speaking,
    )
