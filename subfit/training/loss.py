"""The training loss of a batch: forward pass over texts in one row, output layer, cross-entropy.

Products, sums and norms see only tokens there are, all in one type from the embeddings to the
states; projections of the same states are one product. Attention is FlashAttention over texts of
any lengths where the device has it; elsewhere it is three products over texts padded for it alone.
What is computed is what Hugging Face's Marian computes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, embedding, layer_norm, linear

from subfit.model.attention import SourceAttention
from subfit.model.length import UNASKED
from subfit.model.transformer import CoveringAttention, TrainableModel, Transformer
from subfit.training.dataset import IGNORED, Batch
from subfit.training.predictor import length_loss
from subfit.training.recipe import Recipe

Added = Callable[[Tensor, Tensor, nn.LayerNorm, float], Tensor]
"""Adds what a layer writes to what it read, with dropout, and normalises it."""


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


def states_of(
    model: TrainableModel, batch: Batch, dtype: torch.dtype, add: Added = added
) -> tuple[Tensor, Tensor]:
    """Return the decoder's and the encoder's last states.

    Args:
        model: One of Hugging Face's runs by its own code, with padding.
        batch: Texts in one row.
        dtype: What is computed in.
        add: `added`, or what computes the same.

    Returns:
        (T, d_model) and (S, d_model).
    """
    sources = _Texts(batch.source_bounds, len(batch.source), batch.longest[0])
    targets = _Texts(batch.target_bounds, len(batch.target), batch.longest[1])
    if not isinstance(model, Transformer):
        pad = model.config.pad_token_id
        fed, source = targets.padded(batch.target, pad), sources.padded(batch.source, pad)
        with torch.autocast(batch.source.device.type, dtype, enabled=dtype != torch.float32):
            states, encoded = model.states(source, sources.real.long(), fed, batch.asked)
        return targets.row(states).to(dtype), sources.row(encoded)

    encoder, decoder, config = model.model.encoder, model.model.decoder, model.config
    share = config.attention_dropout if model.training else 0.0
    dropped = config.dropout if model.training else 0.0
    flash = has_flash(batch.source.device, dtype, config.d_model // config.decoder_attention_heads)
    attend = _flash if flash else _by_products

    def behind(read: Tensor, states: Tensor, attention: Any, norm: Any) -> Tensor:
        return add(states, _linear(read.flatten(1), attention.out_proj), norm, dropped)

    def by_itself(layer: Any, states: Tensor, texts: _Texts, *, causal: bool) -> Tensor:
        own = _projected(states, layer.self_attn, ("q_proj", "k_proj", "v_proj"))
        read = attend(own, texts, texts, causal, share)
        return behind(read, states, layer.self_attn, layer.self_attn_layer_norm)

    def fed_forward(layer: Any, states: Tensor) -> Tensor:
        hidden = _linear(states, layer.fc1)
        relu = isinstance(layer.activation_fn, nn.ReLU)
        hidden = hidden.relu_() if relu else layer.activation_fn(hidden)
        return add(states, _linear(hidden, layer.fc2), layer.final_layer_norm, dropped)

    embedded = embedding(
        batch.source, encoder.embed_tokens.weight, encoder.embed_tokens.padding_idx
    )
    states = _started(embedded, batch.source_places, encoder, dtype, dropped)
    layer: Any
    for layer in encoder.layers:
        states = by_itself(layer, states, sources, causal=False)
        states = fed_forward(layer, states)
    encoded = states

    embedded = model.embed_target(
        batch.target.unsqueeze(1), batch.asked[targets.owners], batch.emitted.unsqueeze(1)
    ).squeeze(1)
    states = _started(embedded, batch.target_places, decoder, dtype, dropped)
    for layer in decoder.layers:
        states = by_itself(layer, states, targets, causal=True)
        own = _projected(states, layer.encoder_attn, ("q_proj",))
        own += _projected(encoded, layer.encoder_attn, ("k_proj", "v_proj"))
        if isinstance(layer.encoder_attn, CoveringAttention):
            bounds = None if model.fertility is None else model.fertility(batch.source, encoded)
            read = _covering(own, targets, sources, layer.encoder_attn.way, bounds, share)
        else:
            read = attend(own, targets, sources, False, share)
        states = behind(read, states, layer.encoder_attn, layer.encoder_attn_layer_norm)
        states = fed_forward(layer, states)
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
        at = torch.arange(self.places, device=self.bounds.device, dtype=self.bounds.dtype)
        found = torch.searchsorted(self.bounds[1:].contiguous(), at, right=True)
        return found.clamp(max=len(self.bounds) - 2)

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

    def padded(self, rows: Tensor, value: float = 0.0) -> Tensor:
        """Return rows of places, (places, …), as padded texts, (texts, longest, …)."""
        texts = rows.index_select(0, self.taken).view(-1, self.longest, *rows.shape[1:])
        real = self.real.view(*self.real.shape, *[1] * (rows.ndim - 1))
        return torch.where(real, texts, value) if value else texts

    def row(self, texts: Tensor) -> Tensor:
        """Return padded texts as rows of places."""
        return texts.flatten(0, 1).index_select(0, self.put)

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
        rows = texts.padded(states).transpose(1, 2)
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
    return asking.row(read.transpose(1, 2))


def _covering(
    projected: tuple[Tensor, ...],
    asking: _Texts,
    asked: _Texts,
    way: SourceAttention,
    bounds: Tensor | None,
    share: float,
) -> Tensor:
    """Attention whose steps depend on those before; bounds (places,) are the sources'."""
    queries, keys, values = (
        texts.padded(states).transpose(1, 2)
        for states, texts in zip(projected, (asking, asked, asked), strict=True)
    )
    scores = (queries @ keys.transpose(2, 3)).float()
    scores = scores.masked_fill(~asked.real[:, None, None], float("-inf"))
    bounds = None if bounds is None else asked.padded(bounds)
    weights = way.share_all(scores, bounds, way.lean(queries)).to(values.dtype)
    weights = dropout(weights, share) if share else weights
    return asking.row((weights @ values).transpose(1, 2))


