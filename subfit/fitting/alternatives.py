"""Other translations of a sentence, at several lengths, for someone to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.choice import by_rank
from subfit.fitting.cue_lines import place
from subfit.fitting.outcomes import Alternative
from subfit.fitting.requests import SHARES
from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings
from subfit.fitting.state import Candidate, Fitted
from subfit.fitting.task import Lines
from subfit.limits.guideline import Guideline
from subfit.text.counting import count_characters


def alternatives_of(
    fitted: Fitted,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    most: int,
    settings: FittingSettings = DEFAULT_SETTINGS,
) -> tuple[tuple[Alternative, ...], ...]:
    """Return the best other translations that fit, as evenly from every length as there are.

    Args:
        fitted: The sentence with the translation it was given.
        candidates: All that was found for it; translations of condensations are no alternatives,
            as nothing would tell what they leave out.
        guideline: Says what a character is and names the target language.
        most: How many to return.
        settings: Say which are better.

    Returns:
        For each part of the sentence as many alternatives; all first ones are the parts of one
        translation, and so on. Longer ones come before shorter ones, better ones of about the same
        length before worse ones.
    """
    task = fitted.task
    base = min(task.ceiling, fitted.natural.hypothesis.characters)
    by_share: dict[float, list[tuple[Candidate, tuple[Lines, ...]]]] = {one: [] for one in SHARES}
    complete = [one for one in candidates if one.condensation is None]
    for candidate in chain.from_iterable(by_rank(complete, task, settings)):
        hypothesis = candidate.hypothesis
        same_length = by_share[_share(hypothesis.characters, base)]
        other = hypothesis.text != fitted.candidate.hypothesis.text
        if other and len(same_length) < most:
            placed = place(hypothesis.text, task, guideline)
            if placed is not None:
                same_length.append((candidate, placed.lines))
    kept = _evenly({share: len(own) for share, own in by_share.items()}, most)
    return tuple(
        tuple(
            _alternative(candidate.hypothesis, lines[part], share, guideline)
            for share, own in by_share.items()
            for candidate, lines in own[: kept[share]]
        )
        for part in range(len(task.budgets))
    )


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
