"""Short translations shown more often: what a budget asks for is rare in ordinary pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from subfit.evaluation.corpus import Pair
from subfit.training.recipe.data import Data

SHORTEST_SOURCE = 20
"""Sources of fewer characters say little of how a sentence is put shortly: "Yes." is "Ja."."""


def are_short(pairs: Sequence[Pair], ratio: float) -> list[bool]:
    """Return of each pair whether its translation is short.

    Args:
        pairs: Pairs of any languages.
        ratio: A translation is short when its target/source characters are below this share of
            their mean in its language, and its source has `SHORTEST_SOURCE` characters or more.
    """
    ratios = [len(pair.target) / max(1, len(pair.source)) for pair in pairs]
    by_language: defaultdict[str, list[float]] = defaultdict(list)
    for pair, each in zip(pairs, ratios, strict=True):
        by_language[pair.language].append(each)
    bounds = {language: ratio * fmean(each) for language, each in by_language.items()}
    return [
        each < bounds[pair.language] and len(pair.source) >= SHORTEST_SOURCE
        for pair, each in zip(pairs, ratios, strict=True)
    ]


def length_weights(pairs: Sequence[Pair], settings: Data) -> list[float]:
    """Return how often each pair is shown for its length, as ``data.short_weight`` says."""
    weight = settings.short_weight
    if weight == 1:
        return [1.0] * len(pairs)
    return [weight if short else 1.0 for short in are_short(pairs, settings.short_ratio)]


def describe_short(pairs: Sequence[Pair], settings: Data) -> str:
    """Return one line on how many translations are shown more often for being short."""
    count = sum(are_short(pairs, settings.short_ratio))
    return f"{count} short translations shown {settings.short_weight:g} times as often"
