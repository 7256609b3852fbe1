"""The training loss of a batch, and what it is computed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

from subfit.model.transformer import TrainableModel
from subfit.training.dataset import IGNORED, AnyBatch, Packed
from subfit.training.forward import Added, added, has_packed_states, packed_states
from subfit.training.predictor import joint_length_loss
from subfit.training.recipe import Recipe

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


@dataclass(frozen=True, slots=True)
class Kernels:
    """What moves most memory in a step, compiled or not."""

    add: Added = added
    gradient: Gradient = loss_and_gradient


PLAIN = Kernels()


def kernels(*, compiled: bool) -> Kernels:
    """Return what a step is computed with; compiling takes some seconds at its first call."""
    if not compiled:
        return PLAIN
    return Kernels(torch.compile(added, dynamic=False), torch.compile(loss_and_gradient))


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
        to_weight = torch.zeros_like(weight)
        weight = weight.to(states.dtype)
        for start in range(0, len(labels), rows):
            block = slice(start, start + rows)
            inputs = states[block]
            scores = linear(inputs, weight, bias)  # (rows, vocab_size)
            loss, gradient = gradient_of(scores, labels[block], counted[block], smoothing)
            total += loss
            torch.mm(gradient, weight, out=to_states[block])
            to_weight += gradient.t() @ inputs
        if smoothing:  # the same for every piece, so it is taken off once
            share = smoothing / len(weight)
            of_pieces = weight.sum(dim=0, dtype=torch.float32)
            of_states = (states * counted).sum(dim=0, dtype=torch.float32)
            of_bias = counted.sum(dtype=torch.float32) * bias.sum(dtype=torch.float32)
            total -= share * (of_states @ of_pieces + of_bias)
            to_states -= (share * of_pieces).to(states.dtype) * counted
            to_weight -= share * of_states
        ctx.save_for_backward(to_states, to_weight)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        to_states, to_weight = ctx.saved_tensors
        factor = gradients[0]
        moved = to_states * factor.to(to_states.dtype), to_weight * factor
        return (*moved, None, None, None, None)


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


def target_states(
    model: TrainableModel,
    batch: AnyBatch,
    dtype: torch.dtype = torch.float32,
    add: Added = added,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return what the decoder makes of a batch.

    Returns:
        States (target_tokens, d_model) and labels (target_tokens,), and the encoder's states. Those
        of packed batches of one shape are of all places, with `IGNORED` labels among them.
    """
    if isinstance(batch, Packed):
        assert has_packed_states(model)
        states, encoded = packed_states(model, batch, dtype, add)
        if states.device.type != "cpu":
            return states, batch.labels, encoded
        labels = batch.labels
    else:
        earlier = batch.labels[:, :-1]
        earlier = earlier.masked_fill(earlier == IGNORED, model.config.pad_token_id)
        inputs = torch.cat([batch.before, earlier], dim=1)
        device = model.device.type
        with torch.autocast(device, dtype, enabled=dtype != torch.float32):
            states, encoded = model.states(batch.source, batch.source_mask, inputs, batch.asked)
        states = states[:, batch.before.shape[1] - 1 :].flatten(0, 1)
        labels = batch.labels.flatten()
    real = (labels != IGNORED).nonzero().squeeze(1)  # (target_tokens,)
    return states.index_select(0, real), labels[real], encoded


def target_logits(model: TrainableModel, states: Tensor) -> Tensor:
    """Return the scores of all tokens, in float32, for (target_tokens, d_model) states."""
    weight, bias = model.output_layer
    return linear(states, weight.to(states.dtype), bias.to(states.dtype)).float()


def token_losses(model: TrainableModel, batch: AnyBatch, *, smoothing: float = 0.0) -> Tensor:
    """Return the mean cross-entropy per target token of a batch, a scalar."""
    states, labels, _ = target_states(model, batch)
    total = projected_cross_entropy(states, model.output_layer, labels, smoothing=smoothing)
    return total / (labels != IGNORED).sum()


class TrainingLoss:
    """The loss of a batch, summed over its target tokens.

    A length predictor that is trained along counts once for every target token, and so does a head
    that predicts fertilities; their losses are means over texts and over source tokens.

    Args:
        recipe: Says what is smoothed and trained along.
        model: On its device.
        smoothed: Whether labels are smoothed, as in training.
    """

    def __init__(
        self,
        recipe: Recipe,
        model: TrainableModel,
        used: Kernels = PLAIN,
        *,
        smoothed: bool = True,
    ) -> None:
        self.model, self.used = model, used
        self.dtype = computed_in(recipe, model.device)
        self.smoothing = recipe.optimizer.label_smoothing if smoothed else 0.0
        self.has_head = recipe.length.has_head and smoothed

    def __call__(self, batch: AnyBatch) -> Tensor:
        """Return the loss of a batch, a scalar."""
        states, labels, encoded = target_states(self.model, batch, self.dtype, self.used.add)
        if not isinstance(batch, Packed):
            states = states.to(self.dtype)
        loss = projected_cross_entropy(
            states,
            self.model.output_layer,
            labels,
            smoothing=self.smoothing,
            gradient=self.used.gradient,
        )
        count = (labels != IGNORED).sum()
        bounds = self.model.fertility
        if bounds is not None and not isinstance(batch, Packed) and batch.fertilities is not None:
            loss = loss + count * bounds.loss(encoded, batch.fertilities)
        if self.has_head:
            loss = loss + count * joint_length_loss(self.model, batch, encoded)
        return loss
