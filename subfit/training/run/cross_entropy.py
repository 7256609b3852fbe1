"""Output projection, label-smoothed cross-entropy and its gradient, some rows at a time.

The scores of a batch over the whole vocabulary are by far the largest tensor of a training step. On
CPU, time goes into moving it through memory; so each block of rows is turned into the gradients of
the states and of the weight while it is in the processor's cache, and the scores are never kept.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

CPU_ROWS = 512
"""512 rows of 16,000 scores in bfloat16 are 16 MB: rows enough for products to be fast, and few
enough for the allocator to give the same memory to the next block."""
OTHER_ROWS = 4096
TINY = 1e-30
"""The least probability that a loss is taken of."""


class _ProjectedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, smoothing: float
    ) -> Tensor:
        rows = CPU_ROWS if states.device.type == "cpu" else OTHER_ROWS
        total = torch.zeros((), device=states.device)
        to_states = torch.empty_like(states)
        to_weight = torch.zeros_like(weight)
        weight = weight.to(states.dtype)
        for start in range(0, len(labels), rows):
            block = slice(start, start + rows)
            inputs, chosen = states[block], labels[block, None]
            scores = linear(inputs, weight, bias)  # (rows, vocab_size)
            loss, gradient = _loss_and_gradient(scores, chosen, smoothing)
            total += loss
            torch.mm(gradient, weight, out=to_states[block])
            to_weight += gradient.t() @ inputs
        if smoothing:  # the same for every piece, so it is taken off once
            share = smoothing / len(weight)
            of_pieces = weight.sum(dim=0, dtype=torch.float32)
            of_states = states.sum(dim=0, dtype=torch.float32)
            total -= share * (of_states @ of_pieces + len(labels) * bias.sum(dtype=torch.float32))
            to_states -= (share * of_pieces).to(states.dtype)
            to_weight -= share * of_states
        ctx.save_for_backward(to_states, to_weight)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        to_states, to_weight = ctx.saved_tensors
        factor = gradients[0]
        own_type = to_states.dtype
        return to_states * factor.to(own_type), to_weight * factor, None, None, None


def _loss_and_gradient(scores: Tensor, labels: Tensor, smoothing: float) -> tuple[Tensor, Tensor]:
    """Return the summed loss of (rows, vocab_size) scores, and what it wants of each score.

    Label smoothing's part that is the same for all scores is left out, of both.
    """
    probabilities = scores.softmax(dim=1)
    found = probabilities.gather(1, labels)
    surprise = -found.float().clamp(min=TINY).log()
    loss = surprise.sum()
    if smoothing:
        loss += smoothing * scores.gather(1, labels).sum(dtype=torch.float32)
    rows = torch.arange(len(labels), device=labels.device)
    probabilities[rows, labels[:, 0]] = found[:, 0] - (1.0 - smoothing)
    return loss, probabilities


def projected_cross_entropy(
    states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, *, smoothing: float = 0.0
) -> Tensor:
    """Return the cross-entropy of ``states @ weight.T + bias``, summed over rows.

    Equal to `torch.nn.functional.cross_entropy` of those scores. The products are computed in the
    type of the states, or of autocast, sums in float32. ``bias`` gets no gradient.

    Args:
        states: (rows, d_model)
        weight: (vocab_size, d_model) in float32.
        bias: (vocab_size,)
        labels: (rows,) token ids.
        smoothing: Label smoothing over the whole vocabulary.

    Returns:
        A scalar in float32.
    """
    device = states.device.type
    if torch.is_autocast_enabled(device):
        states = states.to(torch.get_autocast_dtype(device))
    with torch.autocast(device, enabled=False):
        loss: Tensor = _ProjectedCrossEntropy.apply(  # type: ignore[no-untyped-call]
            states, weight, bias.to(states.dtype), labels, smoothing
        )
    return loss
