"""Linear layers in the arithmetic that suits the processor.

Weights and inputs of an int8 layer are rounded to whole numbers, one scale for each output and one
for each *row* of the input. The sums are exact, so that a row's result does not depend on the rows
it is computed with: a cue is translated alike in whatever batch it stands.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast, get_args

import torch
from torch import Tensor
from torch.nn.functional import linear

from subfit.decoding.parts import LayerParts
from subfit.errors import UsageError
from subfit.model.config import Precision

HALF = {"bf16": torch.bfloat16, "fp16": torch.float16}
SMALLEST = 1e-20
"""Stands for the largest value of a row of zeros."""
FEW_ROWS = 32
"""On CPU, products of fewer rows are rounded otherwise than those of many."""


class Linear(Protocol):
    """An affine map of rows."""

    def __call__(self, inputs: Tensor) -> Tensor:
        """Map (rows, inputs) to (rows, outputs), both float32."""


class FloatLinear:
    """A layer in floating point.

    Args:
        weight: (outputs, inputs)
        bias: (outputs,) or None.
        dtype: What the product is computed in.
    """

    def __init__(
        self, weight: Tensor, bias: Tensor | None, dtype: torch.dtype = torch.float32
    ) -> None:
        self._weight, self._dtype = weight.detach().to(dtype), dtype
        self._bias = None if bias is None else bias.detach().to(dtype)

    def __call__(self, inputs: Tensor) -> Tensor:
        """Map (rows, inputs) to (rows, outputs), both float32."""
        rows = len(inputs)
        if inputs.device.type == "cpu" and rows < FEW_ROWS:
            padded = inputs.new_zeros(FEW_ROWS, inputs.shape[1])
            padded[:rows] = inputs
            inputs = padded
        return linear(inputs.to(self._dtype), self._weight, self._bias)[:rows].float()


class Int8Linear:
    """A layer in 8-bit whole numbers, by oneDNN or FBGEMM.

    They have one scale for all rows of an input and take it from the input's range. Every row is
    therefore divided by its largest value first, and rows at the end fix the range at [-1, 1], or
    at [0, 1]. A processor without instructions for 8-bit products adds them up in pairs of 16 bits,
    which two products of 8 bits may overflow: weights have 7 bits there, since inputs have more
    outliers and so need theirs more.

    Args:
        weight: (outputs, inputs)
        bias: (outputs,) or None.
        positive: Whether inputs are never negative, and so can have twice as fine a scale.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None, *, positive: bool = False) -> None:
        self._bias = None if bias is None else bias.detach().float()
        self._packed = _packed(weight.detach().float())
        self._range = torch.zeros(weight.shape[1])
        self._range[0], self._range[-1] = 1.0, 0.0 if positive else -1.0
        self._positive, self._round = positive, _engine() == "onednn"

    def __call__(self, inputs: Tensor) -> Tensor:
        """Map (rows, inputs) to (rows, outputs), both float32."""
        rows, width = inputs.shape
        largest = inputs.amax(1, keepdim=True)
        if not self._positive:
            largest = torch.maximum(largest, inputs.amin(1, keepdim=True).neg_())
        largest.clamp_(min=SMALLEST)
        unit = inputs.new_empty(_round_number(rows + 1) if self._round else rows + 1, width)
        torch.div(inputs, largest, out=unit[:rows])
        unit[rows:] = self._range
        product = torch.ops.quantized.linear_dynamic(unit, self._packed)[:rows]
        scaled: Tensor = product.mul_(largest)
        return scaled if self._bias is None else scaled.add_(self._bias)


