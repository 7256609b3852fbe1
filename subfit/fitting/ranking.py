"""Which of the translations of a sentence is tried first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from subfit.condensing import Condensation
from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.policy import DEFAULT_POLICY, Policy

_CLOSING = re.compile(r"[.!?…:]\W*$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hypothesis and the length that was asked for when it was found."""

    hypothesis: Hypothesis
    asked: int
    missed: int = 0
    """How many of the source's terms and placeables it lacks, but for numbers in words."""
    condensation: Condensation | None = None
    """What of the source was translated, if not all of it."""
    numbers: int = 0
    """How many numbers in words it lacks."""


def ranked(
    candidates: Sequence[Candidate],
    source: str,
    reaches: Callable[[Hypothesis], bool],
    policy: Policy = DEFAULT_POLICY,
) -> list[Candidate]:
    """Return the candidates with words, each text once, in the order they are to be tried in.

    Those with all terms and placeables go before those that lack some, those that are as long as
    is wished before those that are not, and those that close as the source does before those that
    just stop; then the score counts.

    Args:
        candidates: What the searches found.
        source: The text they translate.
        reaches: Tells whether a hypothesis is as long as is wished.
        policy: Says what a likely end, and saying all of the source, is worth.
    """
    return sorted(
        _unique(with_words(candidates, source), policy),
        key=lambda each: (*standing(each, source, reaches), -value_of(each, policy)),
    )


def standing(
    candidate: Candidate, source: str, reaches: Callable[[Hypothesis], bool]
) -> tuple[int, bool, bool]:
    """Return what counts before the score: candidates with less go first.

    Args:
        candidate: What a search found.
        source: The text it translates.
        reaches: Tells whether a hypothesis is as long as is wished.
    """
    hypothesis = candidate.hypothesis
    return candidate.missed, not reaches(hypothesis), not _closes_like(hypothesis.text, source)


def with_words(candidates: Sequence[Candidate], source: str) -> list[Candidate]:
    """Return the candidates that have words, if their source has any."""
    wordless = not any(map(str.isalnum, source))
    return [
        each
        for each in candidates
        if each.hypothesis.text.strip()
        and (wordless or any(map(str.isalnum, each.hypothesis.text)))
    ]


def _unique(candidates: Sequence[Candidate], policy: Policy) -> list[Candidate]:
    """Each text once, where it lacks least, and then where it is worth most."""
    best: dict[str, Candidate] = {}
    for each in sorted(candidates, key=lambda each: (each.missed, -value_of(each, policy))):
        best.setdefault(each.hypothesis.text, each)
    return list(best.values())


def _closes_like(text: str, source: str) -> bool:
    """Whether a translation ends in a closing mark, if its source does."""
    return bool(_CLOSING.search(text)) or not _CLOSING.search(source)


def value_of(candidate: Candidate, policy: Policy) -> float:
    """Return what a candidate is worth: its translation, less what it or its source left out."""
    lacking = policy.number_weight * candidate.numbers
    return worth(candidate.hypothesis, policy) - lacking - omission_of(candidate, policy)


def natural_value_of(candidate: Candidate, policy: Policy) -> float:
    """Return what a candidate of the natural length is worth: its score, less what is wrong."""
    return sound_score(candidate.hypothesis, policy) - policy.number_weight * candidate.numbers


def omission_of(candidate: Candidate, policy: Policy) -> float:
    """Return what it takes off a candidate's worth that its source left something out."""
    if candidate.condensation is None:
        return 0.0
    return policy.omission + policy.omission_weight * candidate.condensation.cost


def worth(hypothesis: Hypothesis, policy: Policy) -> float:
    """Return the score of a translation, with what the policy adds to it, in nats per token."""
    closing = policy.closing_weight * hypothesis.closing
    coverage = policy.coverage_weight * hypothesis.coverage
    return sound_score(hypothesis, policy) + closing + coverage


def sound_score(hypothesis: Hypothesis, policy: Policy) -> float:
    """Return the score of a translation, less what its unfamiliar words take off it."""
    return hypothesis.score - policy.unfamiliar_weight * len(hypothesis.unfamiliar)
