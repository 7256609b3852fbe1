"""What the headers of safetensors tell of weights: names, types and sizes, with nothing allocated.

A configuration is held against them before a model is made of it: the file is as long as its header
says (the library checks that), so that no size in it can be absurd.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor, nn

from subfit.errors import ModelError
from subfit.model.config import ModelConfig
from subfit.model.config_file import MOST_POSITIONS, refused
from subfit.model.eight_bits import is_packed

_REAL = {"F64", "F32", "F16", "BF16"}
_WHOLE = {"I64", "I32", "I16", "I8", "U8", "BOOL"}
_LAYER = re.compile(r"(?:^|\.)(encoder|decoder)\.layers?\.(\d{1,6})\.")
_EMBEDDING = re.compile(r"(?:^|\.)(?:shared|embed_tokens)\.weight$")
_INNER = re.compile(r"(?:^|\.)(encoder|decoder)\.layers\.0\.fc1\.weight$")
_SIZES = ("_size", "_embeddings", "_dim", "_heads", "_layers")
"""How the keys of sizes end, whatever the family of a model."""
_NO_SIZES = ("max_window_layers",)
"""Keys with the end of a size that take no memory: Qwen's first layer with a sliding window."""
_LARGEST = torch.finfo(torch.float16).max
"""The largest weight there may be: models are stored and computed in half precision."""


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A tensor of a file of weights."""

    file: Path
    dtype: str
    shape: tuple[int, ...]

    @property
    def size(self) -> str:
        """Its shape, as ``16000 × 320``."""
        return " × ".join(map(str, self.shape)) or "a single number"


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
        if is_packed(name, stored.dtype, header):
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
    """Check the sizes that a translator's configuration has, as far as weights tell them.

    Raises:
        ModelError: The weights have other sizes.
    """
    presets = {field.name: field.default for field in fields(ModelConfig)}
    values = presets | dict(values)
    for side, count in layers_of(header).items():
        key = f"{side}_layers"
        if values[key] != count:
            raise _mismatch(folder, key, values[key], f"the weights have {count}")
    for name, stored in header.items():
        if _EMBEDDING.search(name) and len(stored.shape) == 2:
            _check(folder, values, "d_model", name, stored, 1)
            sides = {
                "vocab_size": "decoder." not in name,
                "decoder_vocab_size": "encoder." not in name,
            }
            for key, has in sides.items():
                if has and values[key] is not None:
                    _check(folder, values, key, name, stored, 0)
        elif (inner := _INNER.search(name)) and stored.shape:
            _check(folder, values, f"{inner[1]}_ffn_dim", name, stored, 0)


def check_encoder_sizes(folder: Path, values: Mapping[str, Any], header: Header) -> None:
    """Check that no size of any configuration is beyond what weights hold; see `check_sizes`.

    An encoder of another family has other keys and names, so only what is absurd is refused.
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
            raise _mismatch(folder, key, value, f"the weights have no more than {most}")


def _leaves(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of a configuration and of those within it, as ``text_config.vocab_size``."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def layers_of(header: Header) -> dict[str, int]:
    """Return how many layers encoder and decoder have."""
    numbers: dict[str, set[int]] = {"encoder": set(), "decoder": set()}
    for name in header:
        if match := _LAYER.search(name):
            numbers[match[1]].add(int(match[2]))
    return {side: len(layers) for side, layers in numbers.items()}


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


def _check(
    folder: Path, values: Mapping[str, Any], key: str, name: str, stored: StoredTensor, axis: int
) -> None:
    if values[key] != stored.shape[axis]:
        raise _mismatch(folder, key, values[key], f"{name} is {stored.size}")


def _mismatch(folder: Path, key: str, value: object, stored: str) -> ModelError:
    problem = f"and {stored}: config.json and the weights do not belong together"
    return refused(folder, key, value, problem)
