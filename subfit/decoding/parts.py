"""The parts of an encoder-decoder model, whatever its family calls them.

Marian puts a layer norm behind every block; M2M100 and NLLB, mBART and T5 put it before, and one
more behind the last layer. mBART also norms its embeddings. T5 has no positions, but adds a number
to attention for how far apart two tokens stand, and gates its feed-forward blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from subfit.model.attention import SourceAttention
from subfit.model.families import ModelWithLengths, embed_with, embedding_scale, output_scale
from subfit.model.length import NoPositions

Map = Callable[[Tensor], Tensor]


def unchanged(states: Tensor) -> Tensor:
    """Return states as they are."""
    return states


@dataclass(frozen=True, slots=True)
class AttentionParts:
    """The linear layers of attention."""

    query: nn.Linear
    key: nn.Linear
    value: nn.Linear
    out: nn.Linear
    norm: Map
    heads: int
    head_width: int
    scale: float
    """What products of queries and keys are multiplied by."""
    way: SourceAttention | None = None
    """How scores become attention, where that is not by softmax alone."""


@dataclass(frozen=True, slots=True)
class LayerParts:
    """One layer."""

    own: AttentionParts
    source: AttentionParts | None
    """The decoder's attention to the encoder's states."""
    widen: tuple[nn.Linear, ...]
    """One layer; or two, whose products count: of the first behind the activation, and the second.
    """
    activation: Map
    narrow: nn.Linear
    norm: Map
    """The normalisation of the feed-forward block."""
    norm_first: bool
    """Whether norms stand before blocks, else behind."""

    def around(self, norm: Map, block: Map, states: Tensor) -> Tensor:
        """Apply a block with its norm, and add what went in."""
        return states + block(norm(states)) if self.norm_first else norm(states + block(states))


class Distances:
    """What T5 adds to attention for the distance of two tokens (Raffel et al. 2020, §2.1).

    Args:
        attention: The first layer's, which all layers share.
    """

    def __init__(self, attention: Any) -> None:
        self._most = int(attention.relative_attention_max_distance)
        """All that stand farther apart are alike."""
        apart = torch.arange(-self._most, self._most + 1, device=attention.q.weight.device)
        buckets = attention._relative_position_bucket(
            apart,
            bidirectional=not attention.is_decoder,
            num_buckets=attention.relative_attention_num_buckets,
            max_distance=self._most,
        )
        self._biases = attention.relative_attention_bias.weight.detach()[buckets].float()

    def bias(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return what to add to attention scores.

        Args:
            queries: (…, n, 1) positions.
            keys: (…, 1, m) positions.

        Returns:
            (…, heads, n, m)
        """
        apart = (keys - queries).clamp(-self._most, self._most) + self._most
        biases: Tensor = self._biases[apart]
        return biases.movedim(-1, -3)


@dataclass(frozen=True, slots=True)
class StackParts:
    """The encoder, or the decoder."""

    layers: Sequence[LayerParts]
    embedding: nn.Embedding
    scale: float
    """What embeddings are multiplied by."""
    positions: Tensor | None
    """(positions, d) to add to them; None for none."""
    opening: Map
    """What is done to embeddings before the first layer."""
    closing: Map
    """What is done to states behind the last one."""
    distances: Distances | None = None
    more: Tensor | None = None
    """(n, d) embeddings of tokens behind the vocabulary; None if there are none."""

    def embed(self, tokens: Tensor) -> Tensor:
        """Return the embeddings of token ids, not yet scaled."""
        return embed_with(tokens, self.embedding.weight, self.more)


@dataclass(frozen=True, slots=True)
class ModelParts:
    """A whole model."""

    encoder: StackParts
    decoder: StackParts
    output: Tensor
    """(pieces, d) weights of the output layer."""
    output_bias: Tensor | None
    """(pieces,)"""


def parts_of(model: Any) -> ModelParts:
    """Return the parts of a model.

    Args:
        model: Shaped like Marian's, or like another one of `subfit.model.families`; or one of
            these with lengths.
    """
    if isinstance(model, ModelWithLengths):
        parts = parts_of(model.body)
        return replace(parts, encoder=replace(parts.encoder, more=model.source_rows))
    if getattr(model.config, "model_type", None) == "t5":
        return _t5(model)
    encoder, decoder = model.model.encoder, model.model.decoder
    bias = getattr(model, "final_logits_bias", None)
    return ModelParts(
        _stack(encoder), _stack(decoder), model.lm_head.weight, None if bias is None else bias[0]
    )


def _stack(stack: Any) -> StackParts:
    closing = getattr(stack, "layer_norm", None)
    return StackParts(
        [_layer(layer, norm_first=closing is not None) for layer in stack.layers],
        stack.embed_tokens,
        embedding_scale(stack),
        _positions(stack.embed_positions),
        getattr(stack, "layernorm_embedding", None) or unchanged,
        closing or unchanged,
    )


def _positions(module: Any) -> Tensor | None:
    """The table of positions, from the first on."""
    if isinstance(module, NoPositions):
        return None
    if hasattr(module, "weights"):  # M2M100, which leaves places for padding
        sinusoids: Tensor = module.weights[module.padding_idx + 1 :]
        return sinusoids
    table: Tensor = module.weight
    return table[getattr(module, "offset", 0) :]


def _layer(layer: Any, *, norm_first: bool) -> LayerParts:
    source = getattr(layer, "encoder_attn", None)
    return LayerParts(
        _attention(layer.self_attn, layer.self_attn_layer_norm),
        source and _attention(source, layer.encoder_attn_layer_norm),
        (layer.fc1,),
        layer.activation_fn,
        layer.fc2,
        layer.final_layer_norm,
        norm_first,
    )


def _attention(attention: Any, norm: Map) -> AttentionParts:
    own = attention
    projections = own.q_proj, own.k_proj, own.v_proj, own.out_proj
    way = getattr(own, "way", None)
    return AttentionParts(*projections, norm, own.num_heads, own.head_dim, own.head_dim**-0.5, way)


def _t5(model: Any) -> ModelParts:
    scale, decoder = output_scale(model), model.decoder

    def closing(states: Tensor) -> Tensor:
        normed: Tensor = decoder.final_layer_norm(states)
        return normed * scale

    return ModelParts(
        _t5_stack(model.encoder, model.encoder.final_layer_norm),
        _t5_stack(decoder, closing),
        model.lm_head.weight,
        None,
    )


def _t5_stack(stack: Any, closing: Map) -> StackParts:
    return StackParts(
        [_t5_layer(block.layer) for block in stack.block],
        stack.embed_tokens,
        1.0,
        None,
        unchanged,
        closing,
        Distances(stack.block[0].layer[0].SelfAttention),
    )


def _t5_layer(blocks: Any) -> LayerParts:
    own, *source, feed = blocks
    dense = feed.DenseReluDense
    gated = hasattr(dense, "wi_0")
    return LayerParts(
        _t5_attention(own.SelfAttention, own.layer_norm),
        _t5_attention(source[0].EncDecAttention, source[0].layer_norm) if source else None,
        (dense.wi_0, dense.wi_1) if gated else (dense.wi,),
        dense.act,
        dense.wo,
        feed.layer_norm,
        norm_first=True,
    )


def _t5_attention(attention: Any, norm: Map) -> AttentionParts:
    own = attention
    width = own.key_value_proj_dim
    return AttentionParts(own.q, own.k, own.v, own.o, norm, own.n_heads, width, scale=1.0)