def _round_number(rows: int) -> int:
    """Return a number of rows, at least ``rows``, that oneDNN is likely to have code for already.

    It generates code for every new shape, which takes longer than a product does.
    """
    step = 16 if rows <= 512 else 64
    return -(-rows // step) * step


def _engine() -> str | None:
    """The library of 8-bit products that is fastest here, if there is one.

    Without instructions for them FBGEMM takes half of the time that float32 takes.
    """
    supported = torch.backends.quantized.supported_engines
    order = ("onednn",) if _multiplies_bytes() else ("fbgemm", "onednn")
    return next((engine for engine in order if engine in supported), None)


def _packed(weight: Tensor) -> torch.ScriptObject:
    """Return (outputs, inputs) weights as the library wants them, a scale for each output."""
    levels = 127 if _multiplies_bytes() else 63
    scales = weight.abs().amax(1).clamp(min=SMALLEST) / levels
    zeros = torch.zeros(len(weight), dtype=torch.int64)
    former = torch.backends.quantized.engine
    torch.backends.quantized.engine = _engine() or former
    try:
        with warnings.catch_warnings():  # its tensor type is deprecated, but not its products
            warnings.simplefilter("ignore")
            whole = (weight / scales.unsqueeze(1)).round_().to(torch.int8)
            quantized = torch._make_per_channel_quantized_tensor(whole, scales.double(), zeros, 0)
            return torch.ops.quantized.linear_prepack(quantized, None)  # type: ignore[no-any-return]
    finally:
        torch.backends.quantized.engine = former


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """What a model is computed in."""

    precision: Precision

    @property
    def attention(self) -> torch.dtype:
        """The type of keys and values.

        Not bfloat16 beside int8, though it is faster: on 2,000 lines it cost 0.2 to 0.3 BLEU.
        """
        return HALF.get(self.precision, torch.float32)

    def linear(self, weight: Tensor, bias: Tensor | None, *, positive: bool = False) -> Linear:
        """Make a layer.

        Args:
            weight: (outputs, inputs)
            bias: (outputs,) or None.
            positive: Whether its inputs are never negative.
        """
        if self.precision == "int8":
            return Int8Linear(weight, bias, positive=positive)
        return FloatLinear(weight, bias, HALF.get(self.precision, torch.float32))


def fused(parts: Sequence[Any], arithmetic: Arithmetic, *, positive: bool = False) -> Linear:
    """Return several `torch.nn.Linear` of one input as one layer; see `Arithmetic.linear`."""
    first, *others = parts
    weights, biases = first.weight.detach(), first.bias
    if others:  # or a large model would be held twice
        weights = torch.cat([part.weight.detach() for part in parts])
        biases = None if biases is None else torch.cat([part.bias.detach() for part in parts])
    return arithmetic.linear(weights, biases, positive=positive)


class FeedForward:
    """A feed-forward block.

    Args:
        layer: Its parts.
        arithmetic: What it is computed in.
    """

    def __init__(self, layer: LayerParts, arithmetic: Arithmetic) -> None:
        self._activation, self._gated = layer.activation, len(layer.widen) > 1
        probe = layer.activation(torch.linspace(-8.0, 8.0, 65))
        positive = not self._gated and bool((probe >= 0).all())  # as after a rectifier
        self._widen = fused(layer.widen, arithmetic)
        self._narrow = fused((layer.narrow,), arithmetic, positive=positive)

    def __call__(self, states: Tensor) -> Tensor:
        """Map (rows, d) to (rows, d)."""
        wide = self._widen(states)
        if not self._gated:
            return self._narrow(self._activation(wide))
        gate, value = wide.chunk(2, dim=1)
        return self._narrow(self._activation(gate) * value)


def choose_precision(wish: str, device: torch.device) -> Precision:
    """Return the arithmetic for a wish.

    Args:
        wish: One of `subfit.model.config.PRECISIONS`; ``auto`` is the fastest that is any good.
        device: Where the model runs.

    Raises:
        UsageError: It is unknown, or this device does not have it.
    """
    if wish == "auto":
        return _fastest(device)
    if wish not in get_args(Precision):
        choices = ", ".join(get_args(Precision))
        raise UsageError(f"--precision {wish}: choose auto or one of {choices}")
    if wish == "int8" and (device.type != "cpu" or _engine() is None):
        raise UsageError(
            f"--precision int8 runs on CPUs with oneDNN or FBGEMM only, not on {device.type}"
        )
    if wish == "fp16" and device.type == "cpu":
        raise UsageError("--precision fp16 is for GPUs; on a CPU take int8, bf16 or fp32")
    return cast(Precision, wish)


def _fastest(device: torch.device) -> Precision:
    if device.type == "cuda":
        return "bf16" if torch.cuda.is_bf16_supported() else "fp16"
    fast = _engine() == ("onednn" if _multiplies_bytes() else "fbgemm")
    return "int8" if fast else "fp32"


def _multiplies_bytes() -> bool:
    """Whether the processor has instructions for 8-bit products (VNNI or AMX)."""
    return _has("_is_vnni_supported", "_is_avx512_vnni_supported", "_is_amx_tile_supported")


def multiplies_bfloat16() -> bool:
    """Whether the processor has instructions for products of bfloat16 matrices (AMX)."""
    return _has("_is_amx_tile_supported")


def _has(*names: str) -> bool:
    return any(getattr(torch.cpu, name, bool)() for name in names)
