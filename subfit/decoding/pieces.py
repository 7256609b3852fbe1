"""What the pieces of a vocabulary print, and which of them a search may choose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import cast

import torch
from torch import Tensor

from subfit.model.checkpoint import Checkpoint
from subfit.text.counting import Counting, count_piece
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
    space = count_piece(" ", counting)
    return PieceTable(
        characters=torch.tensor([count_piece(text, counting) for text in texts]),
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

    def columns_of(self, token_ids: Sequence[int]) -> Tensor:
        """Return the columns of those pieces that can be chosen at all, ascending."""
        wanted = torch.tensor(list(token_ids), device=self.token_ids.device)
        return torch.isin(self.token_ids, wanted).nonzero().squeeze(1)

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
