"""Products of many small matrices of float32, by the library that is fastest at them.

PyTorch multiplies them by MKL, which takes half as many numbers at once on processors that Intel
did not make. oneDNN does not, but PyTorch asks it only where products may be rounded to bfloat16.
It does not round them where the processor has nothing to gain by it; that is tried out once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import torch
from torch import Tensor

MOST_ERROR = 1e-4
"""Of a sum of 192 products of numbers up to 1: float32 is off by 1e-6, bfloat16 by 1e-2."""
_FEWEST = 256
"""PyTorch asks oneDNN only for products of enough numbers. With more features than this there are
always enough, so that company and padding, which make them more, do not change who multiplies."""


def product(first: Tensor, second: Tensor, features: int) -> Tensor:
    """Multiply matrices, (rows, heads, n, k) by (rows, heads, k, m), in their own type.

    Args:
        first: Any.
        second: As many; ``k`` and ``m`` are 16 at the least.
        features: Of all heads together.

    Returns:
        (rows, heads, n, m).
    """
    if not _is_for_onednn(first, features):
        return first @ second
    with _rounding_allowed():
        return first @ second


def _is_for_onednn(first: Tensor, features: int) -> bool:
    if first.dtype != torch.float32 or first.device.type != "cpu":
        return False
    return features > _FEWEST and first.shape[-2] > 1 and rounds_nothing()


@cache
def rounds_nothing() -> bool:
    """Whether oneDNN computes in float32 here though it may round to bfloat16."""
    for rows, inner, columns in ((5, 64, 96), (64, 64, 64), (8, 192, 64)):
        first, second = _numbers(8, rows, inner), _numbers(8, inner, columns)
        with _rounding_allowed():
            off = (first @ second).double() - first.double() @ second.double()
        if float(off.abs().max()) > MOST_ERROR:
            return False
    return True


def _numbers(*shape: int) -> Tensor:
    """Numbers between -1 and 1 that differ in all their bits."""
    return torch.arange(float(torch.Size(shape).numel())).square().sin().view(shape)


@contextmanager
def _rounding_allowed() -> Iterator[None]:
    """Let PyTorch give products of float32 to oneDNN."""
    settings = torch.backends.mkldnn.matmul  # type: ignore[attr-defined]
    former = settings.fp32_precision
    settings.fp32_precision = "bf16"
    try:
        yield
    finally:
        settings.fp32_precision = former
