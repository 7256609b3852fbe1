"""The largest of many numbers, without sorting them."""

from __future__ import annotations

import torch
from torch import Tensor

BLOCK = 64


def top_k(scores: Tensor, added: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """Find the k largest sums of each row, exactly.

    The k largest numbers stand in the k blocks with the largest maxima; only these are looked at.

    Args:
        scores: (rows, groups, size), contiguous.
        added: (rows, groups) a number added to all scores of its group.
        k: At most groups * size.

    Returns:
        The sums (rows, k), largest first, and their places in the flattened groups of the row,
        (rows, k).
    """
    rows, groups, size = scores.shape
    blocks = size // BLOCK
    if groups * blocks <= 2 * k:
        return (scores + added.unsqueeze(2)).flatten(1).topk(k, dim=1)
    whole = scores[:, :, : blocks * BLOCK].reshape(rows, groups, blocks, BLOCK)
    maxima = whole.amax(3) + added.unsqueeze(2)  # (rows, groups, blocks)
    best = maxima.flatten(1).topk(k, dim=1).indices  # (rows, k) blocks
    group, block = best // blocks, best % blocks
    starts = group * size + block * BLOCK
    places = (starts.unsqueeze(2) + torch.arange(BLOCK, device=scores.device)).flatten(1)
    if blocks * BLOCK < size:
        tail = torch.arange(blocks * BLOCK, size, device=scores.device)
        tails = torch.arange(groups, device=scores.device).unsqueeze(1) * size + tail
        places = torch.cat([places, tails.flatten().expand(rows, -1)], dim=1)
    sums = scores.flatten(1).gather(1, places) + added.gather(1, places // size)
    largest, order = sums.topk(k, dim=1)
    return largest, places.gather(1, order)
