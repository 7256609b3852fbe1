"""Other translations of a sentence, at several lengths, for someone to choose from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.cue_lines import Lines, place
from subfit.fitting.fit import Fitted
from subfit.fitting.outcomes import Alternative
from subfit.fitting.policy import DEFAULT_POLICY, Policy
from subfit.fitting.ranking import Candidate, ranked
from subfit.fitting.task import Task
from subfit.limits.guideline import Guideline, count_characters

SHARES = (1.0, 0.85, 0.7)
"""Of the budget, or of the natural length where that is shorter."""


def alternative_requests(
    task: Task, natural: Hypothesis, *, asks: bool = True, known: Sequence[int] = ()
) -> list[Request]:
    """Return what to ask for, to have translations of every length of `SHARES`.

    Args:
        task: The sentence.
        natural: Its translation without a ceiling.
        asks: Whether the model can be asked for a length; otherwise it only gets ceilings.
        known: Lengths that have been asked for already.

    Returns:
        The longest first; none shorter than the sentence's floor.
    """
    text, base = task.sentence.spoken, _base(task, natural)
    requests: dict[int, Request] = {}
    for share in SHARES:
        length = math.floor(share * base)
        ceiling = task.ceiling if share == 1 else float(length)
        new = length not in known if asks else math.isfinite(ceiling)
        if new and length >= max(1.0, task.floor):
            asked = length if asks else FREE
            requests.setdefault(length, Request(text, ceiling, asked, terms=task.wanted))
    return list(requests.values())


def alternatives_of(
    fitted: Fitted,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    most: int,
    policy: Policy = DEFAULT_POLICY,
) -> tuple[tuple[Alternative, ...], ...]:
    """Return the best other translations that fit, as evenly from every length as there are.

    Args:
        fitted: The sentence with the translation it was given.
        candidates: All that was found for it; translations of condensations are no alternatives,
            as nothing would tell what they leave out.
        guideline: Says what a character is and names the target language.
        most: How many to return.
        policy: Says which are better.

    Returns:
        For each part of the sentence as many alternatives; all first ones are the parts of one
        translation, and so on. Longer ones come before shorter ones, better ones of about the same
        length before worse ones.
    """
    task = fitted.task
    base = _base(task, fitted.natural)
    found: dict[float, list[tuple[Candidate, tuple[Lines, ...]]]] = {each: [] for each in SHARES}
    complete = [each for each in candidates if each.condensation is None]
    for candidate in ranked(complete, task.sentence.text, task.reaches, policy):
        same_length = found[_share(candidate.hypothesis.characters, base)]
        if candidate.hypothesis.text != fitted.hypothesis.text and len(same_length) < most:
            placed = place(candidate.hypothesis.text, task, guideline, guideline.language)
            if placed is not None:
                same_length.append((candidate, placed.lines))
    kept = _evenly({share: len(each) for share, each in found.items()}, most)
    return tuple(
        tuple(
            _alternative(candidate.hypothesis, lines[part], share, guideline)
            for share, each in found.items()
            for candidate, lines in each[: kept[share]]
        )
        for part in range(len(task.budgets))
    )


def _base(task: Task, natural: Hypothesis) -> float:
    """The length whose shares are asked for."""
    return min(task.ceiling, natural.characters)


def _share(characters: float, base: float) -> float:
    """The least of the shares that a translation keeps to; 1 for what keeps to none."""
    return min((share for share in SHARES if characters <= share * base), default=1.0)


def _evenly(available: dict[float, int], most: int) -> dict[float, int]:
    """How many to take of each length: one of each, then a second of each, and so on."""
    kept = dict.fromkeys(available, 0)
    while sum(kept.values()) < min(most, sum(available.values())):
        for share in available:
            if kept[share] < available[share] and sum(kept.values()) < most:
                kept[share] += 1
    return kept


def _alternative(
    hypothesis: Hypothesis, lines: Lines, share: float, guideline: Guideline
) -> Alternative:
    text = " ".join(lines)
    characters = count_characters(text, guideline.counting)
    return Alternative(text, characters, share, hypothesis.score, "\n".join(lines))
