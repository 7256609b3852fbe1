"""The forward pass of a training step, in one type from the embeddings to the states.

Under autocast, Hugging Face's modules turn every activation to float32 and back between two
products, and each of the three projections of attention reads the states anew. Here activations
stay in bfloat16, projections of the same states are one product, and attention is three products
over all heads. What is computed is the same. Nothing waits for a GPU to tell what it has computed.
"""

from __future__ import annotations

from typing import Any, TypeGuard

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, embedding, layer_norm, linear

from subfit.model.transformer import SubfitForTranslation, TrainableModel


def has_quick_states(model: TrainableModel) -> TypeGuard[SubfitForTranslation]:
    """Whether `quick_states` computes what a model computes: plain attention, without dropout."""
    if not isinstance(model, SubfitForTranslation):
        return False
    config = model.config
    dropped = config.attention_dropout or config.activation_dropout
    return bool(config.plain_attention and config.activation_function == "relu" and not dropped)


def quick_states(
    model: SubfitForTranslation,
    source: Tensor,
    mask: Tensor,
    tokens: Tensor,
    asked: Tensor,
    dtype: torch.dtype = torch.bfloat16,
) -> tuple[Tensor, Tensor]:
    """Return the decoder's and the encoder's last states, as `SubfitForTranslation.states` does.

    Args:
        model: One that `has_quick_states`.
        source: (batch_size, source_length) token ids.
        mask: (batch_size, source_length), 1 where there is a token.
        tokens: (batch_size, target_length) what the decoder is fed.
        asked: (batch_size,) lengths asked for, 0 where none are.
        dtype: What is computed in.

    Returns:
        (batch_size, target_length, d_model) and (batch_size, source_length, d_model), in ``dtype``.
    """
    encoder: Any = model.model.encoder
    decoder: Any = model.model.decoder
    heads = model.config.encoder_attention_heads
    no_source = _barred(mask == 0, heads, dtype)
    embedded = embedding(source, encoder.embed_tokens.weight, encoder.embed_tokens.padding_idx)
    states = _dropped(_with_positions(embedded * encoder.embed_scale, encoder).to(dtype), encoder)
    for layer in encoder.layers:
        states = _self_attended(layer, states, no_source)
        states = _fed_forward(layer, states)
    encoded = states

    heads = model.config.decoder_attention_heads
    no_source = _barred(mask == 0, heads, dtype)
    size = tokens.shape[1], tokens.shape[1]
    not_yet = torch.full(size, float("-inf"), dtype=dtype, device=tokens.device).triu(1)
    embedded = model.embed_target(tokens, asked)
    states = _dropped(_with_positions(embedded * decoder.embed_scale, decoder).to(dtype), decoder)
    for layer in decoder.layers:
        states = _self_attended(layer, states, not_yet)
        states = _source_attended(layer, states, encoded, no_source)
        states = _fed_forward(layer, states)
    return states, encoded


def _barred(barred: Tensor, heads: int, dtype: torch.dtype) -> Tensor | None:
    """Return what is added to scores of barred places, (batch_size * heads, 1, places)."""
    if barred.device.type == "cpu" and not barred.any():
        return None
    added = torch.zeros(barred.shape, dtype=dtype, device=barred.device)
    added = added.masked_fill(barred, float("-inf"))
    return added.repeat_interleave(heads, dim=0).unsqueeze(1)


def _with_positions(embedded: Tensor, stack: Any) -> Tensor:
    """Add the position encodings of a stack, of (batch_size, length, d_model) embeddings."""
    positions: Tensor = stack.embed_positions(embedded.shape[:-1])
    return embedded + positions


def _dropped(states: Tensor, module: Any) -> Tensor:
    """Drop what a stack or a layer drops of what it adds, in training."""
    if not (module.dropout and module.training):
        return states
    return dropout(states, module.dropout)


def _self_attended(layer: Any, states: Tensor, barred: Tensor | None) -> Tensor:
    attention = layer.self_attn
    projected = _projected(states, attention, ("q_proj", "k_proj", "v_proj"))
    written = _attended(projected, attention, barred)
    return _normalised(states + _dropped(written, layer), layer.self_attn_layer_norm)


def _source_attended(layer: Any, states: Tensor, encoded: Tensor, barred: Tensor | None) -> Tensor:
    attention = layer.encoder_attn
    queries = _projected(states, attention, ("q_proj",))
    projected = queries + _projected(encoded, attention, ("k_proj", "v_proj"))
    written = _attended(projected, attention, barred)
    return _normalised(states + _dropped(written, layer), layer.encoder_attn_layer_norm)


def _fed_forward(layer: Any, states: Tensor) -> Tensor:
    hidden = _linear(states, layer.fc1).relu_()
    written = _dropped(_linear(hidden, layer.fc2), layer)
    return _normalised(states + written, layer.final_layer_norm)


def _projected(states: Tensor, attention: Any, names: tuple[str, ...]) -> tuple[Tensor, ...]:
    """Return projections of the same states, each (batch_size * heads, length, head_size)."""
    batch_size, length, _ = states.shape
    layers = [getattr(attention, name) for name in names]
    scales = [attention.scaling if name == "q_proj" else 1.0 for name in names]
    pairs = list(zip(layers, scales, strict=True))
    weight = torch.cat([layer.weight * scale for layer, scale in pairs]).to(states.dtype)
    bias = torch.cat([layer.bias * scale for layer, scale in pairs]).to(states.dtype)
    shape = (batch_size, length, len(names), attention.num_heads, attention.head_dim)
    projected = linear(states, weight, bias).view(shape).permute(2, 0, 3, 1, 4)
    return projected.reshape(len(names), -1, length, attention.head_dim).unbind(0)


def _attended(projected: tuple[Tensor, ...], attention: Any, barred: Tensor | None) -> Tensor:
    """Return what attention writes, (batch_size, length, d_model), of queries, keys and values."""
    queries, keys, values = projected
    scores = torch.bmm(queries, keys.transpose(1, 2))
    if barred is not None:
        scores.add_(barred)
    read = torch.bmm(scores.softmax(dim=-1), values)
    read = read.view(-1, attention.num_heads, *read.shape[1:]).transpose(1, 2)
    return _linear(read.flatten(2), attention.out_proj)


def _linear(states: Tensor, layer: nn.Linear) -> Tensor:
    return linear(states, layer.weight.to(states.dtype), layer.bias.to(states.dtype))


def _normalised(states: Tensor, norm: nn.LayerNorm) -> Tensor:
    weight: Tensor = norm.weight
    bias: Tensor = norm.bias
    if states.device.type != "cpu":  # where all must be of one type
        weight, bias = weight.to(states.dtype), bias.to(states.dtype)
    return layer_norm(states, norm.normalized_shape, weight, bias, norm.eps)
