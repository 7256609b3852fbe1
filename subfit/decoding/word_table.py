"""What a lexical table of pieces says of whole words."""

from __future__ import annotations

from collections.abc import Sequence

from subfit.model.checkpoint import Checkpoint
from subfit.model.lexicon import LexicalTable
from subfit.model.tokenizer import AnyTokenizer
from subfit.text.alignment import Word

_CHANCE = 2.0
"""A piece tells of a source piece only as far as it is more frequent beside it than this many times
its share of all text."""


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

    def scores(
        self, source: str, source_words: Sequence[Word], target: str, target_words: Sequence[Word]
    ) -> list[list[float]]:
        """Return, per source word, the probability of each target word given it, 0 to 1.

        That of a word of several pieces is the sum of its pieces': they share one word's
        probability.
        """
        spellings = self._spellings(source, source_words)
        ours = [[self._translations_of(pieces) for pieces in one] for one in spellings]
        theirs = self._spellings(target, target_words)
        return [
            [min(1.0, max(_score(a, b) for a in one for b in other)) for other in theirs]
            for one in ours
        ]

    def _spellings(self, text: str, words: Sequence[Word]) -> list[list[list[int]]]:
        """The pieces of each word, as it stands and as it would within a sentence."""
        found = _pieces_of_words(self._tokenizer, text, words)
        return [
            [pieces, self._tokenizer.encode(word.text.lower())]
            if word.text[0].isupper() and not word.text.isupper()
            else [pieces]
            for word, pieces in zip(words, found, strict=True)
        ]

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


def find_word_table(checkpoint: Checkpoint, table: LexicalTable | None) -> WordTable | None:
    """Return what a model knows of whole words.

    Args:
        checkpoint: The model.
        table: Its lexical table for the target language, if it has one.

    Returns:
        None where it has no table, or a vocabulary for each side.
    """
    if table is None or not checkpoint.tokenizer.shared:
        return None
    return WordTable(table, checkpoint.tokenizer)


def _score(known: dict[int, float], target: Sequence[int]) -> float:
    """What the pieces of a target word come to, given the translations of a source word."""
    return sum(known.get(piece, 0.0) for piece in target)


def _pieces_of_words(tokenizer: AnyTokenizer, text: str, words: Sequence[Word]) -> list[list[int]]:
    """Return the pieces that each word of a text has characters in, punctuation left out."""
    if text.isupper():
        text = text.lower()
    texts, pieces = tokenizer.piece_texts, tokenizer.encode(text)
    printed = "".join(texts[piece] for piece in pieces)
    shift = len(printed) - len(printed.lstrip(" "))
    if len(printed) - shift != len(text):  # normalised to other characters
        return [tokenizer.encode(word.text) for word in words]
    found: list[list[int]] = [[] for _ in words]
    at, word = -shift, 0
    for piece in pieces:
        end = at + len(texts[piece])
        while word < len(words) and words[word].end <= at:
            word += 1
        if any(map(str.isalnum, texts[piece])):
            for index in range(word, len(words)):
                if words[index].start >= end:
                    break
                found[index].append(piece)
        at = end
    return found
