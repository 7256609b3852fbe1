"""What a model knows of words: those of its language, and which translate each other."""

from __future__ import annotations

from functools import cached_property

import torch

from subfit.decoding.language_pieces import language_pieces
from subfit.decoding.word_table import WordTable, find_word_table
from subfit.model.checkpoint import Checkpoint
from subfit.model.lexicon import find_table


class ModelWords:
    """What comes with a model of the words of one pair of languages, made when it is asked for.

    Args:
        checkpoint: The model.
        told_language: Tag of the one of a pair that the model is told, for which its tables are
            named; None where it has but one pair.
    """

    def __init__(self, checkpoint: Checkpoint, told_language: str | None) -> None:
        self._checkpoint = checkpoint
        self.table = find_table(checkpoint, told_language)
        """The lexical table, of pieces; None for most models."""

    @cached_property
    def scores(self) -> WordTable | None:
        """How probable words are as translations of each other, where there is a lexical table."""
        return find_word_table(self._checkpoint, self.table)

    @property
    def pieces(self) -> torch.Tensor | None:
        """The pieces that occur in the language, as far as the lexical table knows; else None."""
        if self.table is None:
            return None
        texts = self._checkpoint.tokenizer.piece_texts
        return language_pieces(self.table, texts).to(self._checkpoint.model.device)
