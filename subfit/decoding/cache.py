"""The cache of a running search: rows of sentences that come, advance and go.

Every token that is fed gets a slot, and stays there though its hypothesis changes beams: that
attends to the slots of its own tokens. Of the tokens fed long ago most belong to hypotheses that
lost: their slots are given up every few steps. Keys and values of a source are kept once for all
hypotheses.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import pad

from subfit.decoding.attention import NEVER, attention_mask, padded_width
from subfit.decoding.layers import Decoder, Place, coverage_penalty
from subfit.model.attention import SourceAttention

_EVERY = 8
"""Steps of a sentence after which slots are given up. It is the sentence's own steps that count:
what stands where, and so the last bit of every sum, does not depend on its neighbours."""
_ROOM = 64
"""Slots that there is room made for at once."""
_SMALL_PRODUCT = 400
"""Products of matrices of fewer multiplications are summed otherwise than larger ones, on CPU."""


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
        self._decoder, self._beams = decoder, torch.arange(beams, device=device)
        self._watched = watched or decoder.remembers
        self._fewest = padded_width(-(-_SMALL_PRODUCT // (beams * decoder.head_width)))
        layers, heads, width = len(decoder.layers), decoder.heads, decoder.head_width

        def empty(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device=device)

        self._own = empty(layers, 2, rows, heads, 0, width, dtype=decoder.dtype)
        """(layers, 2, rows, heads, slots and more, head_width)"""
        self._fed = empty(rows, 0, dtype=torch.int64)
        """(rows, slots) ``position * beams + beam`` of the token in each slot; -1 for none."""
        self._memory = empty(layers, 2, rows, heads, 0, width, dtype=decoder.dtype)
        """(layers, 2, rows, heads, source_length, head_width)"""
        self._mask = empty(rows, 1, 1, 0)
        """(rows, 1, 1, source_length)"""
        self._spent = empty(rows, beams, 0)
        """(rows, beams, source_length) attention of each hypothesis so far, if it is kept."""
        self._bounds = empty(rows, 0) if decoder.bounded else None
        """(rows, source_length) fertilities, where the model has any."""

    def admit(self, rows: Tensor, memories: Sequence[Tensor]) -> None:
        """Put sources into rows.

        Args:
            rows: (n,) rows that are free.
            memories: What the decoder keeps of each source.
        """
        memory, mask = self._decoder.padded(memories)
        own = mask.shape[-1]
        self._resize(max(own, self._mask.shape[-1]))
        self._memory[:, :, rows, :, :own] = memory
        self._mask[rows] = NEVER
        self._mask[rows, :, :, :own] = mask
        self._spent[rows] = 0.0
        bounds = self._decoder.bounds(memories)
        if bounds is not None and self._bounds is not None:
            self._bounds[rows] = 0.0
            self._bounds[rows, :own] = bounds
        self._narrow()

    def _narrow(self) -> None:
        """Forget the padding that no source needs."""
        self._resize(padded_width(int((self._mask == 0.0).sum(-1).max())))

    def _resize(self, width: int) -> None:
        """Make room for sources of so many tokens, and no more."""
        self._memory = _resized(self._memory, width, -2)
        self._mask = _resized(self._mask, width, -1, NEVER)
        self._mask[..., 0] = 0.0  # also of rows without a source, where attention must go somewhere
        self._spent = _resized(self._spent, width, -1)
        if self._bounds is not None:
            self._bounds = _resized(self._bounds, width, -1, 1.0)

    def next(
        self, tokens: Tensor, origins: Tensor, positions: Tensor, asked: Tensor, emitted: Tensor
    ) -> Tensor:
        """Feed the newest token of every hypothesis.

        Args:
            tokens: (rows, beams) token ids.
            origins: (rows, beams, steps) the beam in which each token of each hypothesis was fed,
                the newest included; -1 after it.
            positions: (rows,) of the newest tokens.
            asked: (rows,) lengths asked for, 0 for none.
            emitted: (rows, beams) characters so far, those of ``tokens`` included.

        Returns:
            (rows * beams, d) states.
        """
        beams = len(self._beams)
        slots = self._find_slots(origins, positions)
        hidden = self._decoder.embed(
            tokens.flatten(),
            positions.repeat_interleave(beams),
            asked.repeat_interleave(beams),
            emitted.flatten(),
        )
        place = Place(
            torch.arange(len(tokens), device=tokens.device).unsqueeze(1),
            slots,
            self._own_mask(origins, positions),
        )
        if self._watched:  # as much as those that the newest tokens follow
            last = (positions - 1).clamp(min=0).view(-1, 1, 1).expand(-1, beams, 1)
            parents = origins.gather(2, last).clamp(min=0)
            self._spent = self._spent.gather(1, parents.expand_as(self._spent))
        own = self._own[..., : self._fed.shape[1], :]
        for number, layer in enumerate(self._decoder.layers):
            last_one = number == len(self._decoder.layers) - 1
            share = self._share if self._watched and last_one else None
            memory = *self._memory[number], self._mask
            hidden = layer.step(hidden, place, own[number], memory, share)
        return self._decoder.closing(hidden)

    def _find_slots(self, origins: Tensor, positions: Tensor) -> Tensor:
        """Find (rows, beams) slots for the newest tokens, and give up those out of reach."""
        self._fed.masked_fill_(positions.unsqueeze(1) == 0, -1)
        rows = ((positions > 0) & (positions % _EVERY == 0)).nonzero().squeeze(1)
        if len(rows):
            held = self._reached(origins)[rows].any(1)  # (n, slots)
            order = held.int().argsort(dim=1, descending=True, stable=True)
            self._fed[rows] = self._fed[rows].masked_fill(~held, -1).gather(1, order)
            order = order[:, : int(held.sum(1).max())]
            self._move(rows, order)
        used = (self._fed >= 0).sum(1, keepdim=True)
        width = max(self._fewest, padded_width(int(used.max()) + len(self._beams)))
        self._fed = _resized(self._fed, width, -1, -1)
        if width > self._own.shape[-2]:  # to copy it takes as long as half a step
            self._own = _resized(self._own, -(-width // _ROOM) * _ROOM, -2)
        slots = used + self._beams
        self._fed.scatter_(1, slots, positions.unsqueeze(1) * len(self._beams) + self._beams)
        return slots

    def _move(self, rows: Tensor, slots: Tensor) -> None:
        """Put what is in slots (n, kept) of rows (n,) into the first ones of these."""
        layers, _, _, heads, room, width = self._own.shape
        places = torch.arange(heads, device=rows.device) + rows.unsqueeze(1) * heads
        starts = (places * room).unsqueeze(2)  # (n, heads, 1)
        to = starts + torch.arange(slots.shape[1], device=rows.device)
        flat = self._own.view(layers * 2, -1, width)
        kept = flat.index_select(1, (starts + slots.unsqueeze(1)).flatten())
        flat.index_copy_(1, to.flatten(), kept)

    def _reached(self, origins: Tensor) -> Tensor:
        """Whether each slot holds a token of each hypothesis, (rows, beams, slots)."""
        beams, fed = len(self._beams), self._fed.unsqueeze(1)
        steps = (fed.clamp(min=0) // beams).expand(-1, beams, -1)
        return (origins.gather(2, steps) == fed % beams) & (fed >= 0)

    def _own_mask(self, origins: Tensor, positions: Tensor) -> Tensor:
        """A mask over the slots, with what the model adds for distances, if it does."""
        mask = attention_mask(self._reached(origins).unsqueeze(1))
        if self._decoder.distances is None:
            return mask
        fed_at = self._fed[:, None].clamp(min=0) // len(self._beams)
        return mask + self._decoder.distances.bias(positions.view(-1, 1, 1), fed_at)

    def _share(self, way: SourceAttention, scores: Tensor, leaning: Tensor | None) -> Tensor:
        """Return how the newest tokens attend to their sources, and note it."""
        shares = way.share(scores, self._spent, self._bounds, leaning)
        self._spent = self._spent + shares.mean(1)
        return shares

    def penalty(self, rows: Tensor, beams: Tensor) -> Tensor:
        """Return what hypotheses, by rows and beams (n,), leave uncovered; the sink is no word."""
        real = self._mask[rows, 0, 0] == 0.0  # (n, source_length)
        if self._decoder.sink is not None:  # it stands behind all others
            places = torch.arange(real.shape[1], device=real.device)
            real &= places < real.sum(1, keepdim=True) - 1
        return coverage_penalty(self._spent[rows, beams], real)

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, an index (n,)."""
        self._own, self._memory = self._own[:, :, rows], self._memory[:, :, rows]
        self._fed, self._mask, self._spent = self._fed[rows], self._mask[rows], self._spent[rows]
        if self._bounds is not None:
            self._bounds = self._bounds[rows]
        self._narrow()


def _resized(tensor: Tensor, size: int, axis: int, fill: float = 0.0) -> Tensor:
    """Return a tensor exactly so long: products of parts of a tensor are far slower."""
    missing = size - tensor.shape[axis]
    if missing > 0:
        return pad(tensor, [0, 0] * (-axis - 1) + [0, missing], value=fill)
    return tensor.narrow(axis, 0, size).contiguous() if missing else tensor
