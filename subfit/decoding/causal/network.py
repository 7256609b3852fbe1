"""A decoder-only model as a search sees it: prompts in, log-probabilities of the next token out."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

from subfit.decoding.causal.cache import CausalCache, Memory
from subfit.decoding.causal.token_texts import TokenTexts

ENCODED_TOKENS = 4096
"""Tokens of prompts that go through the model together, padding included."""
NO_TOKEN = -1


class CausalNetwork:
    """One decoder-only model.

    What ends an answer is one column: the end of a turn, or, behind some text, the end of its line.
    It has the probability of all these.

    Args:
        model: Of `transformers`, in evaluation mode.
        texts: Its vocabulary.
        positions: Most tokens of prompt and answer.
        most_steps: Most tokens of an answer.
    """

    first: int | None = None
    prefix = 1

    def __init__(self, model: Any, texts: TokenTexts, positions: int, most_steps: int) -> None:
        self.model, self.device = model, model.device
        self.positions, self.max_steps = positions, most_steps
        end = min(texts.ends)
        pieces = sorted({*texts.usable, end})
        self.pieces = torch.tensor(pieces, device=self.device)
        self._end = pieces.index(end)
        self._turn_ends = torch.tensor(sorted(texts.ends), device=self.device)
        self._all_ends = torch.tensor(sorted(texts.ends | texts.line_ends), device=self.device)
        self.config = SimpleNamespace(
            eos_token_id=end, pad_token_id=NO_TOKEN, decoder_start_token_id=end
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
        tokens = torch.full((len(rows), longest), self.config.eos_token_id, device=self.device)
        for row, own in zip(tokens, rows, strict=True):
            row[: len(own)] = torch.tensor(own, device=self.device)
        past = [
            (k.expand(len(rows), -1, -1, -1), v.expand(len(rows), -1, -1, -1))
            for k, v in before or ()
        ]
        mask = torch.ones(len(rows), known + longest, dtype=torch.int64, device=self.device)
        places = torch.arange(known, known + longest, device=self.device).expand(len(rows), -1)
        return self.forward(tokens, places, mask, past, rated=1)[1]

    def forward(
        self,
        tokens: Tensor,
        places: Tensor,
        mask: Tensor,
        past: Sequence[tuple[Tensor, Tensor]],
        rated: int = 0,
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """Run the model.

        Args:
            tokens: (rows, new) token ids.
            places: (rows, new) their positions.
            mask: (rows, known + new) what may be looked at, 1 or 0.
            past: Keys and values of each layer, (rows, heads, known, d).
            rated: Behind how many of the new tokens logits are wanted; 0 for all.

        Returns:
            Logits (rows, rated, vocabulary), and keys and values of each layer with the new tokens.
        """
        cache = DynamicCache(past) if past else DynamicCache()
        out = self.model(
            input_ids=tokens,
            position_ids=places,
            attention_mask=mask,
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=rated,
        )
        kept = [(layer.keys, layer.values) for layer in out.past_key_values.layers]
        return out.logits, kept

    def log_probabilities(self, logits: Tensor, opening: Tensor) -> Tensor:
        """Return (n, pieces) log-probabilities.

        Args:
            logits: (n, vocabulary)
            opening: (n,) whether nothing has been said yet.
        """
        log_probs = logits.float().log_softmax(-1)
        ends = log_probs[:, self._all_ends].logsumexp(-1)
        turn_ends = log_probs[:, self._turn_ends].logsumexp(-1)
        chosen = log_probs[:, self.pieces]
        chosen[:, self._end] = torch.where(opening, turn_ends, ends)
        return chosen

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
        return torch.searchsorted(self.pieces, tokens)

    def open(self, rows: int, beams: int, *, watched: bool = False) -> CausalCache:
        """Open a cache for at most ``rows`` prompts of ``beams`` hypotheses.

        Args:
            rows: Prompts at once.
            beams: Hypotheses of each.
            watched: Ignored: there is no attention to a source that could be watched.
        """
        return CausalCache(self, rows, beams)


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
