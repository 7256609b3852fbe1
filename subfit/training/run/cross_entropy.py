"""Output projection, label-smoothed cross-entropy and its gradient, a few rows at a time.

The scores of a batch over the whole vocabulary are by far the largest tensor of a training step. On
CPU, time goes into moving it through memory; so each block of rows is turned from scores into
gradients while it is in the processor's cache, and the two products with those gradients are all
that is left for the backward pass.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

CPU_ROWS = 32
"""32 rows of 16,000 scores in float32 are 2 MB, about the size of a core's own cache."""
OTHER_ROWS = 4096


class _ProjectedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, smoothing: float
    ) -> Tensor:
        scores = states @ weight.t()  # (rows, vocab_size)
        total = torch.zeros((), device=states.device)
        rows = CPU_ROWS if states.device.type == "cpu" else OTHER_ROWS
        for start in range(0, len(labels), rows):
            block = slice(start, start + rows)
            total += _to_gradient(scores[block], bias, labels[block, None], smoothing)
        ctx.save_for_backward(states, weight, scores)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        states, weight, scores = ctx.saved_tensors
        factor = gradients[0].to(states.dtype)
        return (scores @ weight) * factor, (scores.t() @ states) * factor, None, None, None


def _to_gradient(scores: Tensor, bias: Tensor, labels: Tensor, smoothing: float) -> Tensor:
    """Return the summed loss of (rows, vocab_size) scores, and overwrite these by its gradient."""
    exact = scores.float() + bias
    normalizer = exact.logsumexp(dim=1, keepdim=True)
    hit = 1.0 - smoothing
    loss = normalizer.sum() - hit * exact.gather(1, labels).sum()
    loss -= smoothing * exact.mean(dim=1).sum()
    gradient = exact.sub_(normalizer).exp_().sub_(smoothing / exact.shape[1])
    gradient.scatter_add_(1, labels, gradient.new_full(labels.shape, -hit))
    scores.copy_(gradient)
    return loss


def projected_cross_entropy(
    states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, *, smoothing: float = 0.0
) -> Tensor:
    """Return the cross-entropy of ``states @ weight.T + bias``, summed over rows.

    Equal to `torch.nn.functional.cross_entropy` of those scores. Under autocast the products are
    computed in its type, the rest in float32. ``bias`` gets no gradient.

    Args:
        states: (rows, d_model)
        weight: (vocab_size, d_model)
        bias: (vocab_size,)
        labels: (rows,) token ids.
        smoothing: Label smoothing over the whole vocabulary.

    Returns:
        A scalar in float32.
    """
    device = states.device.type
    if torch.is_autocast_enabled(device):
        dtype = torch.get_autocast_dtype(device)
        states, weight = states.to(dtype), weight.to(dtype)
    loss: Tensor = _ProjectedCrossEntropy.apply(  # type: ignore[no-untyped-call]
        states, weight, bias, labels, smoothing
    )
    return loss
