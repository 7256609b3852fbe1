"""The layers of encoder and decoder: over whole texts, or one token of every hypothesis at a time.

Requests, keys and values are projected in one product, and the encoder's keys and values are kept
once for a sentence (`subfit.decoding.cache`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from subfit.decoding.attention import (
    Packing,
    attend,
    attention_mask,
    attention_scores,
    chunks,
    weighted_sum,
)
from subfit.decoding.linears import FEW_ROWS, Arithmetic, FeedForward, fused
from subfit.decoding.parts import AttentionParts, LayerParts, Map, StackParts
from subfit.model.attention import FertilityBounds, SourceAttention
from subfit.model.length import LengthConditioned

PLAIN = SourceAttention()


Share = Callable[[SourceAttention, Tensor, Tensor | None], Tensor]
"""Makes shares of a way, scores, and what the coverage vector makes of requests."""


def attend_sharing(
    parts: AttentionParts,
    query: Tensor,
    memory: tuple[Tensor, Tensor, Tensor],
    share: Share,
) -> Tensor:
    """Return the context of tokens, by an attention of its own way.

    Args:
        parts: The attention.
        query: (rows, heads, tokens, head_width), float32.
        memory: Keys and values, (rows, heads, places, head_width), and their mask.
        share: What makes shares.

    Returns:
        (rows, tokens, heads * head_width), float32.
    """
    keys, values, mask = memory
    way = parts.way or PLAIN
    scaled = (query * parts.scale).to(keys.dtype)
    scores = attention_scores(scaled, keys).float() + mask
    return weighted_sum(share(way, scores, way.lean(scaled)).to(values.dtype), values)


LEAST = 0.01
"""Coverage below this counts as this: sparse attention gives many places exactly none."""


def coverage_penalty(spent: Tensor, counted: Tensor) -> Tensor:
    """Return the sum over the source of ``ln(min(coverage, 1))`` (Wu et al. 2016, eq. 14).

    Args:
        spent: (n, places) coverage of finished hypotheses.
        counted: (n, places) which places are source tokens.

    Returns:
        (n,), 0 or less.
    """
    return (spent.clamp(min=LEAST, max=1.0).log() * counted).sum(-1)


MOST_TOKENS = 1024
"""Tokens, padding included, that go through the encoder at once."""
MOST_KEPT = 32_768
"""Source tokens whose states are kept: a sentence is measured, searched and rated."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the newest tokens of hypotheses stand, and what they may attend to of their own."""

    rows: Tensor
    """(rows, 1) 0, 1, 2, …"""
    slots: Tensor
    """(rows, beams) where their keys and values are put."""
    mask: Tensor
    """(rows, 1 or heads, beams, slots) to add to attention scores."""


Memory = tuple[Tensor, Tensor, Tensor]
"""Keys and values, (rows, heads, source_length, head_width), and their mask."""


