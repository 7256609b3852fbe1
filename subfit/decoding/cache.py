"""The cache of a running search: rows of sentences that come, advance and go.

Every token that is fed gets a slot, and stays there though its hypothesis changes beams. Of the
tokens that were fed long ago most belong to hypotheses that lost: their slots are given up every
few steps, so that attention has little more to read than what some hypothesis still reaches.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from subfit.decoding.attention import NEVER, attention_mask, padded_width
from subfit.decoding.layers import Decoder, LayerCache, Place, Spending, coverage_penalty

EVERY = 8
"""Steps of a sentence after which slots are given up. It is the sentence's own steps that count:
what stands where, and so the last bit of every sum, does not depend on its neighbours."""
_SMALL_PRODUCT = 400
"""Products of matrices of fewer multiplications are summed otherwise than larger ones, on CPU."""


class Slots:
    """The slots of the sentences that are being translated.

    Args:
        rows: Most sentences at once.
        beams: Hypotheses of each.
        head_width: Of keys and values.
        device: Where they are computed.
    """

    def __init__(self, rows: int, beams: int, head_width: int, device: torch.device) -> None:
        self._beams, self._device = beams, device
        self._fewest = padded_width(-(-_SMALL_PRODUCT // (beams * head_width)))
        self._within = torch.arange(beams, device=device)
        self._of = torch.zeros(rows, 0, beams, dtype=torch.int64, device=device)
        """(rows, steps, beams) the slot of each token, by the beam it was fed in."""
        self._used = torch.zeros(rows, dtype=torch.int64, device=device)
        """(rows,) how many slots hold something."""
        self.newest = torch.zeros(rows, beams, dtype=torch.int64, device=device)
        """(rows, beams) the slots of the newest tokens."""
        self.count = 0
        """Slots of each row, unused ones included: what attention goes over."""
        self._origins = torch.zeros(rows, beams, 0, dtype=torch.int64, device=device)
        """(rows, beams, steps) where the tokens of each hypothesis were fed; -1 for none."""

    def feed(self, positions: Tensor, origins: Tensor) -> tuple[Tensor, Tensor] | None:
        """Find slots for the newest tokens.

        Args:
            positions: (rows,) of the newest tokens.
            origins: (rows, beams, steps) the beam in which each token of each hypothesis was fed,
                the newest included.

        Returns:
            What to keep, before anything is written, if slots were given up: rows (n,), and for
            each of them the slots (n, kept) to keep, in their new order.
        """
        rows, _, steps = origins.shape
        now = self._of.shape[1]
        if steps > now:
            more = self._of.new_zeros(rows, steps - now, self._beams)
            self._of = torch.cat([self._of, more], dim=1)
        elif steps < now:
            self._of = self._of[:, :steps].contiguous()
        later = torch.arange(steps, device=self._device) > positions.view(-1, 1, 1)
        self._origins = origins.masked_fill(later, -1)
        self._used.masked_fill_(positions == 0, 0)
        kept = self._give_up(positions)
        self.newest = self._used.unsqueeze(1) + self._within
        self._of[torch.arange(rows, device=self._device), positions] = self.newest
        self._used = self._used + self._beams
        self.count = max(self._fewest, padded_width(int(self._used.max())))
        return kept

    def _give_up(self, positions: Tensor) -> tuple[Tensor, Tensor] | None:
        """Give up what no hypothesis reaches, of the sentences whose turn it is."""
        if self._beams == 1:
            return None
        rows = ((positions > 0) & (positions % EVERY == 0)).nonzero().squeeze(1)
        if not len(rows):
            return None
        newest = torch.arange(self._origins.shape[2], device=self._device) == positions[rows].view(
            -1, 1, 1
        )
        slots = self._slots_of(self._origins[rows].masked_fill(newest, -1), self._of[rows])
        held = _marked(slots, self.count).any(1)  # (n, slots)
        places = (held.cumsum(1) - 1).clamp(min=0)
        former = self._of[rows].clamp(max=self.count - 1)  # of steps to come they mean nothing
        self._of[rows] = places.gather(1, former.flatten(1)).view_as(former)
        counts = held.sum(1)
        self._used[rows] = counts
        order = held.logical_not().to(torch.uint8).argsort(dim=1, stable=True)
        return rows, order[:, : int(counts.max())]

    def reached(self) -> Tensor:
        """Return (rows, beams, slots): whether a slot holds a token of a hypothesis."""
        return _marked(self._slots_of(self._origins, self._of), self.count)

    def positions(self) -> Tensor:
        """Return (rows, slots) the positions of the tokens that hypotheses have; 0 elsewhere."""
        slots = self._slots_of(self._origins, self._of)
        steps = torch.arange(slots.shape[2], device=self._device).expand_as(slots)
        table = steps.new_zeros(len(slots), self.count + 1)
        table.scatter_(1, _or_behind(slots, self.count).flatten(1), steps.flatten(1))
        return table[:, : self.count]

    def _slots_of(self, origins: Tensor, table: Tensor) -> Tensor:
        """The slots (n, beams, steps) of the tokens of each hypothesis; -1 for none."""
        fed_in = origins.transpose(1, 2)  # (n, steps, beams)
        slots = table.gather(2, fed_in.clamp(min=0)).masked_fill(fed_in < 0, -1)
        return slots.transpose(1, 2)

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, an index (n,)."""
        self._of, self._used = self._of[rows], self._used[rows]


