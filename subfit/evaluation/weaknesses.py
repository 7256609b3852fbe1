"""Where translations of a test set are worst."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from subfit.evaluation.corpus import Pair
from subfit.evaluation.metrics import sentence_chrf, translation_quality
from subfit.reporting.lengths import Spread, joined_lines, length_ratios
from subfit.text.counting import EVERYTHING, count_characters

SHOWN = 5
"""Lines that are shown of each kind."""
_BOUNDS = (0, 20, 40, 80, math.inf)
"""Source characters: from more than one bound to the next."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """The lines with sources of similar length."""

    label: str
    """Their source characters."""
    lines: int
    chrf: float
    """Over all lines of the bucket, from 0 to 100."""
    reference_ratio: Spread
    """LR_ref: characters of translation / reference."""


@dataclass(frozen=True, slots=True)
class MeasuredLine:
    """A line of a test set, with the figure it is shown for."""

    source: str
    reference: str
    output: str
    value: float


def by_source_length(pairs: Sequence[Pair], outputs: Sequence[str]) -> list[Bucket]:
    """Measure short, middling and long lines apart; buckets without lines are left out."""
    lines = list(zip(pairs, outputs, strict=True))
    buckets = []
    for low, high in pairwise(_BOUNDS):
        inside = [line for line in lines if low < max(1, _characters(line[0].source)) <= high]
        if inside:
            label = f"over {low}" if math.isinf(high) else f"{low + 1} to {high:g}"
            buckets.append(_bucket(label, inside))
    return buckets


def least_like_references(
    pairs: Sequence[Pair], outputs: Sequence[str], count: int = SHOWN
) -> list[MeasuredLine]:
    """Return the lines with the lowest chrF of the sentence, worst first."""
    scores = sentence_chrf(outputs, [pair.target for pair in pairs])
    return _lowest(pairs, outputs, scores, count, key=lambda score: score)


def most_like_references(
    pairs: Sequence[Pair], outputs: Sequence[str], count: int = SHOWN
) -> list[MeasuredLine]:
    """Return the lines with the highest chrF of the sentence, best first."""
    scores = sentence_chrf(outputs, [pair.target for pair in pairs])
    return _lowest(pairs, outputs, scores, count, key=lambda score: -score)


def worst_lengths(pairs: Sequence[Pair], outputs: Sequence[str]) -> list[MeasuredLine]:
    """Return the lines whose length is furthest from the reference's, by the ratio, worst first."""
    ratios = [
        _characters(output) / max(1, _characters(pair.target))
        for pair, output in zip(pairs, outputs, strict=True)
    ]
    # Half as long is as wrong as twice as long; nothing at all is worst.
    return _lowest(
        pairs, outputs, ratios, SHOWN, key=lambda ratio: min(ratio, 1 / ratio) if ratio else 0
    )


def _bucket(label: str, lines: Sequence[tuple[Pair, str]]) -> Bucket:
    references, outputs = [pair.target for pair, _ in lines], [output for _, output in lines]
    quality = translation_quality(outputs, references)
    ratios = length_ratios(references, outputs)
    return Bucket(label, len(lines), quality.chrf.value, ratios)


def _lowest(
    pairs: Sequence[Pair],
    outputs: Sequence[str],
    values: Sequence[float],
    count: int,
    *,
    key: Callable[[float], float],
) -> list[MeasuredLine]:
    order = sorted(range(len(values)), key=lambda number: key(values[number]))[:count]
    return [
        MeasuredLine(pairs[number].source, pairs[number].target, outputs[number], values[number])
        for number in order
    ]


def _characters(text: str) -> float:
    return count_characters(joined_lines(text), EVERYTHING)
