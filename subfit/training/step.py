"""One step: gradients of some batches added up, exchanged, clipped, and the weights moved.

Nothing in it waits for the device: losses and counts add up there, and are read when a line of the
log is due. On a GPU a step is recorded as CUDA graphs and played again (`run.graph`), which batches
of one shape allow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from subfit.errors import RecipeError
from subfit.model.transformer import TrainableModel
from subfit.training.batches import SeededBatch
from subfit.training.dataset import IGNORED, Batch, moved, tensors_of
from subfit.training.distributed import (
    process_count,
    share_weights,
    sum_gradients,
    sum_in_place,
)
from subfit.training.loss import TrainingLoss, kernels
from subfit.training.optimizer import build_optimizers, set_rate
from subfit.training.recipe import Recipe

WARM_STEPS = 3
"""Steps that are taken as they come before one is recorded: optimisers and kernels set up."""
FIRST_SCALE = 2.0**15
"""What losses are multiplied by in float16, at first; it halves when gradients overflow."""
STEADY = 500
"""Steps without an overflow after which it doubles."""


class Step:
    """Moves the weights of a model, batch by batch.

    Args:
        recipe: Its ``optimizer`` and ``run``.
        model: On its device; if there are several processes, all get the weights of the first.
        recorded: Whether to record the steps, whose batches all have one shape.
    """

    def __init__(self, recipe: Recipe, model: TrainableModel, *, recorded: bool = False) -> None:
        run, device = recipe.run, model.device
        on_gpu = device.type == "cuda"
        share_weights(model)
        self.recipe, self.model = recipe, model
        self.recorded = recorded
        compiled = on_gpu if run.compile is None else run.compile
        self.loss = TrainingLoss(recipe, model, kernels(compiled=compiled))
        self.optimizers = build_optimizers(model, recipe.optimizer, recorded=self.recorded)
        weights = [each for each in model.named_parameters() if each[1].requires_grad]
        for _, weight in weights:
            weight.grad = torch.zeros_like(weight)
        head = [weight for name, weight in weights if name.startswith("length_head.")]
        rest = [weight for name, weight in weights if not name.startswith("length_head.")]
        self._clipped = [part for part in (rest, head) if part]
        """Weights whose gradients are clipped together."""
        zero = torch.zeros((), device=device)
        self._loss, self._tokens = zero.clone(), zero.clone()
        self._read_loss, self._read_tokens = zero.clone(), zero.clone()
        scaled = self.loss.dtype == torch.float16
        self._scale = torch.full_like(zero, FIRST_SCALE if scaled else 1.0)
        self._steady = zero.clone() if scaled else None
        self._done = 0
        self._stream: Any = None
        if self.recorded:
            self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        """What is recorded must run beside the usual stream, from the first step on."""
        self._graphs: list[Any] = []
        self._static: Batch | None = None

    def take(self, batches: Sequence[SeededBatch], rate: float) -> None:
        """Take one step at a share of the peak rate.

        Raises:
            RecipeError: The loss is not a number, or it cannot be compiled.
        """
        if self._stream is None:
            self._take(batches, rate)
            return
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            self._take(batches, rate)
        torch.cuda.current_stream().wait_stream(self._stream)

    def _take(self, batches: Sequence[SeededBatch], rate: float) -> None:
        set_rate(self.optimizers, rate)
        if self.recorded and self._done == WARM_STEPS:
            self._record(batches[0].batch)
        for seeded in batches:
            torch.manual_seed(seeded.seed)  # dropout depends on the batch alone: resuming is exact
            self._add(seeded.batch)
        if process_count() > 1:
            half = torch.float32 if self.loss.dtype == torch.float32 else torch.bfloat16
            sum_gradients(self._gradients, half)
            sum_in_place(self._loss)
            sum_in_place(self._tokens)
        if self.model.device.type == "cpu":
            self._check(float(self._loss))
        if self._graphs:
            self._graphs[1].replay()
        else:
            self._update()
        self._done += 1

    def read(self) -> tuple[float, int]:
        """Return the summed loss and the target tokens since the last time; waits for the device.

        Raises:
            RecipeError: The loss is not a number.
        """
        loss, tokens = float(self._read_loss), int(self._read_tokens)
        self._check(loss)
        self._read_loss.zero_()
        self._read_tokens.zero_()
        return loss, tokens

    @property
    def _gradients(self) -> list[Tensor]:
        return [weight.grad for part in self._clipped for weight in part if weight.grad is not None]

    def _check(self, loss: float) -> None:
        if not math.isfinite(loss):  # one such step would spoil every weight, and the state
            raise RecipeError(
                "the loss is not a number; lower optimizer.learning_rate or set optimizer.clip"
            )

    def _add(self, batch: Batch) -> None:
        if self._static is None:
            self._add_here(moved(batch, self.model.device))
            return
        static = tensors_of(self._static)
        for name, value in tensors_of(batch).items():
            static[name].copy_(value, non_blocking=True)
        self._graphs[0].replay()

    def _add_here(self, batch: Batch) -> None:
        """Add the gradients of a batch, of its loss by the tokens that a batch has about."""
        try:
            loss = self.loss(batch)
        except RuntimeError as error:
            if not type(error).__module__.startswith(("torch._dynamo", "torch._inductor")):
                raise
            reason = str(error).strip().partition("\n")[0]
            raise RecipeError(
                f"run.compile: this machine cannot compile the loss ({reason}); set run.compile:"
                " false"
            ) from error
        (loss * (self._scale / self.recipe.run.batch_tokens)).backward()  # type: ignore[no-untyped-call]
        self._loss += loss.detach()
        self._tokens += (batch.labels != IGNORED).sum()

    @torch.no_grad()
    def _update(self) -> None:
        """Move the weights by the gradients of the mean loss per token, and forget these."""
        factor = self.recipe.run.batch_tokens / (self._tokens * self._scale).clamp(min=1)
        finite = torch.ones_like(factor, dtype=torch.bool)
        for part in self._clipped:
            gradients: list[Tensor] = [each.grad for each in part if each.grad is not None]
            torch._foreach_mul_(gradients, factor)
            norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
            finite &= norm.isfinite()
            clip = self.recipe.optimizer.clip
            if clip:
                torch._foreach_mul_(gradients, (clip / (norm + 1e-6)).clamp(max=1.0))
        for gradient in self._gradients:  # what is no number would spoil every weight
            gradient.masked_fill_(~finite, 0.0)
        for optimizer in self.optimizers:
            optimizer.step()
        torch._foreach_zero_(self._gradients)
        if self._steady is not None:
            self._steady.copy_(torch.where(finite, self._steady + 1, 0))
            grown = torch.where(self._steady >= STEADY, 2.0, 1.0)
            self._scale.mul_(torch.where(finite, grown, 0.5)).clamp_(1.0, 2.0**24)
            self._steady.mul_(self._steady < STEADY)
        self._read_loss += self._loss
        self._read_tokens += self._tokens
        self._loss.zero_()
        self._tokens.zero_()

    def _record(self, batch: Batch) -> None:
        """Record adding a batch, and moving the weights, as two graphs; nothing is computed."""
        self._static = static = moved(batch, self.model.device)
        torch.cuda.synchronize()
        pool = torch.cuda.graph_pool_handle()
        for work in (lambda: self._add_here(static), self._update):
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool, stream=self._stream):
                work()  # type: ignore[no-untyped-call]
            self._graphs.append(graph)
