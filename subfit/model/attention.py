"""Attention to the source that is sparse, bounded, or remembers: coverage and fertility.

Malaviya, Ferreira & Martins 2018, "Sparse and constrained attention for neural machine
translation", give every source word a fertility f, the attention that it may have over all steps.
At each step its bound is what is left, ``u = f - β``, where β is its coverage, the attention that
it had so far. Tu et al. 2016, "Modeling coverage for neural machine translation", tell the scores
how much a word has had. The papers have one attention; here it is that of the decoder's last
layer, β is the mean over its heads, and all heads keep to the same bounds.

Each transformation maps a row of scores to the distribution nearest to it: sparsemax and
constrained sparsemax by Euclidean distance (Martins & Astudillo 2016, "From softmax to sparsemax"),
constrained softmax by Kullback-Leibler divergence (Martins & Kreutzer 2017, "Learning what's easy",
§3.2). The constrained ones are solved exactly, by one sort of a row. Their sums run along the row
one place after the other, so that padding at its end changes no bit of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.functional import cross_entropy

from subfit.errors import UsageError
from subfit.model.config import CONSTRAINED, ModelConfig, SourceAttentionKind

UNBOUNDED = 2.0
"""Stands for no bound: more than a distribution can give to one place."""
NEVER = float("-inf")
MOST = 7
"""Most target pieces of one source piece that are told apart; what has more counts as this."""
SLACK = 1.0
"""What is added to a predicted fertility: it is an upper bound, and aligners miss links."""


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


def sparsemax(scores: Tensor) -> Tensor:
    """Return the nearest distribution to each row, many of whose places are exactly 0.

    Args:
        scores: (…, places); -inf where a place may have nothing.

    Raises:
        UsageError: The package entmax is not installed.
    """
    try:
        import entmax
    except ImportError as error:
        raise UsageError(
            "sparsemax attention needs the package entmax; install subfit[attention]"
        ) from error
    lowest = torch.finfo(scores.dtype).min / 4  # entmax subtracts the largest score
    return entmax.sparsemax(scores.clamp(min=lowest), dim=-1)  # type: ignore[no-any-return]


def constrained_softmax(scores: Tensor, bounds: Tensor) -> Tensor:
    """Return the distributions nearest to the softmax of the scores that keep to upper bounds.

    Places where the softmax would pass its bound have the bound; the others share what is left as
    the softmax has it.

    Args:
        scores: (…, places); -inf where a place may have nothing.
        bounds: Expands to the same shape: most that each place may have, 0 or more. Bounds of a
            row that sum to less than 1 leave no distribution, and become the result themselves.

    Returns:
        (…, places), differentiable in both.
    """
    bounds = bounds.expand_as(scores)
    return _ConstrainedSoftmax.apply(scores, bounds)  # type: ignore[no-any-return,no-untyped-call]


def constrained_sparsemax(scores: Tensor, bounds: Tensor) -> Tensor:
    """Return the distributions nearest to the scores that keep to upper bounds.

    Every place has its score less a threshold, which is the same for the whole row, or 0, or its
    bound. Without bounds (all 1) it is `sparsemax`.

    Arguments and result are those of `constrained_softmax`.
    """
    bounds = bounds.expand_as(scores)
    return _ConstrainedSparsemax.apply(scores, bounds)  # type: ignore[no-any-return,no-untyped-call]


class _ConstrainedSoftmax(Function):
    """Where S are the places at their bounds: p = bound there, (1 - sum of S) softmax elsewhere."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, bounds: Tensor) -> Tensor:
        barred = scores == NEVER
        bounds = bounds.masked_fill(barred, 0.0).clamp(min=0.0)
        shut = bounds == 0
        logs = bounds.log()
        # Places reach their bounds in the order of bound / exp(score); those shut off come first.
        order = (logs - scores.masked_fill(shut, 0.0)).argsort(dim=-1, stable=True)
        sorted_scores = scores.masked_fill(shut, NEVER).gather(-1, order)
        sorted_bounds = bounds.gather(-1, order)
        taken = (
            sorted_bounds.cumsum(-1) - sorted_bounds
        )  # by those before, were all at their bounds
        left = (1 - taken).clamp(min=0)
        weight = sorted_scores.flip(-1).logcumsumexp(-1).flip(-1)  # of each and those behind
        # The first place whose share of what is left keeps to its bound, and all behind it, are
        # free. Once one is, the next one is too.
        over = left.log() - weight + sorted_scores > sorted_bounds.log()
        over |= sorted_bounds == 0
        count = over.cumprod(-1).sum(-1, keepdim=True)  # (…, 1) places at their bounds
        last = count.clamp(max=scores.shape[-1] - 1)
        free = torch.empty_like(shut).scatter_(-1, order, _behind(count, order))
        shares = (scores - weight.gather(-1, last)).exp() * left.gather(-1, last)
        result = torch.where(free, torch.minimum(shares, bounds), bounds)
        ctx.save_for_backward(result, free, barred)
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        result, free, barred = ctx.saved_tensors
        shares = result * free
        total = shares.sum(-1, keepdim=True)
        mean = (gradient * shares).sum(-1, keepdim=True) / total.where(total > 0, 1.0)
        away = gradient - mean
        return shares * away, away.masked_fill(free | barred, 0.0)


