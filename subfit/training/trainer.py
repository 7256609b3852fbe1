"""The training loop: batches in, weights moved, and on the way logged, validated and saved."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

import torch
from torch import Tensor

from subfit.errors import RecipeError
from subfit.model.transformer import TrainableModel, Transformer
from subfit.training import batches as dealing
from subfit.training import dataset as data
from subfit.training import distributed
from subfit.training import folder as runs
from subfit.training.loss import TrainingLoss
from subfit.training.optimizer import build_optimizers, rate_at, set_rate
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
        teacher: See `TrainingLoss`.
    """

    def __init__(
        self,
        recipe: Recipe,
        model: TrainableModel,
        *,
        recorded: bool = False,
        teacher: TrainableModel | None = None,
    ) -> None:
        run, device = recipe.run, model.device
        on_gpu = device.type == "cuda"
        distributed.share_weights(model)
        self.recipe, self.model = recipe, model
        self.recorded = recorded
        compiled = on_gpu if run.compile is None else run.compile
        self.loss = TrainingLoss(recipe, model, compiled=compiled, teacher=teacher)
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
        self._static: data.Batch | None = None

    def take(self, batches: Sequence[dealing.SeededBatch], rate: float) -> None:
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

    def _take(self, batches: Sequence[dealing.SeededBatch], rate: float) -> None:
        set_rate(self.optimizers, rate)
        if self.recorded and self._done == WARM_STEPS:
            self._record(batches[0].batch)
        for seeded in batches:
            torch.manual_seed(seeded.seed)  # dropout depends on the batch alone: resuming is exact
            self._add(seeded.batch)
        if distributed.process_count() > 1:
            half = torch.float32 if self.loss.dtype == torch.float32 else torch.bfloat16
            distributed.sum_gradients(self._gradients, half)
            distributed.sum_in_place(self._loss)
            distributed.sum_in_place(self._tokens)
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

    def _add(self, batch: data.Batch) -> None:
        if self._static is None:
            self._add_here(data.moved(batch, self.model.device))
            return
        static = data.tensors_of(self._static)
        for name, value in data.tensors_of(batch).items():
            static[name].copy_(value, non_blocking=True)
        self._graphs[0].replay()

    def _add_here(self, batch: data.Batch) -> None:
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
        self._tokens += (batch.labels != data.IGNORED).sum()

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

    def _record(self, batch: data.Batch) -> None:
        """Record adding a batch, and moving the weights, as two graphs; nothing is computed."""
        self._static = static = data.moved(batch, self.model.device)
        torch.cuda.synchronize()
        pool = torch.cuda.graph_pool_handle()
        for work in (lambda: self._add_here(static), self._update):
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool, stream=self._stream):
                work()  # type: ignore[no-untyped-call]
            self._graphs.append(graph)


Scorer = Callable[[TrainableModel], dict[str, float]]
Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """One line of the log."""

    step: int
    epoch: int
    loss: float
    """Training loss per token since the last line, label smoothing included."""
    rate: float
    target_tokens: int
    """Target tokens since the start of the run."""
    tokens_per_second: float
    seconds: float
    """Training time since the start of the run, resumed parts and undone steps added."""


def silent(*_: object) -> None:
    """Listen to nothing."""


class Listeners(TypedDict, total=False):
    """What is called during a run."""

    report: Callable[[Progress], None] | None
    """With every line of progress."""
    announce: Announce
    """With a line of text on everything else worth knowing."""


