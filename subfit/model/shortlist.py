"""Which target pieces the output projection may be limited to, given the source.

Most of a vocabulary has no place in the translation of a sentence, and scoring every piece of it is
most of a decoder's work (Jean et al. 2015, §4; Senellart et al. 2018, §3.2). A shortlist has what
the lexical table knows as translations of the source's pieces, these pieces themselves, for names,
the language's frequent pieces, and all that any text may be spelt with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from subfit.model.checkpoint import Checkpoint
from subfit.model.lexicon import LexicalTable, find_table


@dataclass(frozen=True, slots=True)
class ShortlistSettings:
    """How long shortlists are."""

    frequent: int = 2000
    """Of the pieces that are most frequent in the target language, so many always belong."""
    translations: int = 30
    """Of each source piece so many translations belong, as far as the table has them."""


DEFAULT_SHORTLIST = ShortlistSettings()


class Shortlist:
    """Finds the shortlists of one target language.

    Args:
        table: Its lexical table.
        piece_texts: What each target piece prints.
        shared: Whether source and target have one vocabulary, so that pieces can be copied.
        settings: How long the lists are.
    """

    def __init__(
        self,
        table: LexicalTable,
        piece_texts: Sequence[str],
        *,
        shared: bool = True,
        settings: ShortlistSettings = DEFAULT_SHORTLIST,
    ) -> None:
        self._always = spelling_pieces(piece_texts)
        frequent = table.counts.argsort(descending=True, stable=True)[: settings.frequent]
        self._always[frequent[table.counts[frequent] > 0]] = True
        columns = [_translations(table, settings.translations, int(self._always.nonzero()[0]))]
        if shared:
            columns += [torch.arange(len(piece_texts)).unsqueeze(1), _twins(piece_texts)]
        self._beside = torch.cat(columns, dim=1)  # (source_size, translations and copies)

    def pieces(self, source: Tensor) -> Tensor:
        """Return the target pieces that translations of a sentence, or of a batch, may consist of.

        Args:
            source: Source pieces in any shape; special tokens and padding may be among them.

        Returns:
            (n,) int64, ascending, each once.
        """
        found = source.flatten().unique()  # type: ignore[no-untyped-call]
        found = found[found < len(self._beside)]  # a model may have tokens beyond its vocabulary's
        listed = self._always.clone()
        listed[self._beside[found]] = True
        return listed.nonzero().squeeze(1)


def find_shortlist(
    checkpoint: Checkpoint, language: str | None, settings: ShortlistSettings = DEFAULT_SHORTLIST
) -> Shortlist | None:
    """Return what finds shortlists for a model, None where it has no table for the language.

    Args:
        checkpoint: The model.
        language: Tag of the target language; None will do for a model of one.
        settings: How long the lists are.

    Raises:
        ModelError: The model's tables are damaged.
    """
    table, tokenizer = find_table(checkpoint, language), checkpoint.tokenizer
    if table is None:
        return None
    return Shortlist(table, tokenizer.piece_texts, shared=tokenizer.shared, settings=settings)


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


def _translations(table: LexicalTable, most: int, filler: int) -> Tensor:
    """The best translations of every source piece, (source_size, most), filled up."""
    lengths = table.offsets.diff()
    rows = torch.arange(len(lengths)).repeat_interleave(lengths)
    rank = torch.arange(len(rows)) - table.offsets[rows]
    best = rank < most
    filled = torch.full((len(lengths), most), filler)
    filled[rows[best], rank[best]] = table.targets[best]
    return filled


def _twins(piece_texts: Sequence[str]) -> Tensor:
    """For every piece the one that differs in its leading space only, or itself; (size, 1).

    A name follows a space in the source and an opening mark in the target: ``Anna?``, ``¿Anna?``.
    """
    ids = {text: number for number, text in enumerate(piece_texts)}
    twins = (text[1:] if text.startswith(" ") else " " + text for text in piece_texts)
    return torch.tensor([[ids.get(twin, own)] for own, twin in enumerate(twins)])
