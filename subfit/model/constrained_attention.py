"""Attention transformations that are sparse, or bounded from above, or both.

Each maps a row of scores to the distribution nearest to it: sparsemax and constrained sparsemax by
Euclidean distance (Martins & Astudillo 2016, "From softmax to sparsemax"; Malaviya, Ferreira &
Martins 2018, "Sparse and constrained attention for neural machine translation"), constrained
softmax by Kullback-Leibler divergence (Martins & Kreutzer 2017, "Learning what's easy", §3.2). The
constrained ones are solved exactly, by one sort of a row. Their sums run along the row one place
after the other, so that padding at its end changes no bit of the rest.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from subfit.errors import UsageError

NEVER = float("-inf")


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
