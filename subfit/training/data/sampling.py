"""Which examples an epoch shows: corpora and lengths by weight, few targets per source, languages
by T or by shares."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from subfit.evaluation.corpus import Pair
from subfit.training.data.example import Example
from subfit.training.recipe.data import Data


def draw(examples: Sequence[Example], settings: Data, chooser: random.Random) -> list[int]:
    """Draw the examples of an epoch.

    A corpus of weight 0.3 gives a random 30 % of its examples, one of weight 2 gives all twice.

    Args:
        examples: All there are.
        settings: Weights of corpora and languages, targets per source, temperature over languages
            or their shares.
        chooser: Determines everything.

    Returns:
        Indices of examples, ascending.
    """
    shown: Sequence[int] = range(len(examples))
    if settings.targets_per_source:
        shown = _few_targets(examples, settings.targets_per_source, chooser)
    languages = [examples[index].language for index in shown]
    weights = [
        examples[index].weight
        * settings.weights.get(examples[index].corpus, 1.0)
        * settings.language_weights.get(language, 1.0)
        for index, language in zip(shown, languages, strict=True)
    ]
    factors = _factors(examples, shown, weights, settings)
    drawn: list[int] = []
    for index, language, weight in zip(shown, languages, weights, strict=True):
        often = weight * factors.get(language, 0.0) if factors else weight
        copies = int(often) + (chooser.random() < often % 1)
        drawn.extend([index] * copies)
    return drawn


def _factors(
    examples: Sequence[Example], shown: Sequence[int], weights: Sequence[float], settings: Data
) -> dict[str, float]:
    """How often each language's examples are shown; empty where nothing is asked of languages."""
    by_tokens = bool(settings.language_shares)
    if not by_tokens and settings.temperature == 1:
        return {}
    sizes: defaultdict[str, float] = defaultdict(float)
    for index, weight in zip(shown, weights, strict=True):
        example = examples[index]
        sizes[example.language] += weight * (len(example.target) + 1 if by_tokens else 1)
    if by_tokens:
        return share_factors(sizes, settings.language_shares)
    return language_factors(sizes, settings.temperature)


def share_factors(sizes: Mapping[str, float], shares: Mapping[str, float]) -> dict[str, float]:
    """Return how often each language's examples are shown to have its share of an epoch.

    Args:
        sizes: Target tokens per language, the end of each text counted.
        shares: What each language is to have of them, in proportion to one another.

    Returns:
        By language, a factor that leaves the sum of target tokens as it is.
    """
    present = {name: size for name, size in sizes.items() if size > 0}
    scale = sum(present.values()) / max(sum(shares[name] for name in present), 1e-9)
    return {name: scale * shares[name] / size for name, size in present.items()}


def language_factors(sizes: Mapping[str, float], temperature: float) -> dict[str, float]:
    """Return how often each language's examples are shown, so that an epoch stays as long.

    Language l of n_l examples gets the share p_l of all, p_l ∝ n_l^(1/T) (Arivazhagan et al.
    2019, §4.2).

    Args:
        sizes: n_l, examples per language.
        temperature: T; 1 leaves the shares as they are, the larger the more alike they get.
    """
    flattened = {name: size ** (1 / temperature) for name, size in sizes.items() if size > 0}
    scale = sum(sizes.values()) / max(sum(flattened.values()), 1e-9)
    return {name: scale * size / sizes[name] for name, size in flattened.items()}


def _few_targets(examples: Sequence[Example], most: int, chooser: random.Random) -> list[int]:
    """Draw at most so many examples of every source, of different lengths where there are such."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for index, example in enumerate(examples):
        groups[example.group].append(index)
    drawn: list[int] = []
    for members in groups.values():
        if len(members) > most:
            members = chooser.sample(members, len(members))
            first_of_length: dict[int, int] = {}
            for index in members:
                first_of_length.setdefault(examples[index].target_characters, index)
            # Those of lengths not drawn yet come first; sorting keeps the drawn order otherwise.
            members.sort(
                key=lambda index: first_of_length[examples[index].target_characters] != index
            )
        drawn += members[:most]
    return sorted(drawn)


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
    for pair, own_ratio in zip(pairs, ratios, strict=True):
        by_language[pair.language].append(own_ratio)
    bounds = {language: ratio * fmean(ratios) for language, ratios in by_language.items()}
    return [
        own_ratio < bounds[pair.language] and len(pair.source) >= SHORTEST_SOURCE
        for pair, own_ratio in zip(pairs, ratios, strict=True)
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
