"""One forward pass of a decoder-only model, over those of its pieces that may be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

from subfit.decoding.causal.token_texts import TokenTexts


class CausalForward:
    """A decoder-only model and its pieces.

    What ends an answer is one column: the end of a turn, or, behind some text, the end of its line.
    It has the probability of all these.

    Args:
        model: Of `transformers`, in evaluation mode.
        texts: Its vocabulary.
    """

    def __init__(self, model: Any, texts: TokenTexts) -> None:
        self._model, self.device = model, model.device
        self.end = min(texts.ends)
        """The token that stands for all ends."""
        pieces = sorted({*texts.usable, self.end})
        self.pieces = torch.tensor(pieces, device=self.device)
        """(pieces,) the token ids that may be used, in order."""
        self._end = pieces.index(self.end)
        self._turn_ends = torch.tensor(sorted(texts.ends), device=self.device)
        self._all_ends = torch.tensor(sorted(texts.ends | texts.line_ends), device=self.device)

    def run(
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
        out = self._model(
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

    def index(self, tokens: Tensor) -> Tensor:
        """Return where token ids stand among the pieces that may be used."""
        return torch.searchsorted(self.pieces, tokens)
