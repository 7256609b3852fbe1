"""Weights on disk: their headers, held against a configuration; matrices in eight bits.

A configuration is held against the headers of safetensors before a model is made of it: the file is
as long as its header says (the library checks that), so that no size in it can be absurd.

Matrices may be stored in eight bits: whole numbers from -127 to 127, and a factor for each row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor, nn

from subfit.errors import ModelError
from subfit.model.config import MOST_POSITIONS, refused

WEIGHTS_FILE = "model.safetensors"
SCALES = ".scales"
"""How the name of a matrix's factors ends, behind its own."""
LARGEST = 127
FEWEST_ROWS = 16
"""Matrices of fewer rows are stored as they are."""
_REAL = {"F64", "F32", "F16", "BF16"}
_WHOLE = {"I64", "I32", "I16", "I8", "U8", "BOOL"}
_SIZES = ("_size", "_embeddings", "_dim", "_heads", "_layers", "d_model")
"""How the keys of sizes end, whatever the family of a model."""
_NO_SIZES = ("max_window_layers",)
"""Keys with the end of a size that take no memory: Qwen's first layer with a sliding window."""
_LARGEST = torch.finfo(torch.float16).max
"""The largest weight there may be: models are stored and computed in half precision."""


def read_weights(path: Path) -> dict[str, Tensor]:
    """Read tensors into memory of their own, real numbers as float32."""
    tensors: dict[str, Tensor] = {}
    with safe_open(path, framework="pt") as file:
        for name in file.keys():  # noqa: SIM118  (it is no dictionary)
            tensor = file.get_tensor(name)
            dtype = torch.float32 if tensor.is_floating_point() else tensor.dtype
            tensors[name] = tensor.to(dtype, copy=True)
    return unpacked(tensors)


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


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A tensor of a file of weights."""

    file: Path
    dtype: str
    shape: tuple[int, ...]


Header = Mapping[str, StoredTensor]
"""Tensors by name."""


def read_header(folder: Path, *, quantized: bool = False) -> dict[str, StoredTensor]:
    """Read which tensors the safetensors of a model folder hold, in one file or several.

    Args:
        folder: Of the model.
        quantized: Whether weights may be whole numbers, which other tensors scale.

    Raises:
        ModelError: There are none, a file is damaged, or it holds what is no weight.
    """
    files = sorted(folder.glob("model*.safetensors"))
    if not files:
        raise ModelError(
            f"{folder}: no model.safetensors here; subfit reads weights from safetensors only"
        )
    header = {name: stored for file in files for name, stored in _tensors(file)}
    for name, stored in header.items():
        if stored.dtype == "I8" and name + SCALES in header:
            continue
        if not _may_hold(name, stored.dtype, quantized=quantized):
            problem = "weights are real numbers (F16, BF16, F32 or F64)"
            raise ModelError(f"{stored.file}: {name[:80]} is of the type {stored.dtype}; {problem}")
    return header


def _may_hold(name: str, dtype: str, *, quantized: bool) -> bool:
    if quantized:
        return not dtype.startswith("C")  # complex numbers
    return dtype in (_REAL if name.endswith((".weight", ".bias")) else _REAL | _WHOLE)


def _tensors(file: Path) -> Iterator[tuple[str, StoredTensor]]:
    try:
        with safe_open(str(file), framework="pt") as opened:
            for name in opened.keys():  # noqa: SIM118  (it is no dictionary)
                part = opened.get_slice(name)
                yield name, StoredTensor(file, part.get_dtype(), tuple(part.get_shape()))
    except Exception as error:  # whatever a damaged file makes the library raise
        reason = " ".join(str(error).split())[:120]
        raise ModelError(f"{file}: cannot be read as safetensors ({reason})") from error


def check_sizes(folder: Path, values: Mapping[str, Any], header: Header) -> None:
    """Check that no size of any configuration is beyond what weights hold.

    Keys and names differ by family, so only what is absurd is refused; that sizes are the same is
    found when the weights are read.

    Raises:
        ModelError: One is.
    """
    largest = max((size for stored in header.values() for size in stored.shape), default=0)
    for key, value in _leaves(values):
        if (
            type(value) is not int
            or not key.endswith(_SIZES)
            or key.rpartition(".")[2] in _NO_SIZES
        ):
            continue
        most = len(header) if key.endswith("_layers") else max(largest, 2)
        most = MOST_POSITIONS if key.endswith("_embeddings") else most
        if not -1 <= value <= most:
            problem = f"and the weights have no more than {most}: they do not belong together"
            raise refused(folder, key, value, problem)


def _leaves(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of a configuration and of those within it, as ``text_config.vocab_size``."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def check_finite(folder: Path, model: nn.Module, header: Header) -> None:
    """Check that a model's weights are numbers of a size that can be computed with.

    Raises:
        ModelError: One is not a number, infinite, or beyond half precision.
    """
    for name, value in (*model.named_parameters(), *model.named_buffers()):
        if value.is_floating_point() and not is_sound(value):
            file = header[name].file if name in header else folder
            raise unsound(file, name)


def is_sound(value: Tensor) -> bool:
    """Whether all numbers are finite, and within half precision."""
    if not value.numel():
        return True
    low, high = torch.aminmax(value.detach())  # of a NaN, both are one
    return float(low) >= -_LARGEST and float(high) <= _LARGEST


def unsound(file: Path, name: str) -> ModelError:
    """Return the error for weights that are no numbers to compute with."""
    problem = f"holds numbers that are not finite, or beyond ±{_LARGEST:,.0f}"
    return ModelError(f"{file}: {name[:80]} {problem}; the weights are damaged")
