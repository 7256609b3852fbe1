"""Taking the time that cues may take, and no more of it than their translations need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.budget import LengthBudget, excess
from subfit.limits.guideline import Guideline

BudgetAt = Callable[[int, int], LengthBudget]
"""The budget of a cue, by its index, if it ended at a time in milliseconds."""


def settle(
    outcomes: Sequence[CueOutcome],
    ends: Sequence[Sequence[int]],
    budget_at: BudgetAt,
    guideline: Guideline,
) -> tuple[CueOutcome, ...]:
    """Give each cue the earliest out-time with which it is over its budget by least.

    Args:
        outcomes: One for each cue, with the budget it has at the latest of its out-times.
        ends: Out-times that each cue may have beside its own, from `subfit.limits.timing_slack`.
        budget_at: Works out budgets.
        guideline: Says what a character is.

    Returns:
        The outcomes with the out-times and the budgets that go with them. Alternatives that do not
        fit in that time are left out, of a sentence over several cues in all of them.
    """
    settled = [
        _settled(outcome, later, partial(budget_at, index), guideline)
        for index, (outcome, later) in enumerate(zip(outcomes, ends, strict=True))
    ]
    return tuple(_with_alternatives(outcome, settled, guideline) for outcome in settled)


def _settled(
    outcome: CueOutcome,
    later: Sequence[int],
    budget_at: Callable[[int], LengthBudget],
    guideline: Guideline,
) -> CueOutcome:
    """The outcome with its out-time."""
    if outcome.budget is None or not later:
        return outcome
    given = best = budget_at(outcome.cue.end)
    end, over = None, excess(outcome.target, given, guideline)
    for time in later:
        if not over:
            break
        budget = budget_at(time)
        less = excess(outcome.target, budget, guideline)
        if less < over:
            end, best, over = time, budget, less
    if end is None:
        return replace(outcome, budget=given)
    return replace(outcome, budget=best, end=end, given_budget=given)


def _with_alternatives(
    outcome: CueOutcome, outcomes: Sequence[CueOutcome], guideline: Guideline
) -> CueOutcome:
    """The outcome with those of its alternatives that still fit."""
    together = [outcomes[index] for index in outcome.joined] or [outcome]
    kept = [
        alternative
        for number, alternative in enumerate(outcome.alternatives)
        if all(_still_fits(one, number, guideline) for one in together)
    ]
    return replace(outcome, alternatives=tuple(kept))


def _still_fits(outcome: CueOutcome, number: int, guideline: Guideline) -> bool:
    if outcome.budget is None or number >= len(outcome.alternatives):
        return True
    return outcome.budget.allows(outcome.alternatives[number].text, guideline)
