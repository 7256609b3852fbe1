"""What training is told of pairs besides their texts: forms of address, and fertilities."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from subfit.evaluation.adequacy import learn_alignment
from subfit.evaluation.corpus import Pair
from subfit.model.attention import MOST
from subfit.text.formality import Formality, formality_of
from subfit.training.dataset import Example

CHUNK = 20_000
"""Pairs that a process labels at once."""
SEED = 26
"""Draws the pairs that the aligner learns from."""
_CODES: tuple[Formality | None, ...] = (None, "formal", "informal")
_shared: list[tuple[Sequence[Pair], str]] = []
"""What the processes read; they have it from the one that starts them."""


def formality_labels(
    pairs: Sequence[Pair], language: str = "", processes: int = 0
) -> list[Formality | None]:
    """Label the targets of pairs by how they address somebody (`subfit.text.formality`).

    Args:
        pairs: In any languages.
        language: Of the targets that name none.
        processes: How many may work at once; 0 or 1 for this one alone.

    Returns:
        Per pair its label.
    """
    starts = range(0, len(pairs), CHUNK)
    _shared.append((pairs, language))
    try:
        if processes < 2 or len(starts) < 2:
            return [_CODES[code] for start in starts for code in _codes(start)]
        with ProcessPoolExecutor(processes, get_context("fork")) as pool, warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # they only read the pairs
            return [_CODES[code] for codes in pool.map(_codes, starts) for code in codes]
    finally:
        _shared.pop()


def _codes(start: int) -> bytes:
    pairs, language = _shared[-1]
    return bytes(
        _CODES.index(formality_of(pair.target, pair.language or language, pair.source))
        for pair in pairs[start : start + CHUNK]
    )


def aligned_fertilities(examples: Sequence[Example], most: int) -> list[tuple[int, ...]]:
    """Count, for each pair and each source piece, the target pieces that are aligned with it.

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
