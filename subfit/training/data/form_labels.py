"""The forms of address of many training pairs, found by several processes where there are some."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from subfit.evaluation.corpus import Pair
from subfit.text.formality import Formality, formality_of

CHUNK = 20_000
"""Pairs that a process labels at once."""

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
