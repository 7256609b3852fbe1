"""Whole sentences rather than ones that fit: what is taken instead of a translation in doubt.

Some sentences cannot be said in the time they have, and what fits then lacks its end. Whoever would
rather have them whole gets the best translation that is not in doubt, as little over its budget as
its quality allows, and marked as overflow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import Request
from subfit.fitting.cue_lines import place
from subfit.fitting.fit import Fitted, in_doubt, least_bad
from subfit.fitting.policy import DEFAULT_POLICY, Policy
from subfit.fitting.ranking import Candidate
from subfit.fitting.task import Task
from subfit.limits.guideline import Guideline

ROOM = (1.12, 1.25)
"""Multiples of the budget that translations are searched under, between it and no ceiling."""


def roomy_requests(task: Task) -> list[Request]:
    """Ask for a little more than the budget, where most of a sentence may find room.

    Args:
        task: The sentence.

    Returns:
        The requests, none if there is no budget.
    """
    if math.isinf(task.ceiling):
        return []
    lengths = [math.floor(room * task.ceiling) for room in ROOM]
    return [
        Request(task.sentence.spoken, length, length, terms=task.wanted)
        for length in dict.fromkeys(lengths)
        if length > task.ceiling
    ]


def whole_instead(
    task: Task,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    language: str,
    policy: Policy = DEFAULT_POLICY,
) -> Fitted | None:
    """Take the least bad of the candidates that are not in doubt, by the rule of `least_bad`.

    One that fits is better, but not whatever it says: what is still whole within a tight budget has
    often lost its words to others, which some characters over would save.

    Args:
        task: Sentence and budgets.
        candidates: All that was found, scored alike; the first is the natural translation's best,
            which is never in doubt.
        guideline: Says what a character is.
        language: Target language, for line breaking.
        policy: Says which ends are doubtful.

    Returns:
        The sentence with that translation, as overflow if it does not fit; None if no candidate
        says anything.
    """
    natural = candidates[0].hypothesis
    sure = [each for each in candidates if not in_doubt(each.hypothesis, natural, policy)]
    fitted = least_bad(task, sure, guideline, language, policy)
    if fitted is None:
        return None
    placed = place(fitted.hypothesis.text, task, guideline, language)
    return fitted if placed is None else replace(fitted, lines=placed.lines, fits=True)
