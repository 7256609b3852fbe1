"""A decoder-only model as a search sees it: prompts in, log-probabilities of the next token out."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import torch
from torch import Tensor

from subfit.decoding.causal.cache import CausalCache, Memory
from subfit.decoding.causal.forward import CausalForward

ENCODED_TOKENS = 4096
"""Tokens of prompts that go through the model together, padding included."""
NO_TOKEN = -1


class CausalNetwork:
    """A decoder-only model as the search takes it.

    Args:
        model: The model.
        positions: Most tokens of prompt and answer.
        most_steps: Most tokens of an answer.
    """

    first: int | None = None
    prefix = 1

    def __init__(self, model: CausalForward, positions: int, most_steps: int) -> None:
        self._model, self.device, self.pieces = model, model.device, model.pieces
        self.positions, self.max_steps = positions, most_steps
        self.config = SimpleNamespace(
            eos_token_id=model.end, pad_token_id=NO_TOKEN, decoder_start_token_id=model.end
        )

    @torch.inference_mode()
    def encode(self, sources: Sequence[Sequence[int]]) -> list[Memory]:
        """Read prompts, each once; what all begin with is read once for all.

        Args:
            sources: Token ids of each, two or more.
        """
        prompts = list(dict.fromkeys(map(tuple, sources)))
        common = _shared([prompt[:-1] for prompt in prompts]) if len(prompts) > 1 else 0
        before = self._read([prompts[0][:common]]) if common else None
        memories: dict[tuple[int, ...], Memory] = {}
        for part in _parts(prompts):
            rests = [prompt[common:-1] for prompt in part]
            cache = self._read(rests, before)
            for row, prompt in enumerate(part):
                last = torch.tensor(prompt[-1:], device=self.device)
                length = len(prompt) - 1
                kept = (tensor[row, :, :length].clone() for layer in cache for tensor in layer)
                memories[prompt] = (last, *kept)
        return [memories[tuple(source)] for source in sources]

    def _read(
        self, rows: Sequence[Sequence[int]], before: list[tuple[Tensor, Tensor]] | None = None
    ) -> list[tuple[Tensor, Tensor]]:
        """Keys and values of each layer, (rows, heads, tokens, d), padded on the right."""
        known = before[0][0].shape[2] if before else 0
        longest = max(1, *map(len, rows))
        tokens = torch.full((len(rows), longest), self._model.end, device=self.device)
        for row, own in zip(tokens, rows, strict=True):
            row[: len(own)] = torch.tensor(own, device=self.device)
        past = [
            (k.expand(len(rows), -1, -1, -1), v.expand(len(rows), -1, -1, -1))
            for k, v in before or ()
        ]
        mask = torch.ones(len(rows), known + longest, dtype=torch.int64, device=self.device)
        places = torch.arange(known, known + longest, device=self.device).expand(len(rows), -1)
        return self._model.run(tokens, places, mask, past, rated=1)[1]

    @torch.inference_mode()
    def rate(
        self, targets: Sequence[Sequence[int]], memories: Sequence[Memory]
    ) -> list[list[float]]:
        """Return the log-probability of every token of answers.

        Args:
            targets: Token ids of each, the end last.
            memories: Of the prompts that they answer.
        """
        running = self.open(len(targets), 1)
        running.admit(torch.arange(len(targets), device=self.device), memories)
        return running.rate(targets)

    def index(self, tokens: Tensor) -> Tensor:
        """Return where token ids stand among the pieces that may be used."""
        return self._model.index(tokens)

    def open(self, rows: int, beams: int, *, watched: bool = False) -> CausalCache:
        """Open a cache for at most ``rows`` prompts of ``beams`` hypotheses.

        Args:
            rows: Prompts at once.
            beams: Hypotheses of each.
            watched: Ignored: there is no attention to a source that could be watched.
        """
        return CausalCache(self._model, rows, beams)


def _shared(prompts: Sequence[tuple[int, ...]]) -> int:
    """How many tokens all prompts begin with."""
    first, last = min(prompts), max(prompts)
    same = [one == other for one, other in zip(first, last, strict=False)]
    return same.index(False) if False in same else len(same)


def _parts(prompts: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Cut prompts into parts of a bounded number of tokens, short ones first."""
    parts: list[list[tuple[int, ...]]] = []
    for prompt in sorted(prompts, key=len):
        if not parts or len(prompt) * (len(parts[-1]) + 1) > ENCODED_TOKENS:
            parts.append([])
        parts[-1].append(prompt)
    return parts
