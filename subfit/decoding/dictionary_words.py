"""The words of a source as dictionaries may have them: one, or two with a space between."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import NamedTuple

import regex

from subfit.model.dictionary import words_of
from subfit.text.sentence_ends import sentence_places

_OPENING = regex.compile(r"(?:[\"“”„«»¿¡]|(?:^|\s)[-‐‑–—])\s*$")
"""What stands before a word that opens a sentence within one."""


class Place(NamedTuple):
    """Where a word stands in a source."""

    start: int
    """In characters."""
    opening: bool
    """Whether a sentence opens there, where every word has a capital."""
    words: tuple[str, ...]
    """The word with the one behind it, if only a space is between, and alone."""


def places_in(text: str, language: str) -> Iterator[Place]:
    """Yield the places of a source's words.

    Args:
        text: The source.
        language: Tag of its language.
    """
    starts = {start for start, _ in sentence_places(text, language)}
    for match, following in pairwise([*words_of(text), None]):
        if match is None:
            continue
        words: tuple[str, ...] = (match[0],)
        if following is not None and text[match.end() : following.start()] == " ":
            words = (text[match.start() : following.end()], match[0])
        yield Place(match.start(), _opens(text, match.start(), starts), words)


def _opens(text: str, place: int, starts: Collection[int]) -> bool:
    """Whether the word at a place opens a sentence."""
    own = max((start for start in starts if start <= place), default=0)
    before = text[own:place]
    return not any(map(str.isalnum, before)) or _OPENING.search(before) is not None
