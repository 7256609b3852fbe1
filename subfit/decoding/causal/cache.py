"""The keys and values of a search over a decoder-only model that runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from subfit.decoding.causal.forward import CausalForward

Memory = tuple[Tensor, ...]
"""Of a prompt: its last token, (1,), and per layer keys and values of those before,
(heads, tokens, d) each."""


@dataclass(slots=True)
class _Layer:
    """Keys and values of one layer, (rows * beams, heads, steps, d)."""

    keys: Tensor
    values: Tensor


class CausalCache:
    """The cache of a search that runs.

    Prompts and answers end at the same column, whenever they came in; what stands left of a short
    one is masked, and cut off once no row needs it.
    """

    def __init__(self, forward: CausalForward, rows: int, beams: int) -> None:
        self._forward, self._rows, self._beams = forward, rows, beams
        device = forward.device
        self._layers: list[_Layer] = []
        self._mask = torch.zeros(rows, 0, dtype=torch.int64, device=device)
        """(rows, steps) what each row has."""
        self._last = torch.full((rows,), forward.end, device=device)
        """(rows,) the last token of each prompt, which is fed first."""
        self._fresh = torch.zeros(rows, dtype=torch.bool, device=device)
        """(rows,) whether nothing has been fed since a prompt came in."""

    def admit(self, rows: Tensor, memories: Sequence[Memory]) -> None:
        """Put prompts into free rows, (n,)."""
        lengths = [memory[1].shape[1] for memory in memories]
        self._mask[rows] = 0
        self._open_layers(memories[0])
        self._pad(max(lengths) - self._mask.shape[1])
        self._trim(max(lengths))
        width = self._mask.shape[1]
        for row, length, memory in zip(rows.tolist(), lengths, memories, strict=True):
            self._mask[row, width - length :] = 1
            self._last[row] = memory[0]
            beams = slice(row * self._beams, (row + 1) * self._beams)
            for number, layer in enumerate(self._layers):
                layer.keys[beams, :, width - length :] = memory[1 + 2 * number]
                layer.values[beams, :, width - length :] = memory[2 + 2 * number]
        self._fresh[rows] = True

    def _open_layers(self, memory: Memory) -> None:
        if self._layers:
            return
        for keys, values in zip(memory[1::2], memory[2::2], strict=True):
            rows = self._rows * self._beams
            self._layers.append(
                _Layer(
                    keys.new_zeros(rows, keys.shape[0], 0, keys.shape[2]),
                    values.new_zeros(rows, values.shape[0], 0, values.shape[2]),
                )
            )

    def _pad(self, more: int) -> None:
        """Make room on the left."""
        if more <= 0:
            return
        self._mask = torch.cat([self._mask.new_zeros(len(self._mask), more), self._mask], dim=1)
        for layer in self._layers:
            for name in ("keys", "values"):
                old = getattr(layer, name)
                room = old.new_zeros(*old.shape[:2], more, old.shape[3])
                setattr(layer, name, torch.cat([room, old], dim=2))

    def _trim(self, least: int) -> None:
        """Cut off what no row has on the left, but leave so many columns."""
        used = self._mask.any(dim=0).nonzero()
        first = int(used[0]) if len(used) else self._mask.shape[1]
        first = min(first, self._mask.shape[1] - least)
        if first > 0:
            self._mask = self._mask[:, first:]
            for layer in self._layers:
                layer.keys, layer.values = layer.keys[:, :, first:], layer.values[:, :, first:]

    def narrow(self, longest: int) -> None:
        """Forget padding; see `admit`, which does."""

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, an index (n,)."""
        beams = (rows.unsqueeze(1) * self._beams + self._within()).flatten()
        self._rows = len(rows)
        self._mask, self._last, self._fresh = (
            tensor.index_select(0, rows) for tensor in (self._mask, self._last, self._fresh)
        )
        self._select(beams)
        self._trim(0)

    def _within(self) -> Tensor:
        return torch.arange(self._beams, device=self._forward.device)

    def _select(self, rows: Tensor) -> None:
        for layer in self._layers:
            layer.keys = layer.keys.index_select(0, rows)
            layer.values = layer.values.index_select(0, rows)

    def next(
        self, tokens: Tensor, positions: Tensor, origins: Tensor, asked: Tensor, emitted: Tensor
    ) -> Tensor:
        """Feed a token to every hypothesis.

        Args:
            tokens: (rows, beams) the newest; of new prompts their own last token is fed.
            positions: (rows,) of these tokens in their answers; 0 in rows that are done.
            origins: (rows, beams, steps) the beam in which each token of a hypothesis was fed.
            asked: Not used; the prompt says it.
            emitted: (rows, beams) code points said.

        Returns:
            (rows, beams, pieces) log-probabilities of what follows.
        """
        opening = positions == 0
        self._mask[opening & ~self._fresh] = 0  # nobody is there any more
        self._fresh.zero_()
        self._follow(positions, origins)
        tokens = torch.where(opening.unsqueeze(1), self._last.unsqueeze(1), tokens)
        logits = self._feed(tokens.reshape(-1, 1))[:, -1]
        silent = (emitted == 0).flatten()
        return self._forward.log_probabilities(logits, silent).view(*tokens.shape, -1)

    def _follow(self, positions: Tensor, origins: Tensor) -> None:
        """Let every beam have the cache of the hypothesis that it goes on with."""
        before = (positions - 1).clamp(min=0).view(-1, 1, 1).expand(-1, self._beams, 1)
        parents = origins.gather(2, before).squeeze(2)  # (rows, beams)
        within = self._within().expand_as(parents)
        parents = torch.where((positions == 0).unsqueeze(1), within, parents.clamp(min=0))
        if not torch.equal(parents, within):
            first = torch.arange(self._rows, device=parents.device).unsqueeze(1) * self._beams
            self._select((first + parents).flatten())

    def _feed(self, tokens: Tensor) -> Tensor:
        """Feed (rows * beams, new) tokens; return logits (rows * beams, new, vocabulary)."""
        new = tokens.shape[1]
        fed = self._mask.new_ones(self._rows, new)
        places = self._mask.sum(1, keepdim=True) + torch.arange(new, device=tokens.device)
        self._mask = torch.cat([self._mask, fed], dim=1)
        past = [(layer.keys, layer.values) for layer in self._layers]
        mask = self._mask.repeat_interleave(self._beams, dim=0)
        places = places.repeat_interleave(self._beams, dim=0)
        logits, kept = self._forward.run(tokens, places, mask, past)
        self._layers = [_Layer(*layer) for layer in kept]
        return logits

    def rate(self, targets: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return the log-probability of every token of an answer in each row, of one beam."""
        device, longest = self._forward.device, max(map(len, targets))
        fed = torch.full((len(targets), longest), self._forward.end, device=device)
        for row, last, target in zip(fed, self._last, targets, strict=True):
            row[0] = last
            row[1 : len(target)] = torch.tensor(target[:-1], device=device)
        logits = self._feed(fed)
        opening = torch.zeros(longest, dtype=torch.bool, device=device)
        opening[0] = True
        rated = []
        for row, target in zip(logits, targets, strict=True):
            log_probs = self._forward.log_probabilities(row, opening)
            columns = self._forward.index(torch.tensor(target, device=device)).unsqueeze(1)
            rated.append(log_probs[: len(target)].gather(1, columns).squeeze(1).tolist())
        return rated
