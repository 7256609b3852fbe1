"""Attention, in the arithmetic of its keys and values."""

from __future__ import annotations

import torch
from torch import Tensor

from subfit.decoding.packing import BLOCK, NEVER
from subfit.decoding.products import product


def attend(
    query: Tensor, keys: Tensor, values: Tensor, mask: Tensor, scale: float | None = None
) -> Tensor:
    """Return the context of requests (Vaswani et al. 2017, eq. 1).

    Args:
        query: (rows, heads, requests, head_width), float32.
        keys: (rows, heads, places, head_width), in the type to compute in.
        values: Like ``keys``.
        mask: To add to the scores; broadcasts to (rows, heads, requests, places).
        scale: What the scores are multiplied by before; None for that of the paper.

    Returns:
        (rows, requests, heads * head_width), float32.
    """
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scaled = (query * scale).to(keys.dtype)
    scores = attention_scores(scaled, keys) + mask.to(keys.dtype)
    return weighted_sum(scores.softmax(-1), values)


def attention_scores(query: Tensor, keys: Tensor) -> Tensor:
    """Return how alike requests and keys are, (rows, heads, requests, places).

    Args:
        query: (rows, heads, requests, head_width), scaled.
        keys: (rows, heads, places, head_width).
    """
    return product(query, keys.transpose(2, 3), keys.shape[1] * keys.shape[3])


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """Return the mean of values with the weights of attention; more padding changes no bit of it.

    Args:
        weights: (rows, heads, requests, places).
        values: (rows, heads, places, head_width); a multiple of `BLOCK` places, or fewer than it.

    Returns:
        (rows, requests, heads * head_width), float32.
    """
    rows, heads, places, head_width = values.shape
    blocks = max(1, places // BLOCK)
    apart = weights.view(rows, heads, -1, blocks, places // blocks).transpose(2, 3)
    parts = values.reshape(rows, heads * blocks, -1, head_width)
    sums = product(apart.flatten(1, 2), parts, heads * head_width)
    context, *others = sums.view(rows, heads, blocks, -1, head_width).unbind(2)
    for other in others:  # one after the other, so that zeros at the end change nothing
        context = context + other
    joined: Tensor = context.transpose(1, 2).flatten(2).float()
    return joined


def attention_mask(allowed: Tensor) -> Tensor:
    """Return what to add to attention scores: 0 where ``allowed``, -inf elsewhere."""
    return torch.zeros(allowed.shape, device=allowed.device).masked_fill_(~allowed, NEVER)
