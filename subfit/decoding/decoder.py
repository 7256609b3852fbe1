"""The decoder's layers: over a cache, one token of every hypothesis at a time, or over whole texts.

Hugging Face's decoder repeats the encoder's keys and values for every beam, grows its cache by
concatenation and moves it about whenever beams change places. Here requests, keys and values are
projected in one product, the encoder's keys and values are kept once for a sentence, and the cache
is written once and never moved: a hypothesis knows in which beam each of its tokens was written,
and attends to those (`subfit.decoding.decoder_cache`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from subfit.decoding.attention import attend, attention_mask
from subfit.decoding.linears import Arithmetic, feed_forward, fused
from subfit.decoding.packing import Packing
from subfit.model.conditioning import LengthConditioned, NoPositions


@dataclass(slots=True)
class LayerCache:
    """Keys and values of one decoder layer."""

    keys: Tensor
    """(rows, heads, steps, beams, head_width): the decoder's own."""
    values: Tensor
    """Like ``keys``."""
    memory_keys: Tensor
    """(rows, heads, source_length, head_width): of the encoder's states."""
    memory_values: Tensor
    """Like ``memory_keys``."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the newest tokens stand, and what they may attend to."""

    rows: Tensor
    """(rows,) 0, 1, 2, …"""
    positions: Tensor
    """(rows,) of the newest token of each sentence."""
    own_mask: Tensor
    """(rows, 1, beams, steps * beams) to add to attention scores over the cache."""
    source_mask: Tensor
    """(rows, 1, 1, source_length) to add to attention scores over the source."""


