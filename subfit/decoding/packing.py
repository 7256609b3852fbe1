"""Texts of different lengths, once in one row after the other and once padded to a rectangle.

Layers that treat every token by itself work on packed rows, so that padding costs nothing there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import torch
from torch import Tensor

NEVER = float("-inf")

STRIDE = 16
"""Attention is padded to multiples of this. With the widths of `padded_width` a longer padding
changes no bit of the result on CPU, so that what a sentence gets does not depend on its
neighbours."""


BLOCK = 192
"""Sums over more places are taken in blocks of so many, one after the other: how a product of
matrices would cut a longer one depends on the processor, and on all of its length."""


def padded_width(length: int) -> int:
    """Return the width that attention over ``length`` places is padded to."""
    stride = STRIDE if length <= BLOCK else BLOCK
    return -(-length // stride) * stride


def chunks(order: Sequence[int], lengths: Sequence[int], most: int) -> list[list[int]]:
    """Cut texts into chunks of one padded width, and of as many texts as a power of two.

    Few shapes are worth more than full chunks: new code is generated for every new one.

    Args:
        order: Their indices, those of like length beside each other.
        lengths: Tokens of each text, by index.
        most: Tokens of a chunk, padding included; a single text may have more.
    """
    parts: list[list[int]] = []
    for width, group in groupby(order, key=lambda index: padded_width(lengths[index])):
        waiting = list(group)
        while waiting:
            room = max(1, min(len(waiting), most // width))
            size = 1 << (room.bit_length() - 1)
            parts.append(waiting[:size])
            del waiting[:size]
    return parts


@dataclass(frozen=True)
class Packing:
    """Where the tokens of some texts stand in a rectangle."""

    lengths: tuple[int, ...]
    """Tokens of each text."""
    device: torch.device

    @cached_property
    def width(self) -> int:
        """Width of the rectangle."""
        return padded_width(max(self.lengths))

    @cached_property
    def positions(self) -> Tensor:
        """(tokens,) the place of every token in its text."""
        return torch.cat([torch.arange(length) for length in self.lengths]).to(self.device)

    @cached_property
    def places(self) -> Tensor:
        """(tokens,) the place of every token in the rectangle, row after row."""
        starts = torch.arange(len(self.lengths)) * self.width
        own = torch.repeat_interleave(starts, torch.tensor(self.lengths))
        return own.to(self.device) + self.positions

    @cached_property
    def mask(self) -> Tensor:
        """(texts, 1, 1, width) to add to attention scores: -inf at padding."""
        ends = torch.tensor(self.lengths, device=self.device).unsqueeze(1)
        real = torch.arange(self.width, device=self.device) < ends  # (texts, width)
        return torch.zeros(real.shape, device=self.device).masked_fill(~real, NEVER)[:, None, None]

    def pad(self, packed: Tensor) -> Tensor:
        """Return (tokens, features) as (texts, width, features), zero at padding."""
        padded = packed.new_zeros(len(self.lengths) * self.width, packed.shape[1])
        padded.index_copy_(0, self.places, packed)
        return padded.view(len(self.lengths), self.width, -1)

    def pack(self, padded: Tensor) -> Tensor:
        """Return (texts, width, features) as (tokens, features)."""
        return padded.flatten(0, 1).index_select(0, self.places)

    def split(self, packed: Tensor) -> Sequence[Tensor]:
        """Return (tokens, features) in one tensor for each text."""
        return torch.split(packed, list(self.lengths))
