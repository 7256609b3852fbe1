"""Attention to the source that remembers what it has spent: coverage and fertility.

Malaviya, Ferreira & Martins 2018, "Sparse and constrained attention for neural machine
translation", give every source word a fertility f, the attention that it may have over all steps.
At each step its bound is what is left, ``u = f - β``, where β is its coverage, the attention that
it had so far. Tu et al. 2016, "Modeling coverage for neural machine translation", tell the scores
how much a word has had. The papers have one attention; here it is that of the decoder's last
layer, β is the mean over its heads, and all heads keep to the same bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from subfit.model.config import CONSTRAINED, SourceAttentionKind
from subfit.model.constrained_attention import constrained_softmax, constrained_sparsemax, sparsemax

UNBOUNDED = 2.0
"""Stands for no bound: more than a distribution can give to one place."""


@dataclass(frozen=True, slots=True)
class SourceAttention:
    """How the decoder's last layer shares out its attention to the source."""

    kind: SourceAttentionKind = "softmax"
    exhaustion: float = 0.0
    """c: scores become ``z + c * u``, so that words with much left are attended to."""
    vector: Tensor | None = None
    """(heads * head_width,) v of the coverage vector: scores become ``q (k + v β)``; None for
    none."""

    @property
    def constrained(self) -> bool:
        """Whether it keeps to bounds."""
        return self.kind in CONSTRAINED

    @property
    def remembers(self) -> bool:
        """Whether a step depends on the coverage of those before."""
        return self.constrained or self.vector is not None

    def lean(self, query: Tensor) -> Tensor | None:
        """Return what the coverage vector makes of requests.

        Args:
            query: (rows, heads, requests, head_width), scaled as for the scores.

        Returns:
            (rows, heads, requests), to multiply coverage by; None without a coverage vector.
        """
        if self.vector is None:
            return None
        vector = self.vector.view(query.shape[1], 1, query.shape[3]).to(query.dtype)
        return (query * vector).sum(-1).float()

    def share(
        self, scores: Tensor, spent: Tensor, bounds: Tensor | None, leaning: Tensor | None = None
    ) -> Tensor:
        """Return how one step, or steps that do not depend on each other, attend.

        Args:
            scores: (rows, heads, requests, places) in float32; -inf at padding.
            spent: (rows, requests, places) coverage before the step.
            bounds: (rows, places) fertilities, inf where there is none; None if not constrained.
            leaning: From `lean`.

        Returns:
            (rows, heads, requests, places) of sum 1.
        """
        if leaning is not None:
            scores = scores + leaning.unsqueeze(-1) * spent.unsqueeze(1)
        if not self.constrained:
            return sparsemax(scores) if self.kind == "sparsemax" else scores.softmax(-1)
        assert bounds is not None
        left = (bounds.unsqueeze(1) - spent).clamp(min=0.0).unsqueeze(1)
        endless = left.isinf()
        if self.exhaustion:  # what is never exhausted has no credit that could run out
            scores = scores + self.exhaustion * left.masked_fill(endless, 0.0)
        project = constrained_softmax if self.kind == "csoftmax" else constrained_sparsemax
        return project(scores, left.masked_fill(endless, UNBOUNDED))

    def share_all(
        self, scores: Tensor, bounds: Tensor | None, leaning: Tensor | None = None
    ) -> Tensor:
        """Return how all steps of whole targets attend, each after those before it.

        Steps that depend on each other are taken one by one, but only here: what goes into the
        scores has been computed for all at once, and so is what comes after.

        Args:
            scores: (rows, heads, steps, places) in float32; -inf at padding.
            bounds: As for `share`.
            leaning: (rows, heads, steps), from `lean`.
        """
        spent = scores.new_zeros(scores.shape[0], 1, scores.shape[3])
        if not self.remembers:
            return self.share(scores, spent, bounds)
        shares: list[Tensor] = []
        leanings = [None] * scores.shape[2] if leaning is None else leaning.unbind(2)
        for step, lean in zip(scores.unbind(2), leanings, strict=True):
            now = None if lean is None else lean.unsqueeze(2)
            share = self.share(step.unsqueeze(2), spent, bounds, now)
            spent = spent + share.mean(1)
            shares.append(share)
        return torch.cat(shares, dim=2)