def _started(
    embedded: Tensor, places: Tensor, stack: Any, dtype: torch.dtype, dropped: float
) -> Tensor:
    """Return what the first layer of a stack reads: scaled embeddings with their positions."""
    states = embedded * stack.embed_scale
    table = getattr(stack.embed_positions, "weight", None)
    states = (states if table is None else states + table[places]).to(dtype)
    return dropout(states, dropped) if dropped else states


def _projected(states: Tensor, attention: Any, names: tuple[str, ...]) -> tuple[Tensor, ...]:
    """Return projections of the same states, each (places, heads, head)."""
    layers = [getattr(attention, name) for name in names]
    scales = [attention.head_dim**-0.5 if name == "q_proj" else 1.0 for name in names]
    pairs = list(zip(layers, scales, strict=True))
    weight = torch.cat([layer.weight * scale for layer, scale in pairs]).to(states.dtype)
    bias = torch.cat([layer.bias * scale for layer, scale in pairs]).to(states.dtype)
    shape = (len(states), len(names), attention.num_heads, attention.head_dim)
    return linear(states, weight, bias).view(shape).unbind(1)


def _linear(states: Tensor, layer: nn.Linear) -> Tensor:
    return linear(states, layer.weight.to(states.dtype), layer.bias.to(states.dtype))


NO_BFLOAT16 = (
    "this processor has no arithmetic for bfloat16, and would take many times as long by other"
    " means: computing in float32"
)
FLOAT16 = "this GPU has no arithmetic for bfloat16: computing in float16, with a scaled loss"
CPU_ROWS = 512
"""512 rows of 16,000 scores in bfloat16 are 16 MB: rows enough for products to be fast, and few
enough for the allocator to give the same memory to the next block."""
OTHER_ROWS = 4096
TINY = 1e-30
"""The least probability that a loss is taken of."""


def computed_in(recipe: Recipe, device: torch.device) -> torch.dtype:
    """Return what a device computes a recipe's losses in."""
    if recipe.run.dtype == "float32":
        return torch.float32
    if device.type == "cpu":
        return torch.bfloat16 if has_bfloat16(device) else torch.float32
    return torch.bfloat16 if has_bfloat16(device) else torch.float16