def _marked(slots: Tensor, count: int) -> Tensor:
    """Mark (n, beams, count) those of so many slots that are among some (n, beams, steps)."""
    marks = torch.zeros(*slots.shape[:2], count + 1, dtype=torch.bool, device=slots.device)
    marks.scatter_(2, _or_behind(slots, count), value=True)
    return marks[..., :count]


def _or_behind(slots: Tensor, count: int) -> Tensor:
    """Slots, and the one behind the last for none."""
    return slots.masked_fill(slots < 0, count)


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
        self._spent = torch.empty(0)
        """(rows, beams, source_length) attention of each hypothesis so far, if it is kept."""
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
        empty = self._mask.new_zeros(self._rows, self._beams, width)
        self._spent = _placed(self._spent, empty, -1)

    def narrow(self, longest: int) -> None:
        """Forget the padding that no source needs of which the longest has so many tokens."""
        width = padded_width(longest)
        if width < self._mask.shape[-1]:
            self._memory = self._memory[..., :width, :].contiguous()
            self._mask = self._mask[..., :width].contiguous()
            self._spent = self._spent[..., :width].contiguous()
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
        rows, beams = tokens.shape
        self._find_slots(positions, origins)
        place = Place(
            torch.arange(rows, device=origins.device),
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
        if spending is not None:
            self._spent = spending.spent
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
        """What hypotheses have attended to: as much as those that their newest tokens follow."""
        last = (positions - 1).clamp(min=0).view(-1, 1, 1).expand(-1, origins.shape[1], 1)
        parents = origins.gather(2, last).clamp(min=0)  # (rows, beams, 1)
        before = self._spent.gather(1, parents.expand_as(self._spent))
        return Spending(before.masked_fill(positions.view(-1, 1, 1) == 0, 0.0), self._bounds)

    def penalty(self, rows: Tensor, beams: Tensor) -> Tensor:
        """Return what hypotheses, by rows and beams (n,), leave uncovered; the sink is no word."""
        real = self._mask[rows, 0, 0] == 0.0  # (n, source_length)
        if self._decoder.sink is not None:  # it stands behind all others
            places = torch.arange(real.shape[1], device=real.device)
            real &= places < real.sum(1, keepdim=True) - 1
        return coverage_penalty(self._spent[rows, beams], real)

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
        if self._watched:
            self._spent = self._spent.index_select(0, rows)
        if self._bounds is not None:
            self._bounds = self._bounds.index_select(0, rows)


def _placed(former: Tensor, empty: Tensor, axis: int) -> Tensor:
    """Return ``empty`` with ``former``, which is as large but for one axis, at its beginning."""
    if former.numel():
        empty.narrow(axis, 0, former.shape[axis]).copy_(former)
    return empty
