"""One entry of a translation memory, and how like a text it is."""

from __future__ import annotations

from dataclasses import dataclass

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
