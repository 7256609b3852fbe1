"""The cache of a running search: rows of sentences that come, advance and go."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from subfit.decoding.attention import attention_mask
from subfit.decoding.covering import Spending, coverage_penalty
from subfit.decoding.decoder import Decoder, LayerCache, Place
from subfit.decoding.packing import NEVER, padded_width
from subfit.decoding.slots import Slots


class DecoderCache:
    """Keys and values of the sentences that are being translated.

    Args:
        decoder: The layers.
        rows: Most sentences at once.
        beams: Hypotheses of each.
        device: Where they are computed.
        watched: Keep what hypotheses attend to, also where the model itself does without.
    """

    def __init__(
        self,
        decoder: Decoder,
        rows: int,
        beams: int,
        device: torch.device,
        *,
        watched: bool = False,
    ) -> None:
        self._watched = watched or decoder.remembers
        self.spent: Tensor | None = None
        """(rows, beams, source_length) attention of each hypothesis so far, if it is kept."""
        self._spent_steps = torch.empty(0)
        """(rows, steps, beams, source_length)"""
        self._bounds: Tensor | None = None
        """(rows, source_length)"""
        self._decoder, self._rows, self._beams, self._device = decoder, rows, beams, device
        self._slots = Slots(rows, beams, decoder.head_width, device)
        self._own: list[list[Tensor]] = []
        """Keys and values of each layer, (rows, heads, slots, head_width)."""
        self._memory = torch.empty(0)
        """(layers, 2, rows, heads, source_length, head_width)"""
        self._mask = torch.empty(0)
        """(rows, 1, 1, source_length)"""

    def _resize(self, slots: int) -> None:
        """Make the caches exactly so long: products of parts of a tensor are far slower."""
        decoder = self._decoder
        shape = (self._rows, decoder.heads, slots, decoder.head_width)
        none = torch.empty(self._rows, decoder.heads, 0, decoder.head_width, device=self._device)
        former = self._own or [[none, none] for _ in decoder.layers]
        kept = min(slots, former[0][0].shape[2])

        def resized(then: Tensor) -> Tensor:
            now = torch.empty(shape, dtype=decoder.dtype, device=self._device)
            now[:, :, :kept] = then[:, :, :kept]
            now[:, :, kept:] = 0.0  # not what memory holds: a masked nan would still be one
            return now

        self._own = [[resized(then) for then in layer] for layer in former]

    def _resize_spent(self, steps: int) -> None:
        """Make what is kept of attention so long."""
        spent, width = self._spent_steps, self._mask.shape[-1]
        shape = (self._rows, steps, self._beams, width)
        self._spent_steps = torch.zeros(shape, device=self._device)
        if spent.numel():
            kept = min(steps, spent.shape[1])
            self._spent_steps[:, :kept] = spent[:, :kept]

    def admit(self, rows: Tensor, memories: Sequence[Tensor]) -> None:
        """Put sources into rows.

        Args:
            rows: (n,) rows that are free.
            memories: What the decoder keeps of each source.
        """
        memory, mask = self._decoder.padded(memories)
        width = max(memory.shape[4], self._mask.shape[-1])
        if self._mask.shape[-1] < width or not len(self._mask):
            layers, two, _, heads, _, head_width = memory.shape
            shape = (layers, two, self._rows, heads, width, head_width)
            self._memory = _placed(self._memory, memory.new_zeros(shape), -2)
            empty = torch.full((self._rows, 1, 1, width), NEVER, device=self._device)
            empty[..., 0] = 0.0
            self._mask = _placed(self._mask, empty, -1)
            self._widen(width)
        own = memory.shape[4]
        self._memory[:, :, rows, :, :own] = memory
        self._mask[rows] = NEVER
        self._mask[rows, :, :, :own] = mask
        if self._watched:
            bounds = self._decoder.bounds(memories)
            if bounds is not None and self._bounds is not None:
                self._bounds[rows] = 0.0
                self._bounds[rows, :own] = bounds

    def _widen(self, width: int) -> None:
        """Make what is kept of attention as wide as the sources."""
        if not self._watched:
            return
        if self._decoder.bounded:
            former = torch.empty(0) if self._bounds is None else self._bounds
            empty = torch.ones(self._rows, width, device=self._device)
            self._bounds = _placed(former, empty, -1)
        if self._spent_steps.numel():
            shape = (*self._spent_steps.shape[:3], width)
            self._spent_steps = _placed(self._spent_steps, self._mask.new_zeros(shape), -1)

    def narrow(self, longest: int) -> None:
        """Forget the padding that no source needs of which the longest has so many tokens."""
        width = padded_width(longest)
        if width < self._mask.shape[-1]:
            self._memory = self._memory[..., :width, :].contiguous()
            self._mask = self._mask[..., :width].contiguous()
            self._spent_steps = self._spent_steps[..., :width].contiguous()
            if self._bounds is not None:
                self._bounds = self._bounds[:, :width].contiguous()

    def next(
        self, tokens: Tensor, positions: Tensor, origins: Tensor, asked: Tensor, emitted: Tensor
    ) -> Tensor:
        """Feed the newest token of every hypothesis.

        Args:
            tokens: (rows, beams) token ids.
            positions: (rows,) their positions.
            origins: (rows, beams, steps) the beam in which each token of each hypothesis was fed,
                the newest included; -1 after it. What lies beyond so many steps is forgotten.
            asked: (rows,) lengths asked for, 0 for none.
            emitted: (rows, beams) characters so far, those of ``tokens`` included.

        Returns:
            (rows * beams, d) states.
        """
        rows, beams, steps = origins.shape
        self._find_slots(positions, origins)
        if self._watched and self._spent_steps.shape[1:2] != (steps,):
            self._resize_spent(steps)
        place = Place(
            torch.arange(rows, device=origins.device),
            positions,
            self._slots.newest,
            self._own_mask(positions),
            self._mask,
        )
        hidden = self._decoder.embed(
            tokens.flatten(),
            positions.repeat_interleave(beams),
            asked.repeat_interleave(beams),
            emitted.flatten(),
        )
        spending = self._spending(origins, positions) if self._watched else None
        last = len(self._decoder.layers) - 1
        for number, layer in enumerate(self._decoder.layers):
            (keys, values), memory = self._own[number], self._memory[number]
            cache = LayerCache(keys, values, memory[0], memory[1])
            cache.spending = spending if number == last else None
            hidden = layer.step(hidden, place, cache)
        self.spent = None if spending is None else spending.spent
        return self._decoder.closing(hidden)

    def _find_slots(self, positions: Tensor, origins: Tensor) -> None:
        """Find room for the newest tokens, and give up what no hypothesis attends to any more."""
        kept = self._slots.feed(positions, origins)
        if kept is not None:
            rows, order = kept
            for tensor in (tensor for layer in self._own for tensor in layer):
                index = order[:, None, :, None].expand(-1, tensor.shape[1], -1, tensor.shape[3])
                tensor[rows, :, : order.shape[1]] = tensor[rows].gather(2, index)
        if not self._own or self._own[0][0].shape[2] != self._slots.count:
            self._resize(self._slots.count)

    def _spending(self, origins: Tensor, positions: Tensor) -> Spending:
        """What hypotheses have attended to, by which earlier tokens they have."""
        within = torch.arange(self._beams, device=origins.device)
        reached = origins.unsqueeze(3) == within  # (rows, beams, steps, beams)
        steps = torch.arange(reached.shape[2], device=reached.device)
        newest = steps == positions.unsqueeze(1)  # (rows, steps)
        before = reached & ~newest[:, None, :, None]
        return Spending(self._spent_steps, before.flatten(2).float(), self._bounds)

    def penalty(self, rows: Tensor, beams: Tensor) -> Tensor:
        """Return what hypotheses, by rows and beams (n,), leave uncovered; the sink is no word."""
        assert self.spent is not None
        real = self._mask[rows, 0, 0] == 0.0  # (n, source_length)
        if self._decoder.sink is not None:  # it stands behind all others
            places = torch.arange(real.shape[1], device=real.device)
            real &= places < real.sum(1, keepdim=True) - 1
        return coverage_penalty(self.spent[rows, beams], real)

    def _own_mask(self, positions: Tensor) -> Tensor:
        """A mask over the cache, with what the model adds for distances, if it does."""
        mask = attention_mask(self._slots.reached().unsqueeze(1))
        distances = self._decoder.distances
        if distances is None:
            return mask
        fed_at = self._slots.positions().unsqueeze(1)
        return mask + distances.bias(positions.view(-1, 1, 1), fed_at)

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, an index (n,)."""
        self._rows = len(rows)
        self._slots.keep(rows)
        self._own = [[tensor.index_select(0, rows) for tensor in layer] for layer in self._own]
        self._memory = self._memory.index_select(2, rows)
        self._mask = self._mask.index_select(0, rows)
        if self._spent_steps.numel():
            self._spent_steps = self._spent_steps.index_select(0, rows)
        if self._bounds is not None:
            self._bounds = self._bounds.index_select(0, rows)


def _placed(former: Tensor, empty: Tensor, axis: int) -> Tensor:
    """Return ``empty`` with ``former``, which is as large but for one axis, at its beginning."""
    if former.numel():
        empty.narrow(axis, 0, former.shape[axis]).copy_(former)
    return empty
