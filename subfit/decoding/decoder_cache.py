"""The cache of a running search: rows of sentences that come, advance and go."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from subfit.decoding.attention import attention_mask
from subfit.decoding.decoder import Decoder, LayerCache, Place
from subfit.decoding.packing import NEVER, padded_width


class DecoderCache:
    """Keys and values of the sentences that are being translated.

    Args:
        decoder: The layers.
        rows: Most sentences at once.
        beams: Hypotheses of each.
        device: Where they are computed.
    """

    def __init__(self, decoder: Decoder, rows: int, beams: int, device: torch.device) -> None:
        self._decoder, self._rows, self._beams, self._device = decoder, rows, beams, device
        self._own: list[list[Tensor]] = []
        """Of each layer keys and values, (rows, heads, steps, beams, head_width)."""
        self._memory = torch.empty(0)
        """(layers, 2, rows, heads, source_length, head_width)"""
        self._mask = torch.empty(0)
        """(rows, 1, 1, source_length)"""

    def _resize(self, steps: int) -> None:
        """Make the caches exactly so long: products of parts of a tensor are far slower."""
        decoder = self._decoder
        shape = (self._rows, decoder.heads, steps, self._beams, decoder.head_width)
        former = self._own
        # Zeros, not what memory holds: a masked nan would still be one.
        self._own = [
            [torch.zeros(shape, dtype=decoder.dtype, device=self._device) for _ in range(2)]
            for _ in decoder.layers
        ]
        for layer, before in zip(self._own, former, strict=False):
            for now, then in zip(layer, before, strict=True):
                kept = min(steps, then.shape[2])
                now[:, :, :kept] = then[:, :, :kept]

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
        own = memory.shape[4]
        self._memory[:, :, rows, :, :own] = memory
        self._mask[rows] = NEVER
        self._mask[rows, :, :, :own] = mask

    def narrow(self, longest: int) -> None:
        """Forget the padding that no source needs of which the longest has so many tokens."""
        width = padded_width(longest)
        if width < self._mask.shape[-1]:
            self._memory = self._memory[..., :width, :].contiguous()
            self._mask = self._mask[..., :width].contiguous()

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
        if not self._own or self._own[0][0].shape[2] != steps:
            self._resize(steps)
        within = torch.arange(beams, device=origins.device)
        reached = origins.unsqueeze(3) == within  # (rows, beams, steps, beams)
        place = Place(
            torch.arange(rows, device=origins.device),
            positions,
            self._own_mask(attention_mask(reached.flatten(2).unsqueeze(1)), positions, beams),
            self._mask,
        )
        hidden = self._decoder.embed(
            tokens.flatten(),
            positions.repeat_interleave(beams),
            asked.repeat_interleave(beams),
            emitted.flatten(),
        )
        for number, layer in enumerate(self._decoder.layers):
            (keys, values), memory = self._own[number], self._memory[number]
            hidden = layer.step(hidden, place, LayerCache(keys, values, memory[0], memory[1]))
        return self._decoder.closing(hidden)

    def _own_mask(self, mask: Tensor, positions: Tensor, beams: int) -> Tensor:
        """A mask over the cache, with what the model adds for distances, if it does."""
        distances = self._decoder.distances
        if distances is None:
            return mask
        steps = torch.arange(mask.shape[3] // beams, device=mask.device)
        bias = distances.bias(positions.view(-1, 1, 1), steps.view(1, 1, -1))
        return mask + bias.repeat_interleave(beams, dim=3)  # (rows, heads, beams, steps * beams)

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, an index (n,)."""
        self._rows = len(rows)
        self._own = [[each.index_select(0, rows) for each in layer] for layer in self._own]
        self._memory = self._memory.index_select(2, rows)
        self._mask = self._mask.index_select(0, rows)


def _placed(former: Tensor, empty: Tensor, axis: int) -> Tensor:
    """Return ``empty`` with ``former``, which is as large but for one axis, at its beginning."""
    if former.numel():
        empty.narrow(axis, 0, former.shape[axis]).copy_(former)
    return empty
