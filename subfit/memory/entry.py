"""One entry of a translation memory, and how like a text it is, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex
from rapidfuzz.distance import Levenshtein

MATCH_CLASSES = (
    (1.0, "100 %"),
    (0.95, "95–99 %"),
    (0.85, "85–94 %"),
    (0.75, "75–84 %"),
    (0.5, "50–74 %"),
)
"""The bands that CAT tools count matches in, by their least similarity."""
NO_MATCH = "no match"
ALL_CLASSES = (*(name for _, name in MATCH_CLASSES), NO_MATCH)
"""All that a text may fall into, the best first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A source and its translation."""

    source: str
    target: str
    origin: str = ""
    """The file it was read from."""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that is like a text."""

    entry: Entry
    similarity: float
    """1 − word edits / words of the longer source (Ferreira and Martins, algorithm 1, line 10);
    1 for the same text."""

    @property
    def match_class(self) -> str:
        """The band of its similarity, as CAT tools name it."""
        return match_class(self.similarity)


def match_class(similarity: float) -> str:
    """Return the band that a similarity falls into; `NO_MATCH` below the lowest.

    A text that differs at all, if only in a mark or a capital, is in the second band at most.
    """
    return next((name for least, name in MATCH_CLASSES if similarity >= least), NO_MATCH)


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
