"""The layers of encoder and decoder: over whole texts, or one token of every hypothesis at a time.

Hugging Face's decoder repeats the encoder's keys and values for every beam, grows its cache by
concatenation and moves it about whenever beams change places. Here requests, keys and values are
projected in one product, the encoder's keys and values are kept once for a sentence, and the cache
stays where it is: a hypothesis knows in which beam each of its tokens was written, and attends to
those (`subfit.decoding.cache`). What hypotheses have attended to of their source is kept likewise.
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


@dataclass(slots=True)
class Spending:
    """The attention of the last layer to the sources of a running search."""

    spent: Tensor
    """(rows, beams, places): of each hypothesis, the mean over heads, all tokens so far."""
    bounds: Tensor | None
    """(rows, places) fertilities, where the model has any."""

    def share(self, way: SourceAttention, scores: Tensor, leaning: Tensor | None) -> Tensor:
        """Return how the newest tokens attend, and note it."""
        shares = way.share(scores, self.spent, self.bounds, leaning)
        self.spent = self.spent + shares.mean(1)
        return shares


def attend_sharing(
    parts: AttentionParts,
    query: Tensor,
    memory: tuple[Tensor, Tensor, Tensor],
    share: Callable[[SourceAttention, Tensor, Tensor | None], Tensor],
) -> Tensor:
    """Return the context of tokens, by an attention of its own way.

    Args:
        parts: The attention.
        query: (rows, heads, tokens, head_width), float32.
        memory: Keys and values, (rows, heads, places, head_width), and their mask.
        share: Makes shares of a way, scores and what the coverage vector makes of requests.

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
MOST_KEPT = 1024
"""Sources whose lengths are predicted, and which are translated behind that."""


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
        self._kept: dict[tuple[int, ...], Tensor] = {}
        """The states of sources that are encoded once more, the newest last."""

    def __call__(
        self, sources: Sequence[Sequence[int]], *, once_more: bool = False
    ) -> list[Tensor]:
        """Encode sources.

        Args:
            sources: Token ids of each.
            once_more: Keep the states of the last `MOST_KEPT` until they are asked for again.

        Returns:
            For each source its states, (tokens, d).
        """
        lengths = [len(source) for source in sources]
        known = {
            n: self._kept.pop(key) for n, key in enumerate(map(tuple, sources)) if key in self._kept
        }
        order = sorted(set(range(len(sources))) - known.keys(), key=lambda n: (-lengths[n], n))
        for chunk in chunks(order, lengths, MOST_TOKENS):
            known |= zip(chunk, self._encode([sources[n] for n in chunk]), strict=True)
        if once_more:
            self._kept |= {tuple(source): known[n] for n, source in enumerate(sources)}
            for oldest in list(self._kept)[:-MOST_KEPT]:
                del self._kept[oldest]
        return [known[n] for n in range(len(sources))]

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


@dataclass(slots=True)
class LayerCache:
    """Keys and values of one decoder layer."""

    keys: Tensor
    """(rows, heads, slots, head_width): the decoder's own (`subfit.decoding.cache`)."""
    values: Tensor
    """The values to ``keys``, of the same shape."""
    memory_keys: Tensor
    """(rows, heads, source_length, head_width): of the encoder's states."""
    memory_values: Tensor
    """The values to ``memory_keys``, of the same shape."""
    spending: Spending | None = None
    """What the last layer attends to, where that is kept."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the newest tokens stand, and what they may attend to."""

    rows: Tensor
    """(rows,) 0, 1, 2, …"""
    slots: Tensor
    """(rows, beams) where the keys and values of the newest tokens are put."""
    own_mask: Tensor
    """(rows, 1 or heads, beams, slots) to add to attention scores over the cache."""
    source_mask: Tensor
    """(rows, 1, 1, source_length) to add to attention scores over the source."""


