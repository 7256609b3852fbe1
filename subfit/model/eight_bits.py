"""Matrices stored in eight bits: whole numbers from -127 to 127, and a factor for each row.

A file of weights is half as large so as in half precision. What is read is float32 again.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import torch
from torch import Tensor

from subfit.errors import ModelError

SCALES = ".scales"
"""How the name of a matrix's factors ends, behind its own."""
LARGEST = 127
FEWEST_ROWS = 16
"""Matrices of fewer rows are stored as they are."""


def packed(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights with their matrices in eight bits.

    Args:
        weights: By name; what is no matrix of real numbers, or of `FEWEST_ROWS` only, is kept.

    Returns:
        For each matrix (rows, columns) itself in int8, and its factors (rows, 1) in float32.
    """
    stored: dict[str, Tensor] = {}
    for name, value in weights.items():
        if value.ndim != 2 or not value.is_floating_point() or len(value) < FEWEST_ROWS:
            stored[name] = value
            continue
        value = value.float()
        scales = value.abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / LARGEST
        stored[name] = (value / scales).round().to(torch.int8)
        stored[name + SCALES] = scales
    return stored


def unpacked(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights as they were before `packed`, but for rounding; others as they are.

    Raises:
        ModelError: The factors of a matrix are not one for each of its rows.
    """
    real: dict[str, Tensor] = {}
    for name, value in weights.items():
        if name.endswith(SCALES):
            continue
        scales = weights.get(name + SCALES)
        if scales is not None and scales.shape != (len(value), 1):
            raise ModelError(f"{name[:80]}{SCALES} has not one number for each of its rows")
        real[name] = value if scales is None else value.float().mul_(scales)
    return real


def is_packed(name: str, dtype: str, names: Container[str]) -> bool:
    """Whether a tensor of a file is a matrix in eight bits, by safetensors' name of its type."""
    return dtype == "I8" and name + SCALES in names
