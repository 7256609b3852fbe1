"""The forward pass of a training step over texts in one row, without padding.

Products, sums and norms see only tokens there are, all in one type from the embeddings to the
states; projections of the same states are one product. Attention is FlashAttention over texts of
any lengths where the device has it; elsewhere it is three products over texts padded for it alone.
What is computed is what Hugging Face's Marian computes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, embedding, layer_norm, linear

from subfit.model.transformer import SubfitForTranslation, TrainableModel
from subfit.training.dataset import Packed
from subfit.training.predictor import owners

Added = Callable[[Tensor, Tensor, nn.LayerNorm, float], Tensor]
"""Adds what a layer writes to what it read, with dropout, and normalises it."""


def has_packed_states(model: TrainableModel) -> TypeGuard[SubfitForTranslation]:
    """Whether `packed_states` computes what a model computes: plain attention of our own shape."""
    if not isinstance(model, SubfitForTranslation):
        return False
    config = model.config
    plain = config.plain_attention and config.activation_function == "relu"
    return bool(plain and not config.activation_dropout)


def has_flash(device: torch.device, dtype: torch.dtype, head: int) -> bool:
    """Whether a device has FlashAttention for texts of any lengths."""
    if device.type != "cuda" or dtype == torch.float32 or head % 8 or head > 256:
        return False
    return torch.cuda.get_device_capability(device) >= (8, 0)


def added(states: Tensor, written: Tensor, norm: nn.LayerNorm, share: float) -> Tensor:
    """Return the norm of the sum, a ``share`` of what was written dropped."""
    if share:
        written = dropout(written, share)
    weight: Tensor = norm.weight
    bias: Tensor = norm.bias
    if states.device.type != "cpu":  # where all must be of one type
        weight, bias = weight.to(states.dtype), bias.to(states.dtype)
    return layer_norm(states + written, norm.normalized_shape, weight, bias, norm.eps)


def packed_states(
    model: SubfitForTranslation, batch: Packed, dtype: torch.dtype, add: Added = added
) -> tuple[Tensor, Tensor]:
    """Return the decoder's and the encoder's last states.

    Args:
        model: One that `has_packed_states`.
        batch: Texts in one row.
        dtype: What is computed in.
        add: `added`, or what computes the same.

    Returns:
        (T, d_model) and (S, d_model), in ``dtype``.
    """
    encoder: Any = model.model.encoder
    decoder: Any = model.model.decoder
    device = batch.source.device
    share = model.config.attention_dropout if model.training else 0.0
    sources = _Texts(batch.source_bounds, len(batch.source), batch.longest[0])
    targets = _Texts(batch.target_bounds, len(batch.target), batch.longest[1])
    flash = has_flash(device, dtype, model.config.d_model // model.config.decoder_attention_heads)
    attend = _flash if flash else _by_products

    embedded = embedding(
        batch.source, encoder.embed_tokens.weight, encoder.embed_tokens.padding_idx
    )
    states = _started(embedded, batch.source_places, encoder, dtype)
    for layer in encoder.layers:
        own = _projected(states, layer.self_attn, ("q_proj", "k_proj", "v_proj"))
        read = attend(own, sources, sources, False, share)
        states = _written(read, states, layer.self_attn, layer.self_attn_layer_norm, layer, add)
        states = _fed_forward(layer, states, add)
    encoded = states

    embedded = model.embed_target(
        batch.target.unsqueeze(1), batch.asked[targets.owners], batch.emitted.unsqueeze(1)
    ).squeeze(1)
    states = _started(embedded, batch.target_places, decoder, dtype)
    for layer in decoder.layers:
        own = _projected(states, layer.self_attn, ("q_proj", "k_proj", "v_proj"))
        read = attend(own, targets, targets, True, share)
        states = _written(read, states, layer.self_attn, layer.self_attn_layer_norm, layer, add)
        own = _projected(states, layer.encoder_attn, ("q_proj",))
        own += _projected(encoded, layer.encoder_attn, ("k_proj", "v_proj"))
        read = attend(own, targets, sources, False, share)
        norm = layer.encoder_attn_layer_norm
        states = _written(read, states, layer.encoder_attn, norm, layer, add)
        states = _fed_forward(layer, states, add)
    return states, encoded


@dataclass(frozen=True)
class _Texts:
    """Where the texts of one side stand in their row."""

    bounds: Tensor
    """(texts + 1,) int32"""
    places: int
    longest: int

    @cached_property
    def owners(self) -> Tensor:
        """The text of each place, (places,)."""
        return owners(self.bounds, self.places)

    @cached_property
    def real(self) -> Tensor:
        """Whether a place of the padded texts is one of theirs, (texts, longest)."""
        at = torch.arange(self.longest, device=self.bounds.device)
        return at < self.bounds.diff().unsqueeze(1)

    @cached_property
    def taken(self) -> Tensor:
        """The place in the row of each place of the padded texts, (texts * longest,)."""
        at = torch.arange(self.longest, device=self.bounds.device)
        return (self.bounds[:-1].unsqueeze(1) + at).clamp(max=self.places - 1).flatten()

    @cached_property
    def put(self) -> Tensor:
        """The place in the padded texts of each place of the row, (places,)."""
        starts = self.bounds[self.owners]
        at = torch.arange(self.places, device=self.bounds.device)
        return self.owners * self.longest + at - starts

    @cached_property
    def barred(self) -> Tensor | None:
        """Where there is nothing to attend to, (texts, 1, 1, longest); None if that is nowhere."""
        if self.bounds.device.type == "cpu" and bool(self.real.all()):
            return None
        return ~self.real.view(-1, 1, 1, self.longest)


def _flash(
    projected: tuple[Tensor, ...], asking: _Texts, asked: _Texts, causal: bool, share: float
) -> Tensor:
    """Attention of (places, heads, head) projections, by the kernel for texts of any lengths."""
    queries, keys, values = projected
    read, *_ = torch.ops.aten._flash_attention_forward(
        queries, keys, values, asking.bounds, asked.bounds, asking.longest, asked.longest, share,
        causal, False, scale=1.0
    )  # fmt: skip
    return read  # type: ignore[no-any-return]


def _by_products(
    projected: tuple[Tensor, ...], asking: _Texts, asked: _Texts, causal: bool, share: float
) -> Tensor:
    """The same of texts that are padded for it, and back; (places, heads, head)."""
    queries, keys, values = projected
    count, heads, head = len(asking.bounds) - 1, queries.shape[1], queries.shape[2]

    def padded(states: Tensor, texts: _Texts) -> Tensor:
        rows = states.flatten(1).index_select(0, texts.taken)
        rows = rows.view(count, texts.longest, heads, head).transpose(1, 2)
        return rows.reshape(count * heads, texts.longest, head)

    scores = torch.bmm(padded(queries, asking), padded(keys, asked).transpose(1, 2))
    scores = scores.view(count, heads, asking.longest, asked.longest)
    if asked.barred is not None:
        # Not infinite: a text without any place would have no softmax.
        scores = scores.masked_fill(asked.barred, torch.finfo(scores.dtype).min)
    if causal:
        later = torch.ones(asking.longest, asked.longest, dtype=torch.bool, device=scores.device)
        scores = scores.masked_fill(later.triu(1), torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if share:
        weights = dropout(weights, share)
    weights = weights.view(count * heads, asking.longest, asked.longest)
    read = torch.bmm(weights, padded(values, asked)).view(count, heads, asking.longest, head)
    rows = read.transpose(1, 2).reshape(count * asking.longest, heads * head)
    return rows.index_select(0, asking.put).view(-1, heads, head)


def _started(embedded: Tensor, places: Tensor, stack: Any, dtype: torch.dtype) -> Tensor:
    """Return what the first layer of a stack reads: scaled embeddings with their positions."""
    states = embedded * stack.embed_scale
    table = getattr(stack.embed_positions, "weight", None)
    if table is not None:
        states = states + table[places]
    states = states.to(dtype)
    return dropout(states, stack.dropout) if stack.training and stack.dropout else states


def _projected(states: Tensor, attention: Any, names: tuple[str, ...]) -> tuple[Tensor, ...]:
    """Return projections of the same states, each (places, heads, head)."""
    layers = [getattr(attention, name) for name in names]
    scales = [attention.scaling if name == "q_proj" else 1.0 for name in names]
    pairs = list(zip(layers, scales, strict=True))
    weight = torch.cat([layer.weight * scale for layer, scale in pairs]).to(states.dtype)
    bias = torch.cat([layer.bias * scale for layer, scale in pairs]).to(states.dtype)
    shape = (len(states), len(names), attention.num_heads, attention.head_dim)
    return linear(states, weight, bias).view(shape).unbind(1)


def _written(
    read: Tensor, states: Tensor, attention: Any, norm: nn.LayerNorm, layer: Any, add: Added
) -> Tensor:
    return add(states, _linear(read.flatten(1), attention.out_proj), norm, _share(layer))


def _fed_forward(layer: Any, states: Tensor, add: Added) -> Tensor:
    hidden = _linear(states, layer.fc1).relu_()
    return add(states, _linear(hidden, layer.fc2), layer.final_layer_norm, _share(layer))


def _share(layer: Any) -> float:
    return float(layer.dropout) if layer.training else 0.0


def _linear(states: Tensor, layer: nn.Linear) -> Tensor:
    return linear(states, layer.weight.to(states.dtype), layer.bias.to(states.dtype))
