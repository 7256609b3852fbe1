"""The tensors of one training step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

IGNORED = -100
"""Label of padding, which no loss is taken from."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of one training step, padded on the right."""

    source: Tensor
    """(batch_size, max_source_length)"""
    source_mask: Tensor
    """(batch_size, max_source_length), 1 where there is a token"""
    labels: Tensor
    """(batch_size, max_target_length), `IGNORED` where there is none"""
    asked: Tensor
    """(batch_size,) lengths asked for, in the model's unit; 0 where none are"""
    characters: Tensor
    """(batch_size, 2) characters of source and target"""
    before: Tensor
    """(batch_size, 1 or 2) what the decoder is fed before the labels: the start token, and the
    token of a language that translations begin with"""
    fertilities: Tensor | None = None
    """(batch_size, max_source_length) target tokens that stand for each source token, `IGNORED`
    where that is not known; None where no model asks"""

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """All there are, in order."""
        own = (self.source, self.source_mask, self.labels, self.asked, self.characters, self.before)
        return own if self.fertilities is None else (*own, self.fertilities)

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device."""
        return Batch(*(tensor.to(device) for tensor in self.tensors))

    @property
    def target_tokens(self) -> int:
        """Target tokens without padding, end tokens included."""
        return int((self.labels != IGNORED).sum())


def padded(rows: list[list[int]], value: int) -> Tensor:
    """Return rows as one tensor, filled up on the right with a value."""
    filled = np.full((len(rows), max(map(len, rows))), value, dtype=np.int64)
    for place, row in zip(filled, rows, strict=True):
        place[: len(row)] = row
    return torch.from_numpy(filled)