def has_bfloat16(device: torch.device) -> bool:
    """Whether a device computes products in bfloat16 faster than one by one."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if not torch._C._has_mkldnn:
        return False
    supported: bool = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return supported


def precision_note(recipe: Recipe, device: torch.device) -> str | None:
    """Return a line where a device computes in something else than a recipe asks for."""
    if recipe.run.dtype == "float32" or computed_in(recipe, device) == torch.bfloat16:
        return None
    return NO_BFLOAT16 if device.type == "cpu" else FLOAT16


Gradient = Callable[[Tensor, Tensor, Tensor, float], tuple[Tensor, Tensor]]


def loss_and_gradient(
    scores: Tensor, labels: Tensor, counted: Tensor, smoothing: float
) -> tuple[Tensor, Tensor]:
    """Return the summed loss of scores, and what it wants of each score.

    Label smoothing's part that is the same for all scores is left out, of both.

    Args:
        scores: (rows, vocab_size)
        labels: (rows, 1)
        counted: (rows, 1) 0 for rows that no loss is taken of, else 1; in the type of the scores.
        smoothing: Label smoothing over the whole vocabulary.
    """
    probabilities = scores.softmax(dim=1)
    found = probabilities.gather(1, labels)
    loss = -(found.float().clamp(min=TINY).log() * counted).sum()
    if smoothing:
        loss = loss + smoothing * (scores.gather(1, labels).float() * counted).sum()
    probabilities = probabilities.scatter(1, labels, found - (1.0 - smoothing))
    return loss, probabilities * counted


class _ProjectedCrossEntropy(torch.autograd.Function):
    """Output projection, label-smoothed cross-entropy and its gradient, some rows at a time.

    The scores of a batch over the whole vocabulary are by far the largest tensor of a training
    step, and time goes into moving it through memory; so each block of rows is turned into the
    gradients of the states and of the weight at once, and the scores are never kept.
    """

    @staticmethod
    def forward(
        ctx: Any,
        states: Tensor,
        weight: Tensor,
        bias: Tensor,
        labels: Tensor,
        smoothing: float,
        gradient_of: Gradient,
    ) -> Tensor:
        rows = CPU_ROWS if states.device.type == "cpu" else OTHER_ROWS
        counted = (labels != IGNORED).unsqueeze(1).to(states.dtype)
        labels = labels.clamp(min=0).unsqueeze(1)
        total = torch.zeros((), device=states.device)
        to_states = torch.empty_like(states)
        learns = ctx.needs_input_grad[1]
        to_weight = torch.zeros_like(weight) if learns else None
        weight = weight.to(states.dtype)
        for start in range(0, len(labels), rows):
            block = slice(start, start + rows)
            inputs = states[block]
            scores = linear(inputs, weight, bias)  # (rows, vocab_size)
            loss, gradient = gradient_of(scores, labels[block], counted[block], smoothing)
            total += loss
            torch.mm(gradient, weight, out=to_states[block])
            if to_weight is not None:
                to_weight += gradient.t() @ inputs
        if smoothing:  # the same for every piece, so it is taken off once
            share = smoothing / len(weight)
            of_pieces = weight.sum(dim=0, dtype=torch.float32)
            of_states = (states * counted).sum(dim=0, dtype=torch.float32)
            of_bias = counted.sum(dtype=torch.float32) * bias.sum(dtype=torch.float32)
            total -= share * (of_states @ of_pieces + of_bias)
            to_states -= (share * of_pieces).to(states.dtype) * counted
            if to_weight is not None:
                to_weight -= share * of_states
        ctx.save_for_backward(to_states, to_weight)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        to_states, to_weight = ctx.saved_tensors
        factor = gradients[0]
        moved = None if to_weight is None else to_weight * factor
        return to_states * factor.to(to_states.dtype), moved, None, None, None, None


class _ProjectedDivergence(torch.autograd.Function):
    """Divergence of the probabilities of two output layers, likewise by blocks of rows."""

    @staticmethod
    def forward(
        ctx: Any, states: Tensor, weight: Tensor, bias: Tensor, counted: Tensor, other: Other
    ) -> Tensor:
        rows = CPU_ROWS if states.device.type == "cpu" else OTHER_ROWS
        total = torch.zeros((), device=states.device)
        to_states = torch.empty_like(states)
        to_weight = torch.zeros_like(weight) if ctx.needs_input_grad[1] else None
        weight = weight.to(states.dtype)
        theirs, lean = other.weight.to(states.dtype), other.bias.to(states.dtype)
        for start in range(0, len(states), rows):
            block = slice(start, start + rows)
            found = linear(states[block], weight, bias).float().log_softmax(1)
            wanted = linear(other.states[block], theirs, lean).float().log_softmax(1)
            total += (wanted.exp() * (wanted - found)).sum(1) @ counted[block]
            gradient = (found.exp() - wanted.exp()) * counted[block].unsqueeze(1)
            gradient = gradient.to(states.dtype)
            torch.mm(gradient, weight, out=to_states[block])
            if to_weight is not None:
                to_weight += gradient.t() @ states[block]
        ctx.save_for_backward(to_states, to_weight)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        to_states, to_weight = ctx.saved_tensors
        moved = None if to_weight is None else to_weight * gradients[0]
        return to_states * gradients[0].to(to_states.dtype), moved, None, None, None


class Other(NamedTuple):
    """What another model's probabilities are made of: last states (rows, d) and output layer."""

    states: Tensor
    weight: Tensor
    bias: Tensor


