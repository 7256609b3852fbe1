"""How like two sources are, in words."""

from __future__ import annotations

from collections.abc import Sequence

import regex
from rapidfuzz.distance import Levenshtein

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.,:-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]")
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "\u00a0": " "})
NEARLY = 0.99
"""The similarity of texts with the same words that differ in case, marks or spaces."""


def plain(text: str) -> str:
    """Return a text as exact matches compare it: straight quotes, single spaces."""
    return " ".join(text.translate(_PLAIN).split())


def words_and_marks(text: str) -> list[str]:
    """Return the words and marks of a text, in lower case."""
    return [str(word) for word in _WORD.findall(plain(text).lower())]


def similarity(one: str, other: str) -> float:
    """Return how like two texts are, from 0 to 1.

    1 − d / max(words), where d is the edit distance in words and marks (Ferreira and Martins,
    algorithm 1, line 10); 1 only for the same text, `NEARLY` where case or spaces differ.
    """
    if plain(one) == plain(other):
        return 1.0
    return similarity_of_words(words_and_marks(one), words_and_marks(other))


def similarity_of_words(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how like two texts are that are not the same, by their `words_and_marks`."""
    return min(NEARLY, float(Levenshtein.normalized_similarity(one, other)))
