"""Attention, and where the tokens of texts of different lengths stand in it.

Texts of different lengths are packed in one row after the other for layers that treat every token
by itself, so that padding costs nothing there, and padded to a rectangle for attention.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TypeVar

import torch
from torch import Tensor

Text = TypeVar("Text", bound=Sequence[int])
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


def chunks(texts: Sequence[Text], most: int) -> Iterator[list[Text]]:
    """Cut texts into chunks of one padded width, and of as many texts as a power of two.

    Few shapes are worth more than full chunks: new code is generated for every new one.

    Args:
        texts: The tokens of each, those of like length beside each other.
        most: Tokens of a chunk, padding included; a single text may have more.
    """
    for width, group in groupby(texts, key=lambda text: padded_width(len(text))):
        waiting = list(group)
        while waiting:
            room = max(1, min(len(waiting), most // width))
            size = 1 << (room.bit_length() - 1)
            yield waiting[:size]
            del waiting[:size]


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


def attend(
    query: Tensor, keys: Tensor, values: Tensor, mask: Tensor, scale: float | None = None
) -> Tensor:
    """Return the context of requests (Vaswani et al. 2017, eq. 1).

    Args:
        query: (rows, heads, requests, head_width), float32.
        keys: (rows, heads, places, head_width), in the type to compute in.
        values: Like ``keys``.
        mask: To add to the scores; broadcasts to (rows, heads, requests, places).
        scale: What the scores are multiplied by before; None for that of the paper.

    Returns:
        (rows, requests, heads * head_width), float32.
    """
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scaled = (query * scale).to(keys.dtype)
    scores = attention_scores(scaled, keys) + mask.to(keys.dtype)
    return weighted_sum(scores.softmax(-1), values)


def attention_scores(query: Tensor, keys: Tensor) -> Tensor:
    """Return how alike requests and keys are, (rows, heads, requests, places).

    Args:
        query: (rows, heads, requests, head_width), scaled.
        keys: (rows, heads, places, head_width).
    """
    return query @ keys.transpose(2, 3)


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """Return the mean of values with the weights of attention; more padding changes no bit of it.

    Args:
        weights: (rows, heads, requests, places).
        values: (rows, heads, places, head_width); a multiple of `BLOCK` places, or fewer than it.

    Returns:
        (rows, requests, heads * head_width), float32.
    """
    rows, heads, places, head_width = values.shape
    blocks = max(1, places // BLOCK)
    apart = weights.view(rows, heads, -1, blocks, places // blocks).transpose(2, 3)
    parts = values.reshape(rows, heads * blocks, -1, head_width)
    sums = apart.flatten(1, 2) @ parts
    context, *others = sums.view(rows, heads, blocks, -1, head_width).unbind(2)
    for other in others:  # one after the other, so that zeros at the end change nothing
        context = context + other
    joined: Tensor = context.transpose(1, 2).flatten(2).float()
    return joined


def attention_mask(allowed: Tensor) -> Tensor:
    """Return what to add to attention scores: 0 where ``allowed``, -inf elsewhere."""
    return torch.zeros(allowed.shape, device=allowed.device).masked_fill_(~allowed, NEVER)
