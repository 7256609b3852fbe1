"""The encoder over packed rows: padding costs nothing but in attention, and little there."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from subfit.decoding.attention import attend
from subfit.decoding.linears import Arithmetic, FeedForward, fused
from subfit.decoding.packing import Packing, chunks
from subfit.decoding.parts import LayerParts, StackParts

MOST_TOKENS = 1024
"""Tokens, padding included, that go through the encoder at once."""


class EncoderLayer:
    """One layer's weights, with query, key and value in one matrix."""

    def __init__(self, parts: LayerParts, arithmetic: Arithmetic) -> None:
        self._parts, own = parts, parts.own
        self._dtype = arithmetic.attention
        self._project = fused((own.query, own.key, own.value), arithmetic)
        self._out = fused((own.out,), arithmetic)
        self._feed_forward = FeedForward(parts, arithmetic)

    def __call__(self, hidden: Tensor, packing: Packing, mask: Tensor) -> Tensor:
        """Map (tokens, d) states to (tokens, d); ``mask`` is added to attention scores."""
        parts = self._parts
        hidden = parts.around(
            parts.own.norm, lambda states: self._out(self._attend(states, packing, mask)), hidden
        )
        return parts.around(parts.norm, self._feed_forward, hidden)

    def _attend(self, hidden: Tensor, packing: Packing, mask: Tensor) -> Tensor:
        own = self._parts.own
        padded = packing.pad(self._project(hidden))
        parted = padded.view(*padded.shape[:2], 3, own.heads, own.head_width)
        query, key, value = parted.permute(2, 0, 3, 1, 4)  # (texts, heads, width, head_width) each
        key, value = key.to(self._dtype), value.to(self._dtype)
        return packing.pack(attend(query, key, value, mask, own.scale))


class Encoder:
    """The encoder of a model.

    Args:
        parts: Its weights.
        arithmetic: What it is computed in.
        device: Where it is computed.
    """

    def __init__(self, parts: StackParts, arithmetic: Arithmetic, device: torch.device) -> None:
        self._parts, self._device = parts, device
        self._layers = [EncoderLayer(layer, arithmetic) for layer in parts.layers]

    def __call__(self, sources: Sequence[Sequence[int]]) -> list[Tensor]:
        """Encode sources.

        Args:
            sources: Token ids of each.

        Returns:
            For each source its states, (tokens, d).
        """
        lengths = [len(source) for source in sources]
        order = sorted(range(len(sources)), key=lambda index: -lengths[index])
        states: list[Tensor] = [torch.empty(0)] * len(sources)
        for chunk in chunks(order, lengths, MOST_TOKENS):
            for index, state in zip(chunk, self._encode([sources[i] for i in chunk]), strict=True):
                states[index] = state
        return states

    def _encode(self, sources: Sequence[Sequence[int]]) -> Sequence[Tensor]:
        parts = self._parts
        packing = Packing(tuple(map(len, sources)), self._device)
        tokens = torch.tensor(
            [token for source in sources for token in source], device=self._device
        )
        hidden = parts.embed(tokens) * parts.scale
        if parts.positions is not None:
            hidden = hidden + parts.positions[packing.positions]
        hidden = parts.opening(hidden)
        mask = packing.mask
        if parts.distances is not None:
            places = torch.arange(packing.width, device=self._device)
            mask = mask + parts.distances.bias(places.unsqueeze(1), places.unsqueeze(0))
        for layer in self._layers:
            hidden = layer(hidden, packing, mask)
        return packing.split(parts.closing(hidden))
