"""The training loss, for one process or several, compiled or not."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, kl_div, linear
from torch.nn.parallel import DistributedDataParallel

from subfit.errors import RecipeError
from subfit.model.transformer import TrainableModel
from subfit.training.data.batch import IGNORED, Batch
from subfit.training.length.predictor import joint_length_loss
from subfit.training.recipe.model import Length
from subfit.training.recipe.recipe import Recipe
from subfit.training.run.cross_entropy import projected_cross_entropy
from subfit.training.run.distributed import mean_in_bfloat16, process_count
from subfit.training.run.precision import autocast, lacks_bfloat16
from subfit.training.run.quick_states import has_quick_states, quick_states

NO_LENGTH = Length()


def target_states(model: TrainableModel, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Return the decoder's states at the target tokens of a batch, padding left out.

    Returns:
        The states (target_tokens, d_model), the labels (target_tokens,), and the encoder's states
        (batch_size, max_source_length, d_model).
    """
    earlier = batch.labels[:, :-1]
    earlier = earlier.masked_fill(earlier == IGNORED, model.config.pad_token_id)
    inputs = torch.cat([batch.before, earlier], dim=1)
    given = batch.source, batch.source_mask, inputs, batch.asked
    device = model.device.type
    if torch.is_autocast_enabled(device) and has_quick_states(model):
        with torch.autocast(device, enabled=False):
            states, encoded = quick_states(model, *given)
    else:
        states, encoded = model.states(*given)
    states = states[:, batch.before.shape[1] - 1 :]  # what comes first is not for it to choose
    labels = batch.labels.flatten()
    real = (labels != IGNORED).nonzero().squeeze(1)  # (target_tokens,)
    return states.flatten(0, 1).index_select(0, real), labels[real], encoded


def target_logits(model: TrainableModel, states: Tensor) -> Tensor:
    """Return the scores of all tokens, in float32, for (target_tokens, d_model) states."""
    return linear(states, *model.output_layer).float()


def summed_cross_entropy(
    model: TrainableModel, states: Tensor, labels: Tensor, smoothing: float = 0.0
) -> Tensor:
    """Return the cross-entropy summed over the target tokens, a scalar, as if from their scores."""
    weight, bias = model.output_layer
    return projected_cross_entropy(states, weight, bias, labels, smoothing=smoothing)


def token_losses(model: TrainableModel, batch: Batch, *, smoothing: float = 0.0) -> Tensor:
    """Return the mean cross-entropy per target token of a batch, a scalar."""
    states, labels, _ = target_states(model, batch)
    return summed_cross_entropy(model, states, labels, smoothing) / len(labels)


class SummedLoss(nn.Module):
    """The training loss of a batch, summed over its target tokens.

    With R-Drop (Wu et al. 2021, "R-Drop: Regularized dropout for neural networks", eqs. 2-4) the
    batch goes through the model twice, under two dropouts, and ``alpha/2 * (KL(p1||p2) +
    KL(p2||p1))`` is added to the two cross-entropies. All of it is halved, so that the loss stays
    comparable with that of one pass.

    Args:
        model: The translator.
        smoothing: Label smoothing.
        r_drop: The factor alpha; 0 for one pass.
        length: Says whether and how a length predictor is trained as well; its loss, a mean over
            texts, counts once for every target token. So does that of a head that predicts
            fertilities, a mean over source tokens.
    """

    def __init__(
        self,
        model: TrainableModel,
        smoothing: float,
        r_drop: float = 0.0,
        length: Length = NO_LENGTH,
    ) -> None:
        super().__init__()
        self.model, self.smoothing, self.r_drop, self.length = model, smoothing, r_drop, length

    def forward(self, batch: Batch) -> Tensor:
        """Return the loss of a batch, a scalar."""
        states, labels, encoded = target_states(self.model, batch)
        loss = (
            self._with_r_drop(batch, states, labels)
            if self.r_drop
            else summed_cross_entropy(self.model, states, labels, self.smoothing)
        )
        bounds = self.model.fertility
        if bounds is not None and batch.fertilities is not None:
            loss = loss + labels.numel() * bounds.loss(encoded, batch.fertilities)
        if self.length.predictor is None:
            return loss
        gradient = self.length.predictor_gradient
        predictor_loss = joint_length_loss(self.model, batch, encoded, gradient=gradient)
        return loss + self.length.predictor_weight * labels.numel() * predictor_loss

    def _with_r_drop(self, batch: Batch, states: Tensor, labels: Tensor) -> Tensor:
        logits = target_logits(self.model, states)
        others = target_logits(self.model, target_states(self.model, batch)[0])
        loss = sum(
            cross_entropy(scores, labels, label_smoothing=self.smoothing, reduction="sum")
            for scores in (logits, others)
        )
        return loss / 2 + self.r_drop / 4 * symmetric_divergence(logits, others)


def symmetric_divergence(logits: Tensor, others: Tensor) -> Tensor:
    """Return KL(p||q) + KL(q||p), summed over rows, of (rows, vocab_size) logits."""
    first, second = logits.log_softmax(dim=-1), others.log_softmax(dim=-1)
    forward = kl_div(second, first, log_target=True, reduction="sum")
    return forward + kl_div(first, second, log_target=True, reduction="sum")


class Gradients:
    """Adds up gradients over the batches and processes of a step.

    Args:
        recipe: Its ``optimizer`` names the loss, its ``run`` whether it is compiled.
        model: The model, on its device and with the weights to start from; if there are several
            processes, all get those of the first.
    """

    def __init__(self, recipe: Recipe, model: TrainableModel) -> None:
        settings = recipe.optimizer
        self._loss: nn.Module = SummedLoss(
            model, settings.label_smoothing, settings.r_drop, recipe.length
        )
        if recipe.run.compile:
            self._loss.compile(dynamic=True)
        if process_count() > 1:
            self._loss = DistributedDataParallel(self._loss, broadcast_buffers=False)
            if recipe.run.dtype == "bfloat16" and not lacks_bfloat16(recipe, model.device):
                self._loss.register_comm_hook(None, mean_in_bfloat16)
        self._autocast = autocast(recipe, model.device)

    def add(self, batch: Batch, tokens: float, *, last: bool) -> float:
        """Add the gradients of one batch to those of the step.

        Args:
            batch: On the model's device.
            tokens: Target tokens of the whole step, in all its batches and processes.
            last: Whether this is the last batch of this process in the step; the processes then
                exchange what they have.

        Returns:
            The loss of the batch, summed over its target tokens.

        Raises:
            RecipeError: It should be compiled, and this machine cannot.
        """
        with self._exchange(last):
            with self._autocast:
                loss = self._compute(batch)
            # DistributedDataParallel takes the mean over the processes; we want the sum.
            (loss * (process_count() / tokens)).backward()  # type: ignore[no-untyped-call]
        return loss.item()

    def _exchange(self, last: bool) -> AbstractContextManager[None]:
        if isinstance(self._loss, DistributedDataParallel) and not last:
            return self._loss.no_sync()
        return nullcontext()

    def _compute(self, batch: Batch) -> Tensor:
        try:
            loss: Tensor = self._loss(batch)
        except RuntimeError as error:
            if not type(error).__module__.startswith(("torch._dynamo", "torch._inductor")):
                raise
            raise RecipeError(
                f"run.compile: this machine cannot compile the loss ({_first_line(error)});"
                " set run.compile: false"
            ) from error
        return loss


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
