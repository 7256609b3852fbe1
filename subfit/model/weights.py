"""Weights on disk: their headers, held against a configuration; matrices in eight bits.

A configuration is held against the headers of safetensors before a model is made of it: the file is
as long as its header says (the library checks that), so that no size in it can be absurd.

Matrices may be stored in eight bits: whole numbers from -127 to 127, and a factor for each row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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


def check_header(folder: Path, values: Mapping[str, Any], *, quantized: bool = False) -> None:
    """Check what the safetensors of a model folder hold, before memory is taken for a model.

    Keys and names differ by family, so only sizes that are absurd are refused; that they are the
    same is found when the weights are read.

    Args:
        folder: Of the model; its weights stand in one file or several.
        values: Its configuration, no size of which may be beyond what the weights hold.
        quantized: Whether weights may be whole numbers, which other tensors scale.

    Raises:
        ModelError: There are none, a file is damaged, holds what is no weight, or a size is absurd.
    """
    files = sorted(folder.glob("model*.safetensors"))
    if not files and (folder / "recipe.yaml").is_file():
        raise ModelError(f"{folder}: a training run; --resume --export writes the model of it")
    if not files:
        raise ModelError(
            f"{folder}: no model.safetensors here; subfit reads weights from safetensors only"
        )
    header = {name: stored for file in files for name, stored in _tensors(file)}
    for name, (file, dtype, _) in header.items():
        if dtype == "I8" and name + SCALES in header:
            continue
        real = name.endswith((".weight", ".bias"))
        usual = dtype in (_REAL if real else _REAL | _WHOLE)
        if not (usual or (quantized and not dtype.startswith("C"))):  # complex numbers
            problem = "weights are real numbers (F16, BF16, F32 or F64)"
            raise ModelError(f"{file}: {name[:80]} is of the type {dtype}; {problem}")
    largest = max((size for *_, shape in header.values() for size in shape), default=0)
    for key, value in _leaves(values):
        last = key.rpartition(".")[2]
        if type(value) is not int or not last.endswith(_SIZES) or last in _NO_SIZES:
            continue
        most = len(header) if key.endswith("_layers") else max(largest, 2)
        most = MOST_POSITIONS if key.endswith("_embeddings") else most
        if not -1 <= value <= most:
            problem = f"and the weights have no more than {most}: they do not belong together"
            raise refused(folder, key, value, problem)


def _tensors(file: Path) -> Iterator[tuple[str, tuple[Path, str, Sequence[int]]]]:
    """Yield the names of a file's tensors, with the file, their types and shapes."""
    try:
        with safe_open(str(file), framework="pt") as opened:
            for name in opened.keys():  # noqa: SIM118  (it is no dictionary)
                part = opened.get_slice(name)
                yield name, (file, part.get_dtype(), part.get_shape())
    except Exception as error:  # whatever a damaged file makes the library raise
        reason = " ".join(str(error).split())[:120]
        raise ModelError(f"{file}: cannot be read as safetensors ({reason})") from error


def _leaves(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of a configuration and of those within it, as ``text_config.vocab_size``."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def check_finite(place: Path, weights: Iterable[tuple[str, Tensor]]) -> None:
    """Check that weights are numbers of a size that can be computed with.

    Raises:
        ModelError: One is not a number, infinite, or beyond half precision.
    """
    for name, value in weights:
        if value.numel() and value.is_floating_point():
            low, high = torch.aminmax(value.detach())  # of a NaN, both are one
            if not (float(low) >= -_LARGEST and float(high) <= _LARGEST):
                problem = f"holds numbers that are not finite, or beyond ±{_LARGEST:,.0f}"
                raise ModelError(f"{place}: {name[:80]} {problem}; the weights are damaged")


def tensors_of(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Yield all weights and other tensors of a model by name."""
    yield from model.named_parameters()
    yield from model.named_buffers()
