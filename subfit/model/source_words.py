"""The words that training shows in a source language: what else has a capital is a name.

A model spells a name that it has not met piece by piece, and some of it wrong: "Merriweather"
became "Merweather". Which words are names the training text tells: those that no sentence has in
small letters, and that translations have as they are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from subfit.text.known_words import fingerprint

_BITS_LEFT_OUT = 8
"""Of fingerprints: one in a hundred names that are taken for a known word is no harm."""
_SHORTEST = 3
"""Letters of a name, at least."""


@dataclass(frozen=True, slots=True)
class SourceWord:
    """A word that training shows in small letters, or that is translated."""

    word: str
    """Lower-cased."""
    name_within: bool
    """Whether it is a name all the same where it has a capital within a sentence: "Rose"."""


@dataclass(frozen=True)
class SourceWords:
    """The words of one language that are no names, or not always."""

    words: Tensor
    """(n,) int32 fingerprints, the first 24 bits, ascending."""
    names: Tensor
    """(n,) uint8, 1 for words that are names where they have a capital within a sentence."""

    @classmethod
    def of(cls, words: Iterable[SourceWord]) -> SourceWords:
        """List words; what is no name for one of two that are taken for each other is none."""
        found: dict[int, bool] = {}
        for each in words:
            number = _number(each.word)
            found[number] = found.get(number, True) and each.name_within
        numbers = sorted(found)
        return cls(
            torch.tensor(numbers, dtype=torch.int32),
            torch.tensor([found[number] for number in numbers], dtype=torch.uint8),
        )

    @cached_property
    def _ascending(self) -> list[int]:
        return self.words.tolist()

    def is_name(self, word: str, *, opening: bool) -> bool:
        """Whether a word is a name, which translations have as it is.

        Args:
            word: As it stands.
            opening: Whether it opens a sentence, where every word has a capital.
        """
        lower = word.lower()
        if len(word) < _SHORTEST or word == lower:
            return False
        number = _number(lower)
        place = bisect_left(self._ascending, number)
        if place == len(self._ascending) or self._ascending[place] != number:
            return True
        return not opening and bool(self.names[place])


def _number(lower: str) -> int:
    return fingerprint(lower) >> _BITS_LEFT_OUT
