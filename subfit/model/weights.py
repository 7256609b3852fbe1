"""A trained model's weights: held against its configuration, then read in a moment, to translate.

The modules have the names and shapes of Hugging Face's Marian, whose own code takes longer to
import than a short film to translate; `subfit.decoding.layers` and `subfit.decoding.layers`
compute with either. They have no ``forward``: training runs `subfit.model.transformer`.

A configuration is held against the headers of safetensors before a model is made of it: the file is
as long as its header says (the library checks that), so that no size in it can be absurd.

Matrices may be stored in eight bits: whole numbers from -127 to 127, and a factor for each row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor, nn
from torch.nn import init
from torch.overrides import TorchFunctionMode

from subfit.errors import ModelError
from subfit.model.attention import SourceAttention, fertility_bounds
from subfit.model.config import MOST_POSITIONS, ModelConfig, refused
from subfit.model.length import LengthHead, LengthSignal, MarianShaped, NoPositions

WEIGHTS_FILE = "model.safetensors"
ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "silu": nn.SiLU, "swish": nn.SiLU}
"""Activation functions by their names in a configuration."""
SCALES = ".scales"
"""How the name of a matrix's factors ends, behind its own."""
LARGEST = 127
FEWEST_ROWS = 16
"""Matrices of fewer rows are stored as they are."""
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


class Attention(nn.Module):
    """The projections of multi-head attention."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"{heads} heads cannot share a width of {width}")
        self.num_heads, self.head_dim = heads, width // heads
        self.k_proj, self.v_proj = nn.Linear(width, width), nn.Linear(width, width)
        self.q_proj, self.out_proj = nn.Linear(width, width), nn.Linear(width, width)


class CoveringAttention(Attention):
    """The projections of an attention of `subfit.model.attention`."""

    def __init__(self, width: int, heads: int, config: ModelConfig) -> None:
        super().__init__(width, heads)
        self.coverage_vector: nn.Parameter | None = None
        if config.coverage_vector:
            self.coverage_vector = nn.Parameter(torch.zeros(width))
        self._settings = config.source_attention, config.exhaustion

    @property
    def way(self) -> SourceAttention:
        """How it attends."""
        return SourceAttention(*self._settings, self.coverage_vector)


class Layer(nn.Module):
    """A layer of the encoder, or of the decoder: that one also reads the encoder's states."""

    def __init__(self, config: ModelConfig, *, decoder: bool) -> None:
        super().__init__()
        width = config.d_model
        heads = config.decoder_attention_heads if decoder else config.encoder_attention_heads
        inner = config.decoder_ffn_dim if decoder else config.encoder_ffn_dim
        self.activation_fn = ACTIVATIONS[config.activation_function]()
        self.self_attn, self.self_attn_layer_norm = Attention(width, heads), nn.LayerNorm(width)
        if decoder:
            self.encoder_attn = Attention(width, heads)
            self.encoder_attn_layer_norm = nn.LayerNorm(width)
        self.fc1, self.fc2 = nn.Linear(width, inner), nn.Linear(inner, width)
        self.final_layer_norm = nn.LayerNorm(width)


class Stack(nn.Module):
    """The encoder, or the decoder."""

    def __init__(self, config: ModelConfig, pieces: int, *, decoder: bool) -> None:
        super().__init__()
        count = config.decoder_layers if decoder else config.encoder_layers
        self.embed_scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        self.embed_tokens = nn.Embedding(pieces, config.d_model)
        self.embed_positions: nn.Module = NoPositions()
        if config.decoder_positions or not decoder:
            self.embed_positions = nn.Embedding(config.max_position_embeddings, config.d_model)
        self.layers = nn.ModuleList(Layer(config, decoder=decoder) for _ in range(count))


