"""Which target pieces a language is written with, which the output projection may be limited to."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from subfit.model.lexicon import LexicalTable


def language_pieces(table: LexicalTable, piece_texts: Sequence[str], least: int = 1) -> Tensor:
    """Return all pieces that occur in a language, a restriction that holds for every source.

    Args:
        table: The language's.
        piece_texts: What each target piece prints.
        least: How often a piece must occur in what the table was learned from. Of names that are
            copied from the source, 1 keeps 98 to 99 in a hundred, 3 keeps 96 to 99 (capitalised
            words of the development sets that stand in their references too).

    Returns:
        (n,) int64, ascending; what any text may be spelt with is among them.
    """
    return (spelling_pieces(piece_texts) | (table.counts >= least)).nonzero().squeeze(1)


def spelling_pieces(piece_texts: Sequence[str]) -> Tensor:
    """Return which pieces are special tokens, bytes or single characters; (target_size,) bool.

    Args:
        piece_texts: What each piece prints; bytes print a letter or nothing.
    """
    return torch.tensor([len(text.strip()) <= 1 for text in piece_texts])
