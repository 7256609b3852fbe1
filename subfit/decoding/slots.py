"""Where the keys and values of a running search stand, and which of them a hypothesis attends to.

Every token that is fed gets a slot, and stays there though its hypothesis changes beams. Of the
tokens that were fed long ago most belong to hypotheses that lost: their slots are given up every
few steps, so that attention has little more to read than what some hypothesis still reaches.
"""

from __future__ import annotations

import torch
from torch import Tensor

from subfit.decoding.packing import padded_width

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