class Stacks(nn.Module):
    """Encoder and decoder, and the embedding that they may share."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.shared: nn.Embedding | None = None
        if config.share_encoder_decoder_embeddings:
            self.shared = nn.Embedding(config.vocab_size, config.d_model)
        pieces = config.decoder_vocab_size or config.vocab_size
        self.encoder = Stack(config, config.vocab_size, decoder=False)
        self.decoder = Stack(config, pieces, decoder=True)


class ModelWeights(MarianShaped, nn.Module):
    """The weights of one of subfit's own models."""

    final_logits_bias: Tensor

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        pieces = config.decoder_vocab_size or config.vocab_size
        self.model = Stacks(config)
        self.register_buffer("final_logits_bias", torch.zeros(1, pieces))
        self.lm_head = nn.Linear(config.d_model, pieces, bias=False)
        self.length_signal = LengthSignal(
            config.d_model,
            pieces,
            tuple(config.length_encodings or ()),
            steps=config.rel_steps,
            start_id=config.decoder_start_token_id,
            closed_gate=config.closed_gate,
            unit=config.length_unit,
        )
        self.length_head = None
        if config.length_predictor:
            self.length_head = LengthHead(config.d_model, config.mean_length_ratio)
        self.fertility = fertility_bounds(config) if config.constrained else None
        if not config.plain_attention:
            sizes = config.d_model, config.decoder_attention_heads
            self.model.decoder.layers[-1].encoder_attn = CoveringAttention(*sizes, config)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.final_logits_bias.device

    def tie(self) -> None:
        """Share the embeddings that are one: of both sides, and of the decoder and its output."""
        shared = self.model.shared
        for side in (self.model.encoder, self.model.decoder):
            side.embed_tokens = side.embed_tokens if shared is None else shared
        self.lm_head.weight = self.model.decoder.embed_tokens.weight


class _Uninitialized(TorchFunctionMode):
    """Makes modules without random numbers, for which PyTorch would import its compiler."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__module__", None) == init.__name__:
            return kwargs.get("tensor")
        return func(*args, **kwargs)


def load_weights(folder: Path, config: ModelConfig) -> ModelWeights:
    """Read a model's weights, in evaluation mode and float32.

    Raises:
        ModelError: The folder has no weights, not all of them, or weights of other sizes.
    """
    path = folder / WEIGHTS_FILE
    if not path.is_file():
        raise ModelError(
            f"{folder}: no {WEIGHTS_FILE} here; subfit reads weights from safetensors only"
        )
    try:
        with torch.device("meta"), _Uninitialized():  # the shapes alone
            model = ModelWeights(config)
        model.tie()
        _fill(model, read_weights(path), folder)
    except ModelError:
        raise
    except Exception as error:  # whatever a damaged file makes the libraries raise
        reason = " ".join(str(error).split())[:160]
        raise ModelError(f"{folder}: cannot be loaded; is it complete? ({reason})") from error
    return model.eval()


def read_weights(path: Path) -> dict[str, Tensor]:
    """Read tensors into memory of their own, real numbers as float32."""
    tensors: dict[str, Tensor] = {}
    with safe_open(path, framework="pt") as file:
        for name in file.keys():  # noqa: SIM118  (it is no dictionary)
            tensor = file.get_tensor(name)
            dtype = torch.float32 if tensor.is_floating_point() else tensor.dtype
            tensors[name] = tensor.to(dtype, copy=True)
    return unpacked(tensors)


def _fill(model: ModelWeights, weights: dict[str, Tensor], folder: Path) -> None:
    everything = dict(model.named_parameters()) | dict(model.named_buffers())  # what is tied, once
    own = {name: tensor for name, tensor in everything.items() if "embed_positions" not in name}
    if missing := sorted(own.keys() - weights.keys()):
        raise ModelError(f"{folder}: incomplete; {len(missing)} weights are missing ({missing[0]})")
    if any(own[name].shape != weights[name].shape for name in own):
        raise ModelError(
            f"{folder}: config.json and {WEIGHTS_FILE} do not belong together; their sizes differ"
        )
    tables = {name: _sinusoids(*everything[name].shape) for name in everything.keys() - own.keys()}
    stored = {name: weights[name] for name in own}
    model.load_state_dict(stored | tables, strict=False, assign=True)
    model.tie()  # anew: the embedding that all share is another one now


def _sinusoids(positions: int, width: int) -> Tensor:
    """Return the position encoding, (positions, width): all sines, then all cosines.

    It is computed in the steps of Hugging Face's Marian, since models were trained with its bits.
    """
    periods = np.array([np.power(10000, 2 * (column // 2) / width) for column in range(width)])
    angles = np.arange(positions)[:, None] / periods
    table = torch.empty(positions, width)
    half = (width + 1) // 2
    table[:, :half] = torch.FloatTensor(np.sin(angles[:, 0::2]))
    table[:, half:] = torch.FloatTensor(np.cos(angles[:, 1::2]))
    return table


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