def projected_divergence(
    states: Tensor, output: tuple[Tensor, Tensor], counted: Tensor, other: Other
) -> Tensor:
    """Return how far the probabilities of an output layer are from another's, summed over rows.

    Kullback-Leibler divergence of ours from theirs, as word-level distillation has it (Kim & Rush
    2016, §3.1) at temperature 1; that layer's bias and the other model get no gradient.

    Args:
        states: (rows, d_model)
        output: Weight (vocab_size, d_model) in float32, and bias (vocab_size,).
        counted: (rows,) 1 for rows that count, else 0.
        other: The other's.

    Returns:
        A scalar in float32.
    """
    weight, bias = output
    with torch.autocast(states.device.type, enabled=False):
        loss: Tensor = _ProjectedDivergence.apply(  # type: ignore[no-untyped-call]
            states, weight, bias.to(states.dtype), counted.float(), other
        )
    return loss


def projected_cross_entropy(
    states: Tensor,
    output: tuple[Tensor, Tensor],
    labels: Tensor,
    *,
    smoothing: float = 0.0,
    gradient: Gradient = loss_and_gradient,
) -> Tensor:
    """Return the cross-entropy of the scores of an output layer, summed over rows.

    Equal to `torch.nn.functional.cross_entropy` of ``states @ weight.T + bias``. The products are
    computed in the type of the states, sums in float32. The bias gets no gradient.

    Args:
        states: (rows, d_model)
        output: Weight (vocab_size, d_model) in float32, and bias (vocab_size,).
        labels: (rows,) token ids, `IGNORED` where none is.
        smoothing: Label smoothing over the whole vocabulary.
        gradient: `loss_and_gradient`, or what computes the same.

    Returns:
        A scalar in float32.
    """
    weight, bias = output
    with torch.autocast(states.device.type, enabled=False):
        loss: Tensor = _ProjectedCrossEntropy.apply(  # type: ignore[no-untyped-call]
            states, weight, bias.to(states.dtype), labels, smoothing, gradient
        )
    return loss


def joint_length_loss(model: TrainableModel, batch: Batch, states: Tensor) -> Tensor:
    """Return the loss of a length head that is trained with its translator, a scalar.

    Texts behind the token of a length class do not count: it tells their reference's length. The
    encoder learns nothing from it.

    Args:
        model: Has a length head.
        batch: What was translated.
        states: Of the encoder's last layer, (S, d_model).
    """
    head: Any = model.length_head
    texts = _Texts(batch.source_bounds, len(batch.source), batch.longest[0])
    source, target = batch.characters.unbind(1)
    predicted = head(texts.padded(states.detach()), texts.real, source)
    if model.config.length_unit == "tokens":
        targets = _Texts(batch.target_bounds, len(batch.labels), batch.longest[1])
        pieces = targets.real & (targets.padded(batch.labels) != IGNORED)
        target = (pieces.sum(1) - 1) * model.config.token_characters
    by_class = bool(model.config.length_classes)
    counted = (batch.asked == UNASKED) | (not by_class)
    return length_loss(predicted, source, target, counted & (source > 0))


