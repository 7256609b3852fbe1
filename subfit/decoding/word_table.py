"""What a lexical table of pieces says of whole words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from subfit.model.lexicon import LexicalTable
from subfit.model.tokenizer import AnyTokenizer
from subfit.text.alignment import Word

_CHANCE = 2.0
"""A piece tells of a source piece only as far as it is more frequent beside it than this many times
its share of all text."""
_KEPT = 256
"""Sources whose words' translations are kept: one source is compared with many targets."""


class WordTable:
    """Tells how probable words are as translations, by the pieces that they are made of.

    Args:
        table: The lexical table for the target language.
        tokenizer: That of the table's model, with one vocabulary for both sides.
    """

    def __init__(self, table: LexicalTable, tokenizer: AnyTokenizer) -> None:
        self._table, self._tokenizer = table, tokenizer
        self._shares = (table.counts / table.counts.sum().clamp(min=1)).tolist()
        self._known: dict[int, dict[int, float]] = {}
        self._within = lru_cache(maxsize=8192)(tokenizer.encode)
        """The pieces of a word within a sentence."""
        self._sources: dict[str, tuple[list[dict[int, float]], ...]] = {}

    def scores(
        self, source: str, source_words: Sequence[Word], target: str, target_words: Sequence[Word]
    ) -> list[list[float]]:
        """Return, per source word, the probability of each target word given it, 0 to 1.

        That of a word of several pieces is the sum of its pieces': they share one word's
        probability.
        """
        pieces_of = self._spellings(target, tuple(target_words))
        words_with: dict[int, list[tuple[int, int]]] = {}
        for word, spellings in enumerate(pieces_of):
            for spelling, pieces in enumerate(spellings):
                for piece in pieces:
                    words_with.setdefault(piece, []).append((word, spelling))
        return [
            _probabilities(known, words_with, len(target_words))
            for known in self._translations_of_words(source, tuple(source_words))
        ]

    def _translations_of_words(
        self, source: str, words: tuple[Word, ...]
    ) -> tuple[list[dict[int, float]], ...]:
        """For each word of a source the translations of each of its spellings."""
        translations = self._sources.get(source)
        if translations is None or len(translations) != len(words):
            if len(self._sources) >= _KEPT:
                self._sources.clear()
            spelt = self._spellings(source, words)
            translations = tuple([self._translations_of(pieces) for pieces in one] for one in spelt)
            self._sources[source] = translations
        return translations

    def _spellings(self, text: str, words: Sequence[Word]) -> list[list[list[int]]]:
        """The pieces of each word: as it stands, and as it may be spelt within a sentence."""
        spelt, shouted = _pieces_of_words(self._tokenizer, text, words), text.isupper()
        return [
            [pieces, *(other for other in self._others(word.text, shouted) if other != pieces)]
            for word, pieces in zip(words, spelt, strict=True)
        ]

    def _others(self, word: str, shouted: bool) -> list[list[int]]:
        """Other spellings of a word with a capital; none of an acronym, which is no other word.

        Behind a quotation mark it is cut into other pieces; a German noun has its capital also
        where all of a text is shouted.
        """
        if not word[0].isupper() or (word.isupper() and not shouted):
            return []
        return [self._within(word.capitalize() if shouted else word), self._within(word.lower())]

    def _translations_of(self, pieces: Sequence[int]) -> dict[int, float]:
        """How probable target pieces are as translations of any piece of a word."""
        first, *others = [self._translations(piece) for piece in pieces] or [{}]
        merged = dict(first) if others else first
        for other in others:
            for piece, probability in other.items():
                merged[piece] = max(merged.get(piece, 0.0), probability)
        return merged

    def _translations(self, piece: int) -> dict[int, float]:
        """The translations of a piece, beyond chance."""
        if piece not in self._known:
            self._known[piece] = {
                target: probability - _CHANCE * self._shares[target]
                for target, probability in self._table.translations(piece)
                if probability > _CHANCE * self._shares[target]
            }
        return self._known[piece]


def _probabilities(
    spellings: Sequence[dict[int, float]],
    words_with: dict[int, list[tuple[int, int]]],
    words: int,
) -> list[float]:
    """How probable each target word is, of the likeliest spellings of both words.

    Args:
        spellings: The translations of each spelling of the source word.
        words_with: For each target piece the words that have it, and in which spelling.
        words: How many target words there are.
    """
    best = [0.0] * words
    for known in spellings:
        sums: dict[tuple[int, int], float] = {}
        for piece in words_with.keys() & known.keys():
            for place in words_with[piece]:
                sums[place] = sums.get(place, 0.0) + known[piece]
        for (word, _), value in sums.items():
            best[word] = max(best[word], min(1.0, value))
    return best


def _pieces_of_words(tokenizer: AnyTokenizer, text: str, words: Sequence[Word]) -> list[list[int]]:
    """Return the pieces that each word of a text has characters in, punctuation left out."""
    if text.isupper():
        text = text.lower()
    texts, pieces = tokenizer.piece_texts, tokenizer.encode(text)
    printed = "".join(texts[piece] for piece in pieces)
    shift = len(printed) - len(printed.lstrip(" "))
    if len(printed) - shift != len(text):  # normalised to other characters
        return [tokenizer.encode(word.text) for word in words]
    pieces_of: list[list[int]] = [[] for _ in words]
    at, word = -shift, 0
    for piece in pieces:
        end = at + len(texts[piece])
        while word < len(words) and words[word].end <= at:
            word += 1
        if any(map(str.isalnum, texts[piece])):
            for index in range(word, len(words)):
                if words[index].start >= end:
                    break
                pieces_of[index].append(piece)
        at = end
    return pieces_of