class DecoderLayer:
    """One layer's weights, with query, key and value in one matrix."""

    def __init__(self, parts: LayerParts, arithmetic: Arithmetic) -> None:
        assert parts.source is not None
        self._parts, self._own, self._source = parts, parts.own, parts.source
        self._dtype, own = arithmetic.attention, parts.own
        self._project = fused((own.query, own.key, own.value), arithmetic)
        self._out = fused((own.out,), arithmetic)
        self._ask_source = fused((parts.source.query,), arithmetic)
        self._source_out = fused((parts.source.out,), arithmetic)
        self._feed_forward = FeedForward(parts, arithmetic)

    def step(self, hidden: Tensor, place: Place, cache: LayerCache) -> Tensor:
        """Map the states (rows * beams, d) of the newest tokens; their keys and values are kept."""
        beams = place.own_mask.shape[2]
        memory = cache.memory_keys, cache.memory_values, place.source_mask

        def look_back(states: Tensor) -> Tensor:
            context = self._attend_back(states.view(-1, beams, states.shape[1]), place, cache)
            return self._out(context.flatten(0, 1))

        def look_at_source(states: Tensor) -> Tensor:
            own = self._source
            query = self._ask_source(states).view(-1, beams, own.heads, own.head_width)
            query = query.transpose(1, 2)
            if cache.spending is None:
                context = attend(query, *memory, own.scale)
            else:
                context = attend_sharing(own, query, memory, cache.spending.share)
            return self._source_out(context.flatten(0, 1))

        return self._through(hidden, look_back, look_at_source)

    def _attend_back(self, hidden: Tensor, place: Place, cache: LayerCache) -> Tensor:
        (rows, beams, _), own = hidden.shape, self._own
        projected = self._project(hidden.flatten(0, 1)).view(rows, beams, 3, own.heads, -1)
        query, key, value = projected.permute(2, 0, 1, 3, 4)  # (rows, beams, heads, head_width)
        where = place.rows.unsqueeze(1), slice(None), place.slots
        cache.keys[where] = key.to(self._dtype)
        cache.values[where] = value.to(self._dtype)
        return attend(query.transpose(1, 2), cache.keys, cache.values, place.own_mask, own.scale)

    def whole(
        self,
        hidden: Tensor,
        texts: Packing,
        own_mask: Tensor,
        memory: tuple[Tensor, Tensor, Tensor],
        bounds: Tensor | None = None,
    ) -> Tensor:
        """Map the states (tokens, d) of all tokens of some texts, each seeing those before it.

        Args:
            hidden: Packed by ``texts``.
            texts: Where the tokens stand.
            own_mask: To add to attention scores among the tokens of a text.
            memory: Keys and values, (texts, heads, source_length, head_width), and their mask.
            bounds: (texts, source_length) fertilities, where the layer has any.
        """

        def look_back(states: Tensor) -> Tensor:
            own = self._own
            padded = texts.pad(self._project(states))
            parted = padded.view(*padded.shape[:2], 3, own.heads, -1)
            query, key, value = parted.permute(2, 0, 3, 1, 4)  # (texts, heads, width, head_width)
            key, value = key.to(self._dtype), value.to(self._dtype)
            return self._out(texts.pack(attend(query, key, value, own_mask, own.scale)))

        def look_at_source(states: Tensor) -> Tensor:
            asking = texts.pad(self._ask_source(states))
            query = asking.view(*asking.shape[:2], self._source.heads, -1).transpose(1, 2)
            if self._source.way is None:
                context = attend(query, *memory, self._source.scale)
            else:

                def share(way: SourceAttention, scores: Tensor, leaning: Tensor | None) -> Tensor:
                    return way.share_all(scores, bounds, leaning)

                context = attend_sharing(self._source, query, memory, share)
            return self._source_out(texts.pack(context))

        return self._through(hidden, look_back, look_at_source)

    def _through(self, hidden: Tensor, look_back: Map, look_at_source: Map) -> Tensor:
        """Go through the blocks of the layer."""
        parts = self._parts
        hidden = parts.around(self._own.norm, look_back, hidden)
        hidden = parts.around(self._source.norm, look_at_source, hidden)
        return parts.around(parts.norm, self._feed_forward, hidden)


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
        self.layers = [DecoderLayer(layer, arithmetic) for layer in parts.layers]
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
        for layer, (keys, values) in zip(self.layers, memory, strict=True):
            hidden = layer.whole(hidden, texts, own_mask, (keys, values, mask), bounds)
        return self.closing(hidden)

    def _mask_ahead(self, width: int, device: torch.device) -> Tensor:
        """What to add to attention scores among the tokens of texts, so that none looks ahead."""
        before = torch.ones(width, width, device=device).tril().bool()
        mask = attention_mask(before)
        if self.distances is None:
            return mask
        places = torch.arange(width, device=device)
        return mask + self.distances.bias(places.unsqueeze(1), places.unsqueeze(0))
