"""Bilingual dictionaries of rare words: what may translate a word that training hardly shows.

They have source words as fingerprints (`subfit.text.known_words`), their translations as pieces of
the model's vocabulary: no text. `subfit.training.data.word_translations` learns them, and
`subfit.model.dictionary_file` keeps them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import regex
import torch
from torch import Tensor

from subfit.model.source_words import SourceWords
from subfit.model.tokenizer import AnyTokenizer
from subfit.text.known_words import fingerprint

_WORD = regex.compile(r"[\p{L}\p{M}]+(?:[-‐‑][\p{L}\p{M}]+)*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A source word and what may translate it."""

    word: str
    """Lower-cased; or two words with a space between."""
    translations: tuple[str, ...]
    """As they are written within a sentence, the most probable first."""
    capital: bool
    """Whether the source word is written with a capital within a sentence."""


def words_of(text: str) -> Iterator[regex.Match[str]]:
    """Yield the words of a text as dictionaries have them: letters, and hyphens between them."""
    yield from _WORD.finditer(text)


@dataclass(frozen=True)
class Dictionary:
    """The translations of the rare words of one language, in pieces."""

    words: Tensor
    """(n,) int32 fingerprints of the source words, ascending."""
    capitals: Tensor
    """(n,) uint8, 1 for words that have a capital within a sentence."""
    translations: Tensor
    """(n,) uint8, how many translations each word has; they follow each other."""
    lengths: Tensor
    """(m,) uint8, the pieces of each translation."""
    pieces: Tensor
    """(p,) the pieces of all translations, within a sentence, as token ids."""
    source_words: SourceWords | None = None
    """By which names are told; None for a language that writes all nouns with a capital."""

    @classmethod
    def of(
        cls,
        entries: Iterable[Entry],
        tokenizer: AnyTokenizer,
        source_words: SourceWords | None = None,
    ) -> Dictionary:
        """Spell entries with the pieces of a vocabulary.

        Args:
            entries: Of different words.
            tokenizer: The model's.
            source_words: By which names are told.
        """
        by_print = {fingerprint(entry.word): entry for entry in entries}
        ordered = [by_print[number] for number in sorted(by_print)]
        spelt = tokenizer.target.encode_all([text for own in ordered for text in own.translations])
        small = len(tokenizer.target) <= torch.iinfo(torch.int16).max
        return cls(
            torch.tensor(sorted(by_print), dtype=torch.int32),
            torch.tensor([own.capital for own in ordered], dtype=torch.uint8),
            torch.tensor([len(own.translations) for own in ordered], dtype=torch.uint8),
            torch.tensor([len(pieces) for pieces in spelt], dtype=torch.uint8),
            torch.tensor(
                [piece for pieces in spelt for piece in pieces],
                dtype=torch.int16 if small else torch.int32,
            ),
            source_words,
        )

    @cached_property
    def _index(self) -> tuple[list[int], list[int], list[int]]:
        """The fingerprints, the first translation of each, and the first piece of each of these."""
        return (
            self.words.tolist(),
            [0, *self.translations.long().cumsum(0).tolist()],
            [0, *self.lengths.long().cumsum(0).tolist()],
        )

    def look_up(self, word: str, *, opening: bool) -> list[tuple[int, ...]]:
        """Return the translations of a word, in pieces, the most probable first.

        Args:
            word: As it stands in the source, or two with a space between. One that has a capital
                there, though nothing calls for it, is a name and not in the dictionary.
            opening: Whether it opens a sentence, where every word has a capital.
        """
        words, first_translations, first_pieces = self._index
        number = fingerprint(word.lower())
        place = bisect_left(words, number)
        if place == len(words) or words[place] != number:
            return []
        if word != word.lower() and not opening and not self.capitals[place]:
            return []
        own = range(first_translations[place], first_translations[place + 1] + 1)
        bounds = pairwise(first_pieces[each] for each in own)
        return [tuple(self.pieces[start:end].tolist()) for start, end in bounds]