class _ConstrainedSparsemax(Function):
    """p = score - threshold between 0 and the bound, found among the places where the slope bends.

    The sum of a row falls with the threshold, in straight pieces: each place begins to count at its
    score, and counts no more where it has reached its bound (Pardalos & Kovoor 1990).
    """

    @staticmethod
    def forward(ctx: Any, scores: Tensor, bounds: Tensor) -> Tensor:
        shut = scores == NEVER
        bounds = bounds.masked_fill(shut, 0.0).clamp(min=0.0)
        open_ends = (scores - bounds).masked_fill(shut, float("inf"))
        lowest = open_ends.amin(-1, keepdim=True)
        lowest = lowest.where(lowest.isfinite(), 0.0)
        scores = torch.where(shut, lowest, scores)  # behind all others, where nothing bends
        bends, order = torch.cat([scores, scores - bounds], dim=-1).sort(
            dim=-1, descending=True, stable=True
        )
        begins = order < scores.shape[-1]
        slopes = torch.where(begins, 1.0, -1.0).to(scores.dtype).cumsum(-1)  # below each bend
        steps = slopes[..., :-1] * (bends[..., :-1] - bends[..., 1:])
        sums = torch.cat([torch.zeros_like(bends[..., :1]), steps.cumsum(-1)], dim=-1)
        above = (sums < 1).sum(-1, keepdim=True) - 1  # the last bend before the sum reaches 1
        slope = slopes.gather(-1, above)
        missing = (1 - sums.gather(-1, above)) / slope.clamp(min=1)
        threshold = bends.gather(-1, above) - torch.where(slope > 0, missing, 0.0)
        below, full = scores <= threshold, scores - bounds >= threshold
        free = ~(below | full | shut)
        threshold = _refined(threshold, scores, bounds, free, full)
        result = torch.minimum((scores - threshold).clamp(min=0.0), bounds)
        result = torch.where(full, bounds, result)
        ctx.save_for_backward(free, full & ~shut)
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        free, full = ctx.saved_tensors
        count = free.sum(-1, keepdim=True).clamp(min=1)
        away = gradient - (gradient * free).sum(-1, keepdim=True) / count
        return away * free, away * full


def _refined(
    threshold: Tensor, scores: Tensor, bounds: Tensor, free: Tensor, full: Tensor
) -> Tensor:
    """The threshold from the places that are free, without what many small steps add up to."""
    count = free.sum(-1, keepdim=True)
    parts = torch.where(free, scores - threshold, torch.where(full, bounds, 0.0))
    surplus = parts.cumsum(-1)[..., -1:] - 1
    return threshold + torch.where(count > 0, surplus / count.clamp(min=1), 0.0)


def _behind(count: Tensor, order: Tensor) -> Tensor:
    """Which of the sorted places are not among the first ``count``, (…, 1), of each row."""
    return torch.arange(order.shape[-1], device=order.device).expand_as(order) >= count


class FertilityBounds(nn.Module):
    """Gives every source piece its fertility.

    Args:
        config: Of a model with constrained attention. Its ``fertility`` is ``constant``, the same
            for all; ``max-align``, the most target pieces that were ever aligned with the piece; or
            ``predicted``, by a head on the encoder's states. Its sink has no bound.
    """

    table: Tensor
    hidden: nn.Linear | None

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.way, self.constant = config.fertility, config.constant_fertility
        self.sink = config.sink_token
        self.hidden = self.out = None
        if self.way == "max-align":
            self.register_buffer("table", torch.ones(config.vocab_size))
        elif self.way == "predicted":
            self.hidden = nn.Linear(config.d_model, config.d_model)
            self.out = nn.Linear(config.d_model, MOST + 1)

    @torch.no_grad()
    def set_table(self, most: Sequence[int]) -> None:
        """Store the most target pieces that were aligned with each source piece, at least 1."""
        self.table[: len(most)] = torch.tensor(most, dtype=self.table.dtype).clamp(min=1)

    @torch.no_grad()
    def set_frequencies(self, counts: Sequence[int]) -> None:
        """Begin with how often each fertility from 0 to `MOST` occurs, whatever the piece."""
        assert self.out is not None
        shares = torch.tensor(counts, dtype=torch.float32) + 1
        self.out.bias.copy_((shares / shares.sum()).log())

    def logits(self, states: Tensor) -> Tensor:
        """Return the scores of fertilities 0 to `MOST`, (…, MOST + 1), for states (…, width)."""
        assert self.hidden is not None and self.out is not None
        states = states.to(self.hidden.weight.dtype)
        return self.out(torch.relu(self.hidden(states))).float()  # type: ignore[no-any-return]

    def forward(self, source: Tensor, states: Tensor) -> Tensor:
        """Return the fertility of every source token, inf for the sink.

        Args:
            source: (…) token ids.
            states: (…, width) of the encoder's last layer.

        Returns:
            (…) in float32, without a gradient.
        """
        if self.way == "constant":
            bounds = torch.full(source.shape, float(self.constant), device=source.device)
        elif self.way == "max-align":
            bounds = self.table[source].float()
        else:
            with torch.no_grad():
                shares = self.logits(states.detach()).softmax(-1)
            counts = torch.arange(MOST + 1, device=source.device, dtype=shares.dtype)
            bounds = SLACK + (shares * counts).sum(-1)
        return bounds.masked_fill(source.eq(self.sink or 0), float("inf"))

    def loss(self, states: Tensor, fertilities: Tensor) -> Tensor:
        """Return the mean cross-entropy of the head, a scalar; the encoder gets no gradient of it.

        Args:
            states: (places, width) of the encoder's last layer.
            fertilities: (places,) aligned target pieces of each source token, negative where they
                are not known.
        """
        logits = self.logits(states.detach())
        targets = fertilities.clamp(max=MOST)
        known = targets >= 0
        total = cross_entropy(logits, targets.masked_fill(~known, -100), reduction="sum")
        return total / known.sum().clamp(min=1)
