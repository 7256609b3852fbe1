"""A trained model's weights, to translate with: read from a model folder in a moment.

The modules have the names and shapes of Hugging Face's Marian, whose own code takes longer to
import than a short film to translate; `subfit.decoding.layers` and `subfit.decoding.layers`
compute with either. They have no ``forward``: training runs `subfit.model.transformer`.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor, nn
from torch.nn import init
from torch.overrides import TorchFunctionMode

from subfit.errors import ModelError
from subfit.model.conditioning import MarianShaped, NoPositions, fertility_bounds
from subfit.model.config import ModelConfig
from subfit.model.eight_bits import unpacked
from subfit.model.length import LengthSignal
from subfit.model.length_head import LengthHead
from subfit.model.source_attention import SourceAttention

WEIGHTS_FILE = "model.safetensors"
ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "silu": nn.SiLU, "swish": nn.SiLU}
"""Activation functions by their names in a configuration."""


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
    """The projections of an attention of `subfit.model.source_attention`."""

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