class TrainingLoss:
    """The loss of a batch, summed over its target tokens.

    A length predictor that is trained along counts once for every target token, and so does a head
    that predicts fertilities; their losses are means over texts and over source tokens.

    Args:
        recipe: Says what is smoothed and trained along.
        model: On its device.
        smoothed: Whether labels are smoothed, as in training.
        compiled: Whether what moves most memory is compiled, some seconds at the first call.
        teacher: Whose probabilities rehearsed texts are to keep, see ``data.rehearsed``.
    """

    def __init__(
        self,
        recipe: Recipe,
        model: TrainableModel,
        *,
        smoothed: bool = True,
        compiled: bool = False,
        teacher: TrainableModel | None = None,
    ) -> None:
        self.model, self.teacher = model, teacher
        self._add: Added = added
        self._gradient: Gradient = loss_and_gradient
        if compiled:
            self._add = torch.compile(added, dynamic=False)
            self._gradient = torch.compile(loss_and_gradient)
        self.dtype = computed_in(recipe, model.device)
        self.smoothing = recipe.optimizer.label_smoothing if smoothed else 0.0
        self.rehearsal = recipe.optimizer.rehearsal
        self.has_head = recipe.length.has_head and smoothed

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of a batch, a scalar."""
        states, encoded = states_of(self.model, batch, self.dtype, self._add)
        real = batch.labels != IGNORED
        rehearsed = None if self.teacher is None else batch.rehearsed
        read = real if rehearsed is None else real & ~rehearsed
        loss = projected_cross_entropy(
            _chosen(states, read),
            self.model.output_layer,
            _chosen(batch.labels.masked_fill(~read, IGNORED), read),
            smoothing=self.smoothing,
            gradient=self._gradient,
        )
        if rehearsed is not None:
            loss = loss + self.rehearsal * self._forgotten(batch, states, real & rehearsed)
        count = real.sum()
        if self.model.fertility is not None and batch.fertilities is not None:
            loss = loss + count * self.model.fertility.loss(encoded, batch.fertilities)
        if self.has_head:
            loss = loss + count * joint_length_loss(self.model, batch, encoded)
        return loss

    def _forgotten(self, batch: Batch, states: Tensor, rows: Tensor) -> Tensor:
        """How far some rows are from what the teacher says of them."""
        assert self.teacher is not None
        seen, counted = batch, _chosen(rows, rows)
        if rows.device.type == "cpu":  # where shapes may change it reads no more than it teaches
            if not len(counted):
                return torch.zeros(())
            seen = _some(batch, rows)
        with torch.no_grad():
            theirs, _ = states_of(self.teacher, seen, self.dtype, self._add)
        known = rows if seen is batch else seen.labels != IGNORED
        other = Other(_chosen(theirs, known), *self.teacher.output_layer)
        return projected_divergence(_chosen(states, rows), self.model.output_layer, counted, other)


def _some(batch: Batch, rows: Tensor) -> Batch:
    """Return the texts of a batch in which some target places (T,) are chosen."""
    owners = _Texts(batch.target_bounds, len(batch.target), batch.longest[1]).owners
    texts = torch.zeros(len(batch.asked), dtype=torch.bool).index_fill(0, owners[rows], True)
    sources = texts[_Texts(batch.source_bounds, len(batch.source), batch.longest[0]).owners]
    targets = texts[owners]

    def bounds_of(bounds: Tensor) -> Tensor:
        return torch.cat([bounds[:1], bounds.diff()[texts].cumsum(0, dtype=bounds.dtype)])

    return replace(
        batch,
        source=batch.source[sources],
        source_places=batch.source_places[sources],
        source_bounds=bounds_of(batch.source_bounds),
        target=batch.target[targets],
        target_places=batch.target_places[targets],
        target_bounds=bounds_of(batch.target_bounds),
        labels=batch.labels[targets],
        asked=batch.asked[texts],
        emitted=batch.emitted[targets],
        characters=batch.characters[texts],
    )


def _chosen(values: Tensor, rows: Tensor) -> Tensor:
    """Return the rows that count; on a GPU, where shapes must not change, all."""
    if values.device.type != "cpu":
        return values
    return values.index_select(0, rows.nonzero().squeeze(1))