class Layer:
    """One layer's weights, with query, key and value in one matrix."""

    def __init__(self, parts: LayerParts, arithmetic: Arithmetic) -> None:
        self._parts, own, source = parts, parts.own, parts.source
        self._dtype = arithmetic.attention
        self._project = fused((own.query, own.key, own.value), arithmetic)
        self._out = fused((own.out,), arithmetic)
        if source is not None:
            self._ask_source = fused((source.query,), arithmetic)
            self._source_out = fused((source.out,), arithmetic)
        self._feed_forward = FeedForward(parts, arithmetic)

    def whole(
        self,
        hidden: Tensor,
        texts: Packing,
        mask: Tensor,
        memory: Memory | None = None,
        share: Share | None = None,
    ) -> Tensor:
        """Map the states (tokens, d) of all tokens of some texts.

        Args:
            hidden: Packed by ``texts``.
            texts: Where the tokens stand.
            mask: To add to attention scores among the tokens of a text.
            memory: Of the sources, in a decoder.
            share: What makes shares of the source; None for a softmax.
        """

        def look_back(states: Tensor) -> Tensor:
            query, key, value = self._parted(texts.pad(self._project(states)))
            return texts.pack(attend(query, key, value, mask, self._parts.own.scale))

        return self._through(hidden, look_back, (texts.pad, texts.pack), memory, share)

    def step(
        self, hidden: Tensor, place: Place, cache: Tensor, memory: Memory, share: Share | None
    ) -> Tensor:
        """Map the states (rows * beams, d) of the newest tokens of hypotheses.

        Args:
            hidden: Hypothesis after hypothesis, those of a sentence together.
            place: Where they stand.
            cache: (2, rows, heads, slots, head_width) keys and values; those of ``hidden`` are
                added.
            memory: Of the sources.
            share: What makes shares of the source; None for a softmax.
        """
        keys, values = cache

        def together(states: Tensor) -> Tensor:
            return states.view(len(keys), -1, states.shape[1])

        def look_back(states: Tensor) -> Tensor:
            query, key, value = self._parted(together(self._project(states)))
            keys[place.rows, :, place.slots] = key.transpose(1, 2)
            values[place.rows, :, place.slots] = value.transpose(1, 2)
            return attend(query, keys, values, place.mask, self._parts.own.scale).flatten(0, 1)

        shapes = together, lambda context: context.flatten(0, 1)
        return self._through(hidden, look_back, shapes, memory, share)

    def _parted(self, projected: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Requests, keys and values, (texts, heads, width, head_width), of (texts, width, 3 d)."""
        parted = projected.view(*projected.shape[:2], 3, self._parts.own.heads, -1)
        query, key, value = parted.permute(2, 0, 3, 1, 4)
        return query, key.to(self._dtype), value.to(self._dtype)

    def _through(
        self,
        hidden: Tensor,
        look_back: Map,
        shapes: tuple[Map, Map],
        memory: Memory | None,
        share: Share | None,
    ) -> Tensor:
        """Go through the blocks; shapes are from tokens to a rectangle for attention, and back."""
        parts, source, (pad, pack) = self._parts, self._parts.source, shapes

        def look_at_source(states: Tensor) -> Tensor:
            assert source is not None and memory is not None
            asking = pad(self._ask_source(states))
            query = asking.view(*asking.shape[:2], source.heads, -1).transpose(1, 2)
            if share is None:
                return self._source_out(pack(attend(query, *memory, source.scale)))
            return self._source_out(pack(attend_sharing(source, query, memory, share)))

        hidden = parts.around(parts.own.norm, lambda states: self._out(look_back(states)), hidden)
        if source is not None:
            hidden = parts.around(source.norm, look_at_source, hidden)
        return parts.around(parts.norm, self._feed_forward, hidden)


class Encoder:
    """The encoder of a model.

    Args:
        parts: Its weights.
        arithmetic: What it is computed in.
        device: Where it is computed.
    """

    def __init__(self, parts: StackParts, arithmetic: Arithmetic, device: torch.device) -> None:
        self._parts, self._device = parts, device
        self._layers = [Layer(layer, arithmetic) for layer in parts.layers]
        self._kept: dict[tuple[int, ...], Tensor] = {}
        """The states of sources, the newest last."""

    def __call__(self, sources: Sequence[Sequence[int]]) -> list[Tensor]:
        """Encode sources, each once, however often it stands among them.

        Args:
            sources: Token ids of each.

        Returns:
            For each source its states, (tokens, d).
        """
        wanted = [tuple(source) for source in sources]
        known = {one: self._kept.pop(one) for one in {*wanted} & self._kept.keys()}
        new = sorted({*wanted} - known.keys(), key=lambda one: (-len(one), one))
        for chunk in chunks(new, MOST_TOKENS):
            # A copy each, or one source that is kept would keep all that were encoded with it.
            known |= zip(chunk, [one.clone() for one in self._encode(chunk)], strict=True)
        self._kept |= known
        over = sum(map(len, self._kept)) - MOST_KEPT
        while over > 0:
            oldest = next(iter(self._kept))
            over -= len(oldest)
            del self._kept[oldest]
        return [known[one] for one in wanted]

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
            hidden = layer.whole(hidden, packing, mask)
        return packing.split(parts.closing(hidden))


class Decoder:
    """The decoder of a model.

    Args:
        model: In evaluation mode. A `LengthConditioned` one also takes asked lengths; others
            ignore them.
        parts: Its weights.
        arithmetic: What it is computed in.
    """

    def __init__(self, model: Any, parts: StackParts, arithmetic: Arithmetic) -> None:
        self._model, self._parts = model, parts
        self.layers = [Layer(layer, arithmetic) for layer in parts.layers]
        attention = [layer.source for layer in parts.layers if layer.source is not None]
        remembering = [linear for layer in attention for linear in (layer.key, layer.value)]
        self._remember = fused(remembering, arithmetic)
        self.distances, self.closing = parts.distances, parts.closing
        self.heads, self.head_width = attention[0].heads, attention[0].head_width
        self.dtype = arithmetic.attention
        self.remembers = attention[-1].way is not None
        """Whether what its last layer attends to depends on what it attended to before."""
        self._fertility: FertilityBounds | None = getattr(model, "fertility", None)
        self.sink: int | None = getattr(model.config, "sink_token", None)

    def remember(
        self, states: Sequence[Tensor], sources: Sequence[Sequence[int]]
    ) -> Sequence[Tensor]:
        """Return what the layers keep of encoded sources.

        Args:
            states: (tokens, d) of each source.
            sources: Their token ids.

        Returns:
            Of each source (tokens, layers * 2 * d): keys and values of every layer. Where source
            tokens have fertilities, these are one column more.
        """
        lengths = [len(source) for source in states]
        together = torch.cat(list(states))
        kept = self._remember(together).to(self.dtype)
        if self._fertility is not None:
            ids = torch.tensor(
                [token for source in sources for token in source], device=kept.device
            )
            column = self._bounds_of(ids, together).to(self.dtype).unsqueeze(1)
            kept = torch.cat([kept, column], dim=1)
        return torch.split(kept, lengths)

    @property
    def bounded(self) -> bool:
        """Whether source tokens have fertilities."""
        return self._fertility is not None

    def _bounds_of(self, ids: Tensor, states: Tensor) -> Tensor:
        """The fertilities (tokens,) of tokens; enough at once that company changes none."""
        assert self._fertility is not None
        missing = max(0, FEW_ROWS - len(ids))
        states = torch.cat([states, states.new_zeros(missing, states.shape[1])])
        ids = torch.cat([ids, ids.new_zeros(missing)])
        return self._fertility(ids, states)[: len(ids) - missing]  # type: ignore[no-any-return]

    def bounds(self, memories: Sequence[Tensor]) -> Tensor | None:
        """Return fertilities (texts, width) of what is remembered; None where there are none."""
        if self._fertility is None:
            return None
        packing = Packing(tuple(map(len, memories)), memories[0].device)
        return packing.pad(torch.cat([memory[:, -1:] for memory in memories])).squeeze(2).float()

    def padded(self, memories: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
        """Return memories as (layers, 2, texts, heads, width, head_width), and their mask."""
        packing = Packing(tuple(map(len, memories)), memories[0].device)
        shape = (len(self.layers), 2, self.heads, self.head_width)
        padded = packing.pad(torch.cat(list(memories)))
        if self._fertility is not None:
            padded = padded[..., :-1].contiguous()
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
        embedded = self._parts.embed(tokens)
        if isinstance(self._model, LengthConditioned) and bool(asked.any()):
            told = tokens.unsqueeze(1), asked, emitted.unsqueeze(1)
            embedded = self._model.embed_target(*told).squeeze(1)
        scaled = embedded * self._parts.scale
        if self._parts.positions is not None:
            scaled = scaled + self._parts.positions[positions]
        return self._parts.opening(scaled)

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
        tokens = torch.tensor([token for target in targets for token in target], device=mask.device)
        unasked = torch.zeros_like(tokens)
        hidden = self.embed(tokens, texts.positions, unasked, unasked)
        own_mask = self._mask_ahead(texts.width, hidden.device)
        bounds = self.bounds(memories)

        def share(way: SourceAttention, scores: Tensor, leaning: Tensor | None) -> Tensor:
            return way.share_all(scores, bounds, leaning)

        for number, (layer, (keys, values)) in enumerate(zip(self.layers, memory, strict=True)):
            own = share if self.remembers and number == len(self.layers) - 1 else None
            hidden = layer.whole(hidden, texts, own_mask, (keys, values, mask), own)
        return self.closing(hidden)

    def _mask_ahead(self, width: int, device: torch.device) -> Tensor:
        """What to add to attention scores among the tokens of texts, so that none looks ahead."""
        before = torch.ones(width, width, device=device).tril().bool()
        mask = attention_mask(before)
        if self.distances is None:
            return mask
        places = torch.arange(width, device=device)
        return mask + self.distances.bias(places.unsqueeze(1), places.unsqueeze(0))