class DecoderLayer:
    """One layer's weights, with query, key and value in one matrix."""

    def __init__(self, layer: Any, arithmetic: Arithmetic) -> None:
        self.layer, own, cross = layer, layer.self_attn, layer.encoder_attn
        self.heads: int = own.num_heads
        self.dtype = arithmetic.attention
        self.project = fused((own.q_proj, own.k_proj, own.v_proj), arithmetic)
        self.out = fused((own.out_proj,), arithmetic)
        self.ask_source = fused((cross.q_proj,), arithmetic)
        self.source_out = fused((cross.out_proj,), arithmetic)
        self.widen, self.narrow = feed_forward(layer, arithmetic)

    def step(self, hidden: Tensor, place: Place, cache: LayerCache) -> Tensor:
        """Map the states (rows * beams, d) of the newest tokens; their keys and values are kept."""
        beams = place.own_mask.shape[2]
        context = self._attend_back(hidden.view(-1, beams, hidden.shape[1]), place, cache)
        hidden = self.layer.self_attn_layer_norm(hidden + self.out(context.flatten(0, 1)))
        query = self.ask_source(hidden).view(-1, beams, self.heads, hidden.shape[1] // self.heads)
        memory = cache.memory_keys, cache.memory_values, place.source_mask
        return self._rest(hidden, attend(query.transpose(1, 2), *memory).flatten(0, 1))

    def _attend_back(self, hidden: Tensor, place: Place, cache: LayerCache) -> Tensor:
        rows, beams, _ = hidden.shape
        projected = self.project(hidden.flatten(0, 1)).view(rows, beams, 3, self.heads, -1)
        query, key, value = projected.permute(2, 0, 3, 1, 4)  # (rows, heads, beams, head_width)
        cache.keys[place.rows, :, place.positions] = key.to(self.dtype)
        cache.values[place.rows, :, place.positions] = value.to(self.dtype)
        steps = place.own_mask.shape[3] // beams
        keys, values = (each[:, :, :steps].flatten(2, 3) for each in (cache.keys, cache.values))
        return attend(query, keys, values, place.own_mask)

    def whole(
        self, hidden: Tensor, texts: Packing, memory: tuple[Tensor, Tensor, Tensor]
    ) -> Tensor:
        """Map the states (tokens, d) of all tokens of some texts, each seeing those before it.

        Args:
            hidden: Packed by ``texts``.
            texts: Where the tokens stand.
            memory: Keys and values, (texts, heads, source_length, head_width), and their mask.
        """
        padded = texts.pad(self.project(hidden))
        parted = padded.view(*padded.shape[:2], 3, self.heads, -1)
        query, key, value = parted.permute(2, 0, 3, 1, 4)  # (texts, heads, width, head_width)
        key, value = key.to(self.dtype), value.to(self.dtype)
        before = torch.ones(texts.width, texts.width, device=hidden.device).tril().bool()
        context = attend(query, key, value, attention_mask(before))
        hidden = self.layer.self_attn_layer_norm(hidden + self.out(texts.pack(context)))
        asking = texts.pad(self.ask_source(hidden))
        query = asking.view(*asking.shape[:2], self.heads, -1).transpose(1, 2)
        return self._rest(hidden, texts.pack(attend(query, *memory)))

    def _rest(self, hidden: Tensor, context: Tensor) -> Tensor:
        """Go on from what was read from the source to the end of the layer."""
        layer = self.layer
        hidden = layer.encoder_attn_layer_norm(hidden + self.source_out(context))
        inner = layer.activation_fn(self.widen(hidden))
        return layer.final_layer_norm(hidden + self.narrow(inner))  # type: ignore[no-any-return]


class Decoder:
    """The decoder of a Marian-shaped model.

    Args:
        model: In evaluation mode. A `LengthConditioned` one also takes asked lengths; a plain
            `MarianMTModel` ignores them.
        arithmetic: What it is computed in.
    """

    def __init__(self, model: Any, arithmetic: Arithmetic) -> None:
        self._model, self._decoder = model, model.model.decoder
        self.layers = [DecoderLayer(layer, arithmetic) for layer in self._decoder.layers]
        attention = [layer.encoder_attn for layer in self._decoder.layers]
        parts = [part for each in attention for part in (each.k_proj, each.v_proj)]
        self._remember = fused(parts, arithmetic)
        positions = self._decoder.embed_positions
        self._positions = None if isinstance(positions, NoPositions) else positions.weight
        self.heads, self.head_width = attention[0].num_heads, attention[0].head_dim
        self.dtype = arithmetic.attention

    def remember(self, states: Sequence[Tensor]) -> Sequence[Tensor]:
        """Return what the layers keep of encoded sources.

        Args:
            states: (tokens, d) of each source.

        Returns:
            Of each source (tokens, layers * 2 * d): keys and values of every layer.
        """
        lengths = [len(each) for each in states]
        return torch.split(self._remember(torch.cat(list(states))).to(self.dtype), lengths)

    def padded(self, memories: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
        """Return memories as (layers, 2, texts, heads, width, head_width), and their mask."""
        packing = Packing(tuple(map(len, memories)), memories[0].device)
        padded = packing.pad(torch.cat(list(memories)))
        shape = (len(self.layers), 2, self.heads, self.head_width)
        parted = padded.view(*padded.shape[:2], *shape)
        return parted.permute(2, 3, 0, 4, 1, 5), packing.mask

    def embed(self, tokens: Tensor, positions: Tensor, asked: Tensor, emitted: Tensor) -> Tensor:
        """Embed tokens.

        Args:
            tokens: (n,) token ids.
            positions: (n,) their positions.
            asked: (n,) lengths asked for, 0 for none.
            emitted: (n,) characters up to and including each token.

        Returns:
            (n, d).
        """
        embedded: Tensor = self._decoder.embed_tokens(tokens)
        if isinstance(self._model, LengthConditioned) and bool(asked.any()):
            told = tokens.unsqueeze(1), asked, emitted.unsqueeze(1)
            embedded = self._model.embed_target(*told).squeeze(1)
        scaled: Tensor = embedded * self._decoder.embed_scale
        if self._positions is None:
            return scaled
        places: Tensor = self._positions[positions]
        return scaled + places

    def whole(self, targets: Sequence[Sequence[int]], memories: Sequence[Tensor]) -> Tensor:
        """Return the states of all tokens of targets, for which no length was asked.

        Args:
            targets: Token ids of each, the start token first.
            memories: Of their sources, from `remember`.

        Returns:
            (tokens, d), target after target.
        """
        memory, mask = self.padded(memories)
        texts = Packing(tuple(map(len, targets)), mask.device)
        tokens = torch.tensor([token for each in targets for token in each], device=mask.device)
        unasked = torch.zeros_like(tokens)
        hidden = self.embed(tokens, texts.positions, unasked, unasked)
        for layer, (keys, values) in zip(self.layers, memory, strict=True):
            hidden = layer.whole(hidden, texts, (keys, values, mask))
        return hidden
