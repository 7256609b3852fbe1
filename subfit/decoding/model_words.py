"""What a model knows of words: those of its language, and which translate each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import torch

from subfit.decoding.coverage import Coverage
from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.language_pieces import language_pieces
from subfit.decoding.word_table import WordTable, find_word_table
from subfit.model.checkpoint import Checkpoint
from subfit.model.dictionary import Dictionary
from subfit.model.dictionary_file import find_dictionary
from subfit.model.lexicon import find_table
from subfit.model.word_list import find_known_words
from subfit.text.known_words import KnownWords


class ModelWords:
    """What comes with a model of the words of one pair of languages, made when it is asked for.

    Args:
        checkpoint: The model.
        told_language: Tag of the one of a pair that the model is told, for which its tables are
            named; None where it has but one pair.
        target_language: Tag; None where the model has but one.
    """

    def __init__(
        self, checkpoint: Checkpoint, told_language: str | None, target_language: str | None
    ) -> None:
        self._checkpoint, self._told_language = checkpoint, told_language
        self._language = target_language
        self.table = find_table(checkpoint, told_language)
        """The lexical table, of pieces; None for most models."""

    @cached_property
    def scores(self) -> WordTable | None:
        """How probable words are as translations of each other, where there is a lexical table."""
        return find_word_table(self._checkpoint, self.table)

    @cached_property
    def known(self) -> KnownWords | None:
        """The words that the model has seen in its language; None where it has no list of them."""
        return find_known_words(self._checkpoint, self._language)

    @cached_property
    def dictionary(self) -> Dictionary | None:
        """The translations of rare words; None where the model has none."""
        return find_dictionary(self._checkpoint, self._told_language)

    @property
    def pieces(self) -> torch.Tensor | None:
        """The pieces that occur in the language, as far as the lexical table knows; else None."""
        if self.table is None:
            return None
        texts = self._checkpoint.tokenizer.piece_texts
        return language_pieces(self.table, texts).to(self._checkpoint.model.device)

    @cached_property
    def coverage(self) -> Coverage | None:
        """What measures how much of a source is said; None where the model has no table for it."""
        tokenizer = self._checkpoint.tokenizer
        if self.table is None or not tokenizer.shared:
            return None
        return Coverage(self.table, tokenizer.piece_texts)

    def coverage_of(self, text: str, hypotheses: Sequence[Hypothesis]) -> list[float] | None:
        """See `subfit.decoding.any_translator.AnyTranslator.coverage_of`."""
        if self.coverage is None:
            return None
        source = self._checkpoint.tokenizer.encode(text)
        return self.coverage.score(source, [hypothesis.token_ids for hypothesis in hypotheses])
