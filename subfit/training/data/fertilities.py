"""How many target pieces stand for each source piece, by word alignment of the training pairs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from subfit.evaluation.word_alignment import learn_alignment
from subfit.model.attention import MOST
from subfit.training.data.example import Example

SEED = 26
"""Draws the pairs that the aligner learns from."""

Fertilities = tuple[int, ...]
"""The fertility of each piece of a source."""


def aligned_fertilities(examples: Sequence[Example], most: int) -> list[Fertilities]:
    """Count the target pieces that are aligned with each source piece.

    Args:
        examples: The training pairs, in pieces.
        most: Pairs, drawn at random, that the aligner learns from.

    Raises:
        UsageError: systran-align is not installed.
    """
    texts = [(_words(example.source), _words(example.target)) for example in examples]
    drawn = random.Random(SEED).sample(range(len(texts)), min(most, len(texts)))
    aligner = learn_alignment((texts[index] for index in drawn), "attention.fertility")
    fertilities = []
    for source, target in texts:
        counts = Counter(index for index, _ in aligner.links(source, target))
        fertilities.append(tuple(counts[index] for index in range(len(source))))
    return fertilities


def _words(pieces: Sequence[int]) -> tuple[str, ...]:
    """Pieces as words of an aligner: their numbers."""
    return tuple(map(str, pieces))


def most_aligned(examples: Sequence[Example], pieces: int) -> list[int]:
    """Return, for every source piece, the most target pieces it was ever aligned with."""
    most = [0] * pieces
    for example in examples:
        for piece, fertility in zip(example.source, example.fertilities or (), strict=False):
            most[piece] = max(most[piece], fertility)
    return most


def fertility_counts(examples: Sequence[Example]) -> list[int]:
    """Return how often each fertility from 0 to `MOST` occurs; more than that counts as that."""
    counts = Counter(min(one, MOST) for example in examples for one in example.fertilities or ())
    return [counts[fertility] for fertility in range(MOST + 1)]
