"""What pieces of a vocabulary print, which of them a search may choose, and the best of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import cast

import torch
from torch import Tensor

from subfit.model.checkpoint import Checkpoint
from subfit.model.lexicon import LexicalTable
from subfit.text.counting import Counting, count_characters
from subfit.text.word_bounds import goes_on


@dataclass(frozen=True, slots=True)
class PieceTable:
    """What each piece of the vocabulary prints, by the rule budgets are counted in."""

    characters: Tensor
    """(vocab_size,) characters of each piece, its leading space included, float32."""
    lead: Tensor
    """(vocab_size,) what the piece's leading space counts; lost at the start of a sentence."""
    code_points: Tensor
    """(vocab_size,) code points of each piece, the unit of length encodings, int64."""
    leads: Tensor
    """(vocab_size,) whether the piece opens with a space."""
    inside_word: Tensor
    """(vocab_size,) whether the piece goes on with a word that has begun."""

    def at(self, pieces: Tensor) -> PieceTable:
        """Return the table of some pieces, (n,) token ids."""
        own = (getattr(self, field.name) for field in fields(self))
        return PieceTable(*(tensor.to(pieces.device)[pieces] for tensor in own))


def piece_table(checkpoint: Checkpoint, counting: Counting) -> PieceTable:
    """Tabulate what every piece of a checkpoint's vocabulary prints.

    Args:
        checkpoint: Model and tokenizer.
        counting: What a character is.
    """
    texts = list(checkpoint.tokenizer.piece_texts)
    # The vocabulary of a model may be padded beyond its tokenizer's.
    texts += [""] * (int(checkpoint.model.config.decoder_vocab_size) - len(texts))
    return table_of(texts, counting)


def table_of(texts: Sequence[str], counting: Counting) -> PieceTable:
    """Tabulate what pieces print.

    Args:
        texts: Of each piece, spaces as spaces.
        counting: What a character is.
    """
    leads = [text.startswith(" ") for text in texts]
    space = count_characters(" ", counting)
    return PieceTable(
        characters=torch.tensor([count_characters(text, counting) for text in texts]),
        lead=torch.tensor([space * lead for lead in leads]),
        code_points=torch.tensor([len(text) for text in texts]),
        leads=torch.tensor(leads),
        inside_word=torch.tensor([goes_on(text) for text in texts]),
    )


class Choices:
    """The pieces a search chooses among, in columns.

    Args:
        table: Of the whole vocabulary.
        token_ids: (n,) the pieces there are, ascending.
        end: Token id of the end.
        barred: Token ids that may not be chosen.
        first: Token id of the piece that all translations begin with; None for none.
    """

    def __init__(
        self,
        table: PieceTable,
        token_ids: Tensor,
        end: int,
        barred: list[int],
        first: int | None = None,
    ) -> None:
        self.whole = table
        """The table of the whole vocabulary."""
        self.token_ids, self.table = token_ids, table.at(token_ids)
        self.end = int((token_ids == end).nonzero())
        """Column of the end token."""
        self.first = None if first is None else int((token_ids == first).nonzero())
        """Column of the first piece; it may be barred elsewhere."""
        banned = torch.isin(token_ids, torch.tensor(barred, device=token_ids.device))
        self.barred = banned.nonzero().squeeze(1)
        """Columns that are never chosen."""
        self.inside_word = self.table.inside_word.float()
        self.widest = float(self.table.characters.max())
        """Characters of the longest piece."""
        opening = self.table.characters - self.table.lead
        self.widest_opening = float(opening.max())
        """Characters of the longest piece at the start of a sentence."""
        self.narrowest = float(opening[opening > 0].min())
        """Characters of the shortest piece at the start of a sentence."""

    def column_by_piece(self, pieces: Iterable[int]) -> dict[int, int]:
        """Return the columns of those pieces that translations may have, by their token ids."""
        wanted = torch.tensor(sorted(set(pieces)), dtype=torch.int64, device=self.token_ids.device)
        places = torch.searchsorted(self.token_ids, wanted).clamp(max=len(self.token_ids) - 1)
        there = self.token_ids[places] == wanted
        return dict(zip(wanted[there].tolist(), places[there].tolist(), strict=True))

    @cached_property
    def costs(self) -> list[float]:
        """Characters of each column."""
        return cast(list[float], self.table.characters.tolist())

    @cached_property
    def opening_costs(self) -> list[float]:
        """Characters of each column at the start of a sentence."""
        return cast(list[float], (self.table.characters - self.table.lead).tolist())


def language_pieces(table: LexicalTable, piece_texts: Sequence[str], least: int = 1) -> Tensor:
    """Return all pieces that occur in a language, a restriction that holds for every source.

    Args:
        table: The language's.
        piece_texts: What each target piece prints; bytes print a letter or nothing.
        least: How often a piece must occur in what the table was learned from. Of names that are
            copied from the source, 1 keeps 98 to 99 in a hundred, 3 keeps 96 to 99 (capitalised
            words of the development sets that stand in their references too).

    Returns:
        (n,) int64, ascending; special tokens, and bytes and single characters, with which any text
        may be spelt, are among them.
    """
    spelling = torch.tensor([len(text.strip()) <= 1 for text in piece_texts])
    return (spelling | (table.counts >= least)).nonzero().squeeze(1)


BLOCK = 64


def top_k(scores: Tensor, added: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """Find the k largest sums of each row, exactly.

    The k largest numbers stand in the k blocks with the largest maxima; only these are looked at.

    Args:
        scores: (rows, groups, size), contiguous.
        added: (rows, groups) a number added to all scores of its group.
        k: At most groups * size.

    Returns:
        The sums (rows, k), largest first, and their places in the flattened groups of the row,
        (rows, k).
    """
    rows, groups, size = scores.shape
    blocks = size // BLOCK
    if groups * blocks <= 2 * k:
        return (scores + added.unsqueeze(2)).flatten(1).topk(k, dim=1)
    whole = scores[:, :, : blocks * BLOCK].reshape(rows, groups, blocks, BLOCK)
    maxima = whole.amax(3) + added.unsqueeze(2)  # (rows, groups, blocks)
    best = maxima.flatten(1).topk(k, dim=1).indices  # (rows, k) blocks
    group, block = best // blocks, best % blocks
    starts = group * size + block * BLOCK
    places = (starts.unsqueeze(2) + torch.arange(BLOCK, device=scores.device)).flatten(1)
    if blocks * BLOCK < size:
        tail = torch.arange(blocks * BLOCK, size, device=scores.device)
        tails = torch.arange(groups, device=scores.device).unsqueeze(1) * size + tail
        places = torch.cat([places, tails.flatten().expand(rows, -1)], dim=1)
    sums = scores.flatten(1).gather(1, places) + added.gather(1, places // size)
    largest, order = sums.topk(k, dim=1)
    return largest, places.gather(1, order)
