"""The encoder over packed rows: padding costs nothing but in attention, and little there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from subfit.decoding.attention import attend
from subfit.decoding.linears import Arithmetic, feed_forward, fused
from subfit.decoding.packing import Packing, chunks

MOST_TOKENS = 1024
"""Tokens, padding included, that go through the encoder at once."""


class EncoderLayer:
    """One layer's weights, with query, key and value in one matrix."""

    def __init__(self, layer: Any, arithmetic: Arithmetic) -> None:
        self.layer, own = layer, layer.self_attn
        self.heads: int = own.num_heads
        self.dtype = arithmetic.attention
        self.project = fused((own.q_proj, own.k_proj, own.v_proj), arithmetic)
        self.out = fused((own.out_proj,), arithmetic)
        self.widen, self.narrow = feed_forward(layer, arithmetic)

    def __call__(self, hidden: Tensor, packing: Packing) -> Tensor:
        """Map (tokens, d) states to (tokens, d)."""
        layer = self.layer
        hidden = layer.self_attn_layer_norm(hidden + self.out(self._attend(hidden, packing)))
        inner = layer.activation_fn(self.widen(hidden))
        return layer.final_layer_norm(hidden + self.narrow(inner))  # type: ignore[no-any-return]

    def _attend(self, hidden: Tensor, packing: Packing) -> Tensor:
        padded = packing.pad(self.project(hidden))
        parted = padded.view(*padded.shape[:2], 3, self.heads, -1)
        query, key, value = parted.permute(2, 0, 3, 1, 4)  # (texts, heads, width, head_width) each
        key, value = key.to(self.dtype), value.to(self.dtype)
        return packing.pack(attend(query, key, value, packing.mask))


class Encoder:
    """The encoder of a Marian-shaped model.

    Args:
        model: In evaluation mode.
        arithmetic: What it is computed in.
    """

    def __init__(self, model: Any, arithmetic: Arithmetic) -> None:
        self._encoder = model.model.encoder
        self._layers = [EncoderLayer(layer, arithmetic) for layer in self._encoder.layers]
        self._device = model.device

    def __call__(self, sources: Sequence[Sequence[int]]) -> list[Tensor]:
        """Encode sources.

        Args:
            sources: Token ids of each.

        Returns:
            For each source its states, (tokens, d).
        """
        lengths = [len(each) for each in sources]
        order = sorted(range(len(sources)), key=lambda index: -lengths[index])
        states: list[Tensor] = [torch.empty(0)] * len(sources)
        for chunk in chunks(order, lengths, MOST_TOKENS):
            for index, each in zip(chunk, self._encode([sources[i] for i in chunk]), strict=True):
                states[index] = each
        return states

    def _encode(self, sources: Sequence[Sequence[int]]) -> Sequence[Tensor]:
        encoder = self._encoder
        packing = Packing(tuple(map(len, sources)), self._device)
        tokens = torch.tensor([token for each in sources for token in each], device=self._device)
        hidden = encoder.embed_tokens(tokens) * encoder.embed_scale
        hidden = hidden + encoder.embed_positions.weight[packing.positions]
        for layer in self._layers:
            hidden = layer(hidden, packing)
        return packing.split(hidden)
