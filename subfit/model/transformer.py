"""Our own model: Marian's encoder-decoder, with length conditioning on the decoder's input.

Modules have the names and shapes of Hugging Face's Marian, whose own code takes longer to import
than a short film to translate. They have no ``forward``: `subfit.decoding.layers` computes with
them in translation, `subfit.training.loss` in training.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import init
from torch.overrides import TorchFunctionMode

from subfit.errors import ModelError
from subfit.model.attention import FertilityBounds, SourceAttention
from subfit.model.config import ModelConfig
from subfit.model.families import ConfigWithLengths, ModelWithLengths
from subfit.model.length import LengthConditioned, NoPositions
from subfit.model.weights import WEIGHTS_FILE, read_weights

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
        self.embed_tokens.padding_idx = config.pad_token_id
        self.embed_positions: nn.Module = NoPositions()
        if config.decoder_positions or not decoder:
            self.embed_positions = Positions(config.max_position_embeddings, config.d_model)
        self.layers = nn.ModuleList(Layer(config, decoder=decoder) for _ in range(count))


class Stacks(nn.Module):
    """Encoder and decoder, and the embedding that they may share."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.shared: nn.Embedding | None = None
        if config.share_encoder_decoder_embeddings:
            self.shared = nn.Embedding(config.vocab_size, config.d_model)
            self.shared.padding_idx = config.pad_token_id
        pieces = config.decoder_vocab_size or config.vocab_size
        self.encoder = Stack(config, config.vocab_size, decoder=False)
        self.decoder = Stack(config, pieces, decoder=True)


class Transformer(LengthConditioned):
    """One of subfit's own models, with weights that are still to be loaded, or drawn by `start`."""

    final_logits_bias: Tensor

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        pieces = int(config.decoder_vocab_size or config.vocab_size)
        self.model = Stacks(config)
        self.register_buffer("final_logits_bias", torch.zeros(1, pieces))
        self.lm_head = nn.Linear(config.d_model, pieces, bias=False)
        if config.constrained:
            self.fertility = FertilityBounds(config)
        if not config.plain_attention:
            sizes = config.d_model, config.decoder_attention_heads
            self.model.decoder.layers[-1].encoder_attn = CoveringAttention(*sizes, config)
        self.tie()

    @torch.no_grad()
    def start(self) -> Self:
        """Draw the weights as Marian's are drawn; what is added to Marian changes nothing yet."""
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                module.weight.normal_(std=self.config.init_std)
            if isinstance(module, nn.Linear) and module.bias is not None:
                module.bias.zero_()
            if isinstance(module, nn.Embedding):
                module.weight[module.padding_idx].zero_()
        if self.fertility is not None and self.fertility.out is not None:
            self.fertility.out.weight.zero_()
        return self

    @property
    def target_embedding(self) -> tuple[Tensor, float]:
        """See `LengthConditioned.target_embedding`."""
        decoder = self.model.decoder
        return decoder.embed_tokens.weight, decoder.embed_scale

    @property
    def target_padding(self) -> int | None:
        """See `LengthConditioned.target_padding`."""
        return self.model.decoder.embed_tokens.padding_idx

    @property
    def output_layer(self) -> tuple[Tensor, Tensor]:
        """See `LengthConditioned.output_layer`."""
        return self.lm_head.weight, self.final_logits_bias[0]

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


def load_weights(folder: Path, config: ModelConfig) -> Transformer:
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
            model = Transformer(config)
        _fill(model, read_weights(path), folder)
    except ModelError:
        raise
    except Exception as error:  # whatever a damaged file makes the libraries raise
        reason = " ".join(str(error).split())[:160]
        raise ModelError(f"{folder}: cannot be loaded; is it complete? ({reason})") from error
    return model.eval()


def _fill(model: Transformer, weights: dict[str, Tensor], folder: Path) -> None:
    own = dict(model.named_parameters()) | dict(model.named_buffers())  # what is tied, once
    own = {name: tensor for name, tensor in own.items() if "embed_positions" not in name}
    if missing := sorted(own.keys() - weights.keys()):
        raise ModelError(f"{folder}: incomplete; {len(missing)} weights are missing ({missing[0]})")
    more = (name for name in weights if ".layers." in name and name not in own)
    if other := next((n for n in own if own[n].shape != weights[n].shape), next(more, None)):
        raise ModelError(
            f"{folder}: config.json and {WEIGHTS_FILE} do not belong together; their sizes differ"
            f" ({other[:80]})"
        )
    model.load_state_dict({name: weights[name] for name in own}, strict=False, assign=True)
    model.tie()  # anew: the embedding that all share is another one now
    for stack in (model.model.encoder, model.model.decoder):
        if isinstance(stack.embed_positions, Positions):
            stack.embed_positions.fill()


class Positions(nn.Module):
    """A table of position encodings, (positions, width): all sines, then all cosines."""

    def __init__(self, positions: int, width: int) -> None:
        super().__init__()
        self._size = positions, width
        self.weight: Tensor
        self.register_buffer("weight", torch.empty(0), persistent=False)
        self.fill()

    def fill(self) -> None:
        """Compute it, unless modules are made without content."""
        if torch.empty(0).device.type != "meta":
            self.weight = _sinusoids(*self._size)


def _sinusoids(positions: int, width: int) -> Tensor:
    """Return the table of `Positions`.

    It is computed in the steps of Hugging Face's Marian, since models were trained with its bits.
    """
    periods = np.array([np.power(10000, 2 * (column // 2) / width) for column in range(width)])
    angles = np.arange(positions)[:, None] / periods
    table = torch.empty(positions, width)
    half = (width + 1) // 2
    table[:, :half] = torch.FloatTensor(np.sin(angles[:, 0::2]))
    table[:, half:] = torch.FloatTensor(np.cos(angles[:, 1::2]))
    return table


TrainableModel = Transformer | ModelWithLengths
"""One of subfit's own shape, or one of Hugging Face's with what makes it take lengths."""
TrainableConfig = ModelConfig | ConfigWithLengths
"""Its configuration."""