class Trainer:
    """Trains one model by one recipe in one run folder, and goes on where it was cut off.

    Args:
        recipe: Everything that matters.
        model: The model, on its device.
        dataset: Training pairs.
        dev: Validation pairs.
        folder: The run folder, for state and log.
        score: Translates part of the dev set, of which each process takes its share, and returns
            figures such as BLEU; optional.
        teacher: What teaches the texts of ``data.rehearsed``.
        listeners: What is called.
    """

    def __init__(
        self,
        recipe: Recipe,
        model: TrainableModel,
        dataset: data.Dataset,
        dev: data.Dataset,
        folder: Path,
        *,
        score: Scorer | None = None,
        teacher: TrainableModel | None = None,
        **listeners: Unpack[Listeners],
    ) -> None:
        self.recipe, self.model, self.dev = recipe, model, dev
        self.folder, self.score, self.report = folder, score, listeners.get("report")
        self.announce = listeners.get("announce", silent)
        run, on_gpu = recipe.run, model.device.type == "cuda"
        packed = on_gpu if run.packed is None else run.packed
        one_shape = packed and isinstance(model, Transformer) and model.config.plain_attention
        shape = data.shape_of(dataset, recipe.data, run.batch_tokens) if one_shape else None
        self.batches = dealing.Batches(
            dealing.Source(recipe, dataset, shape), dealing.workers_of(run, accelerator=on_gpu)
        )
        recorded = on_gpu and one_shape and run.graph is not False
        self.taking = Step(recipe, model, recorded=recorded, teacher=teacher)
        self.patience = runs.Patience(run.patience, recipe.schedule.warmup)
        self.step = self.tokens = 0
        self.seconds = 0.0
        self._started = self._saved = time.monotonic()
        """When the time that is not in ``seconds`` yet began, and when the state was saved."""
        self._loss, self._unlogged = 0.0, 0
        """Summed loss and target tokens since the last line of the log."""
        self._logged_at = self._validated_at = self._ended_at = 0

    def run(self) -> None:
        """Train until the schedule or the patience ends; saves every few minutes and at the end.

        Under `process_group` all processes call this with the same arguments, and the first alone
        writes and reports.

        Raises:
            KeyboardInterrupt: On the first interruption or termination, after the step it fell
                into, with the state saved; at once on the second.
            RecipeError: The loss is not a number, or the state is of a run with another number of
                batches per step.
        """
        self._resume()
        self._started = self._saved = time.monotonic()
        halted = 0.0
        with runs.interruptions() as interrupted, closing(self.batches):
            while not self._finished:
                clock = (
                    self._minutes if distributed.is_first() else 0.0
                )  # the clock of one is that of all
                minutes, halted = distributed.sum_over_processes([clock, float(interrupted())])
                limit = self.recipe.schedule.minutes
                if halted or (limit is not None and minutes >= limit):
                    break
                self._open_gate()
                self.model.train()
                rate = rate_at(self.step + 1, self.recipe.schedule, minutes)
                try:
                    self.taking.take(self.batches.take(self.step), rate)
                except RecipeError as error:
                    raise RecipeError(f"step {self.step + 1}: {error}") from error
                self.step += 1
                self._after_step(rate)
                if time.monotonic() - self._saved > 60 * self.recipe.run.save_minutes:
                    self._save()
            if not halted and self.step > self._ended_at:
                self._save()  # before measuring, which takes minutes
                self._end()
                self._ended_at = self.step
        self._save()
        distributed.wait_for_all()  # others go on with what is saved
        if halted:
            if distributed.is_first():
                self.announce(f"interrupted; the state of step {self.step} is saved")
            raise KeyboardInterrupt

    @property
    def _finished(self) -> bool:
        return self.step >= self.recipe.schedule.steps or self.patience.exhausted

    @property
    def _minutes(self) -> float:
        """Minutes of training since the start of the run, resumed parts added."""
        return (self.seconds + time.monotonic() - self._started) / 60

    def _resume(self) -> None:
        progress = runs.load_state(self.folder, self.model, self.taking.optimizers)
        if progress is None:
            return
        former, now = progress.get("batches_per_step", 1), dealing.batches_per_step(self.recipe.run)
        if former != now:
            raise RecipeError(
                f"the run in {self.folder} has {former} batches per step, not {now}: processes"
                f" times run.accumulate must stay {former}"
            )
        self.step, self.tokens = progress["step"], progress["tokens"]
        # A kill undoes steps, but not the time they took.
        self.seconds = max(progress["seconds"], runs.logged(self.folder)["seconds"])
        self.batches.epoch, self.batches.position = progress["epoch"], progress["position"]
        self.patience.best = progress.get("best_dev_loss")
        self.patience.waited = progress.get("waited", 0)
        self._ended_at = progress.get("ended_at", self.step)
        if distributed.is_first():
            self.announce(f"resumed at step {self.step}")

    def _open_gate(self) -> None:
        steps = self.recipe.length.gate_steps
        if steps:
            self.model.length_signal.open_gate(min(1.0, self.step / steps))

    def _after_step(self, rate: float) -> None:
        run = self.recipe.run
        if self.step % run.log_steps == 0:
            self._log_progress(rate)
        if self.step < self.recipe.schedule.steps and self.step % run.validate_steps == 0:
            self._validated(self.validate())
        scoring = run.score_steps and self.step % run.score_steps == 0
        if self.score and scoring and not self._finished:
            self._measured(self.score(self.model))

    def _end(self) -> None:
        """Log, validate and score what was reached."""
        if self._logged_at < self.step:
            self._log_progress(rate_at(self.step, self.recipe.schedule, self._minutes))
        if self._validated_at < self.step:
            self._validated(self.validate())
        if self.score:
            self._measured(self.score(self.model))

    def _validated(self, figures: dict[str, float]) -> None:
        self._measured(figures)
        self._validated_at = self.step
        loss = figures["dev_loss"]
        self.patience.see(loss, self.step)
        if distributed.is_first():
            runs.keep_weights(self.folder, self.model, self.recipe.run, self.step, loss)
        if self.patience.exhausted and distributed.is_first():
            self.announce(
                f"step {self.step}: stopped early; no dev loss below {self.patience.best:.3f} in"
                f" {self.patience.waited} validations"
            )

    def _measured(self, figures: dict[str, float]) -> None:
        if not distributed.is_first():
            return
        runs.write_log(self.folder, {"step": self.step, **figures})
        shown = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        self.announce(f"step {self.step}: {shown}")

    def _read(self) -> None:
        """Fetch loss and tokens from the device."""
        loss, tokens = self.taking.read()
        self._loss, self._unlogged = self._loss + loss, self._unlogged + tokens
        self.tokens += tokens

    def _log_progress(self, rate: float) -> None:
        try:
            self._read()
        except RecipeError as error:
            raise RecipeError(f"step {self.step}: {error}") from error
        now = time.monotonic()
        elapsed, tokens = now - self._started, self._unlogged
        loss = self._loss / max(tokens, 1)
        self.seconds += elapsed
        self._started, self._loss, self._unlogged = now, 0.0, 0
        self._logged_at = self.step
        peak = self.recipe.optimizer.learning_rate
        progress = Progress(
            self.step,
            self.batches.epoch,
            loss,
            peak * rate,
            self.tokens,
            tokens / elapsed,
            self.seconds,
        )
        if distributed.is_first():
            runs.write_log(self.folder, asdict(progress))
            if self.report:
                self.report(progress)

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """Return the dev loss per token with the reference's length asked for, and with none.

        Every process takes its share of the dev set.
        """
        self.model.eval()
        shares = {"dev_loss": 0.0}  # of texts without a length signal
        if self.recipe.length.free or not self.recipe.length.encodings:
            shares["dev_loss_free"] = 1.0
        order = data.epoch(self.dev, 0, self.recipe.data.whole, self.recipe.run.batch_tokens)
        order = order[distributed.process_rank() :: distributed.process_count()]
        loss = TrainingLoss(self.recipe, self.model, smoothed=False)
        figures = {}
        for name, free in shares.items():
            total, count = torch.zeros((), device=self.model.device), 0
            for part in order:
                batch = self.dev.batch(part, free=free)
                total += loss(data.moved(batch, self.model.device))
                count += batch.target_tokens
            summed, tokens = distributed.sum_over_processes([float(total), float(count)])
            figures[name] = summed / tokens
        return figures

    def _save(self) -> None:
        if not distributed.is_first():
            return
        self._read()
        progress = {
            "step": self.step,
            "batches_per_step": dealing.batches_per_step(self.recipe.run),
            "epoch": self.batches.epoch,
            "position": self.batches.position,
            "best_dev_loss": self.patience.best,
            "waited": self.patience.waited,
            "ended_at": self._ended_at,
            "tokens": self.tokens,
            "seconds": 60 * self._minutes,
        }
        runs.save_state(self.folder, self.model, self.taking.optimizers, progress)
        self._saved = time.monotonic()
