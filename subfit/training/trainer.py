"""The training loop: batches in, weights moved, and on the way logged, validated and saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict, Unpack

import torch

from subfit.errors import RecipeError
from subfit.model.transformer import TrainableModel, Transformer
from subfit.training.batches import Batches, Source, batches_per_step, epoch, shape_of, workers_of
from subfit.training.dataset import Dataset, moved
from subfit.training.distributed import (
    is_first,
    process_count,
    process_rank,
    sum_over_processes,
    wait_for_all,
)
from subfit.training.folder import read_log, write_log
from subfit.training.loss import TrainingLoss
from subfit.training.optimizer import rate_at
from subfit.training.recipe import Recipe
from subfit.training.state import Patience, interruptions, keep_weights, load_state, save_state
from subfit.training.step import Step

Scorer = Callable[[TrainableModel], dict[str, float]]
Announce = Callable[[str], None]
Measured = Callable[[int, Mapping[str, float]], None]


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
    measured: Measured
    """With a step and what was measured on the dev set after it."""
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
        listeners: What is called.
    """

    def __init__(
        self,
        recipe: Recipe,
        model: TrainableModel,
        dataset: Dataset,
        dev: Dataset,
        folder: Path,
        *,
        score: Scorer | None = None,
        **listeners: Unpack[Listeners],
    ) -> None:
        self.recipe, self.model, self.dev = recipe, model, dev
        self.folder, self.score, self.report = folder, score, listeners.get("report")
        self.announce = listeners.get("announce", silent)
        self.measured = listeners.get("measured", silent)
        run, on_gpu = recipe.run, model.device.type == "cuda"
        packed = on_gpu if run.packed is None else run.packed
        one_shape = packed and isinstance(model, Transformer) and model.config.plain_attention
        shape = shape_of(dataset, recipe.data, run.batch_tokens) if one_shape else None
        self.batches = Batches(Source(recipe, dataset, shape), workers_of(run, accelerator=on_gpu))
        recorded = on_gpu and one_shape and run.graph is not False
        self.taking = Step(recipe, model, recorded=recorded)
        self.patience = Patience(run.patience, recipe.schedule.warmup)
        self.step = self.tokens = 0
        self.seconds = 0.0
        self._started = self._saved = time.monotonic()
        """When the time that is not in ``seconds`` yet began, and when the state was saved."""
        self._loss, self._unlogged = 0.0, 0
        """Summed loss and target tokens since the last line of the log."""
        self._logged_at = self._validated_at = 0

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
        halted, began = 0.0, self.step
        with interruptions() as interrupted, closing(self.batches):
            while not self._finished:
                clock = self._minutes if is_first() else 0.0  # the clock of one is that of all
                minutes, halted = sum_over_processes([clock, float(interrupted())])
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
                if (
                    is_first()
                    and time.monotonic() - self._saved > 60 * self.recipe.run.save_minutes
                ):
                    self._save()
            if not halted and self.step > began:
                self._end()
        if is_first():
            self._save()
        wait_for_all()  # others go on with what is saved
        if halted:
            if is_first():
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
        progress = load_state(self.folder, self.model, self.taking.optimizers)
        if progress is None:
            return
        former, now = progress.get("batches_per_step", 1), batches_per_step(self.recipe.run)
        if former != now:
            raise RecipeError(
                f"the run in {self.folder} has {former} batches per step, not {now}: processes"
                f" times run.accumulate must stay {former}"
            )
        self.step, self.tokens = progress["step"], progress["tokens"]
        # A kill undoes steps, but not the time they took.
        self.seconds = max(progress["seconds"], read_log(self.folder).seconds)
        self.batches.epoch, self.batches.position = progress["epoch"], progress["position"]
        self.patience.best = progress.get("best_dev_loss")
        self.patience.waited = progress.get("waited", 0)
        if is_first():
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
        if is_first():
            keep_weights(self.folder, self.model, self.recipe.run, self.step, loss)
        if self.patience.exhausted and is_first():
            self.announce(
                f"step {self.step}: stopped early; no dev loss below {self.patience.best:.3f} in"
                f" {self.patience.waited} validations"
            )

    def _measured(self, figures: dict[str, float]) -> None:
        if not is_first():
            return
        write_log(self.folder, {"step": self.step, **figures})
        self.measured(self.step, figures)
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
        if is_first():
            write_log(self.folder, asdict(progress))
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
        order = epoch(self.dev, 0, self.recipe.data.whole, self.recipe.run.batch_tokens)
        order = order[process_rank() :: process_count()]
        loss = TrainingLoss(self.recipe, self.model, smoothed=False)
        figures = {}
        for name, free in shares.items():
            total, count = torch.zeros((), device=self.model.device), 0
            for part in order:
                batch = self.dev.batch(part, free=free)
                total += loss(moved(batch, self.model.device))
                count += batch.target_tokens
            summed, tokens = sum_over_processes([float(total), float(count)])
            figures[name] = summed / tokens
        return figures

    def _save(self) -> None:
        self._read()
        progress = {
            "step": self.step,
            "batches_per_step": batches_per_step(self.recipe.run),
            "epoch": self.batches.epoch,
            "position": self.batches.position,
            "best_dev_loss": self.patience.best,
            "waited": self.patience.waited,
            "tokens": self.tokens,
            "seconds": 60 * self._minutes,
        }
        save_state(self.folder, self.model, self.taking.optimizers, progress)
        self._saved = time.monotonic()
