"""The training loop."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from subfit.errors import RecipeError
from subfit.model.transformer import TrainableModel
from subfit.training.data.dataset import Dataset, Unit
from subfit.training.recipe.recipe import Recipe
from subfit.training.run.batches import SeededBatch, batches_per_step
from subfit.training.run.board import Board
from subfit.training.run.distributed import is_first, sum_over_processes
from subfit.training.run.early_stopping import Patience, keep_weights
from subfit.training.run.interruption import interruptions
from subfit.training.run.log import LOG_FILE, read_log
from subfit.training.run.loss import Gradients, token_losses
from subfit.training.run.optimizer import build_optimizers, clip_gradients, rate_at, set_rate
from subfit.training.run.precision import autocast
from subfit.training.run.read_ahead import batches_of
from subfit.training.run.state import load_state, save_state

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


class Trainer:
    """Trains one model by one recipe in one run folder, and goes on where it was cut off.

    Args:
        recipe: Everything that matters.
        model: The model, on its device.
        dataset: Training pairs.
        dev: Validation pairs.
        folder: The run folder, for state and log.
        score: Translates part of the dev set and returns figures such as BLEU; optional.
        report: Called with every `Progress`.
        measured: Called with a step and what was measured on the dev set after it.
        announce: Called with a line of text on everything else worth knowing.
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
        report: Callable[[Progress], None] | None = None,
        measured: Measured = lambda _step, _figures: None,
        announce: Announce = lambda _: None,
    ) -> None:
        self.recipe, self.model, self.dev = recipe, model, dev
        self.folder, self.score, self.report, self.announce = folder, score, report, announce
        self.measured = measured
        self.optimizers = build_optimizers(model, recipe.optimizer)
        on_gpu = model.device.type == "cuda"
        self.batches = batches_of(recipe, dataset, accelerator=on_gpu)
        self.patience = Patience(recipe.run.patience)
        self.step = self.tokens = 0
        self.seconds = 0.0
        self.saved_at = time.monotonic()
        self.late = False
        """Whether the minutes of the schedule are over."""
        self._board: Board | None = None
        self._window: list[tuple[float, int]] = []
        self._window_start = time.monotonic()

    def run(self) -> None:
        """Train until the schedule or the patience ends; saves every few minutes and at the end.

        Under `process_group` all processes call this with the same arguments, and the first alone
        validates, scores, writes and reports.

        Raises:
            KeyboardInterrupt: On the first interruption or termination, after the step it fell
                into, with the state saved; at once on the second.
            RecipeError: The loss is not a number, or the state is of a run with another number of
                batches per step.
        """
        self._resume()
        self._gradients = Gradients(self.recipe, self.model)
        if self.recipe.run.tensorboard and is_first():
            self._board = Board(self.folder, self.step)
        self._window_start = self.saved_at = time.monotonic()
        with interruptions() as interrupted, closing(self.batches):
            while True:
                flags = [float(interrupted()), float(is_first() and self._finished())]
                halted, finished = sum_over_processes(flags)
                if halted or finished:
                    break
                self._train_step(self.batches.take(self.step))
                if is_first():
                    self._after_step()
        if is_first():
            self._save()
        if self._board:
            self._board.close()
        if halted:
            if is_first():
                self.announce(f"interrupted; the state of step {self.step} is saved")
            raise KeyboardInterrupt

    def _finished(self) -> bool:
        return self._at_end or self.patience.exhausted

    @property
    def _at_end(self) -> bool:
        """Whether the schedule has come to its end."""
        return self.step >= self.recipe.schedule.steps or self.late

    @property
    def _minutes(self) -> float:
        """Minutes of training since the start of the run, resumed parts added."""
        return (self.seconds + time.monotonic() - self._window_start) / 60

    def _resume(self) -> None:
        progress = load_state(self.folder, self.model, self.optimizers)
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

    def _train_step(self, batches: list[SeededBatch]) -> None:
        settings = self.recipe.optimizer
        self.model.train()
        self._open_gate()
        counted = sum(seeded.batch.target_tokens for seeded in batches)
        tokens, minutes = sum_over_processes([counted, self._minutes if is_first() else 0.0])
        total = 0.0
        for seeded in batches:
            torch.manual_seed(seeded.seed)  # dropout depends on the batch alone: resuming is exact
            batch = seeded.batch.to(self.model.device)
            total += self._gradients.add(batch, tokens, last=seeded is batches[-1])
        [total] = sum_over_processes([total])
        if not math.isfinite(total):  # one such step would spoil every weight, and the state
            raise RecipeError(
                f"the loss of step {self.step + 1} is not a number; lower optimizer.learning_rate"
                " or set optimizer.clip"
            )
        if settings.clip:
            clip_gradients(self.model, settings.clip)
        self.step += 1
        set_rate(self.optimizers, rate_at(self.step, self.recipe.schedule, minutes))
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.tokens += int(tokens)
        self._window.append((total, int(tokens)))

    def _open_gate(self) -> None:
        steps = self.recipe.length.gate_steps
        if steps:
            self.model.length_signal.open_gate(min(1.0, self.step / steps))

    def _after_step(self) -> None:
        run = self.recipe.run
        limit = self.recipe.schedule.minutes
        self.late = limit is not None and self._minutes >= limit
        last = self._at_end
        if self.step % run.log_steps == 0 or last:
            self._log_progress()
        if self.step % run.validate_steps == 0 or last:
            self._validated(self.validate())
        if self._finished() and self._window:  # stopped early, between two lines of the log
            self._log_progress()
        scoring = run.score_steps and self.step % run.score_steps == 0
        if self.score and (scoring or self._finished()):
            self._measured(self.score(self.model))
        if time.monotonic() - self.saved_at > 60 * run.save_minutes:
            self._save()

    def _validated(self, figures: dict[str, float]) -> None:
        self._measured(figures)
        loss = figures["dev_loss"]
        self.patience.see(loss)
        keep_weights(self.folder, self.model, self.recipe.run, self.step, loss)
        if self.patience.exhausted:
            self.announce(
                f"step {self.step}: stopped early; no dev loss below {self.patience.best:.3f} in"
                f" {self.patience.waited} validations"
            )

    def _measured(self, figures: dict[str, float]) -> None:
        self._record({"step": self.step, **figures})
        self.measured(self.step, figures)
        shown = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        self.announce(f"step {self.step}: {shown}")

    def _log_progress(self) -> None:
        now = time.monotonic()
        elapsed = now - self._window_start
        tokens = sum(count for _, count in self._window)
        loss = sum(value for value, _ in self._window) / max(tokens, 1)
        self.seconds += elapsed
        self._window, self._window_start = [], now
        share = rate_at(self.step, self.recipe.schedule, self.seconds / 60)
        rate = self.recipe.optimizer.learning_rate * share
        progress = Progress(
            self.step, self.batches.epoch, loss, rate, self.tokens, tokens / elapsed, self.seconds
        )
        self._record(asdict(progress))
        if self.report:
            self.report(progress)

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """Return the dev loss per token with the reference's length asked for, and with none."""
        self.model.eval()
        shares = {"dev_loss": 0.0}  # of texts without a length signal
        if self.recipe.length.free or not self.recipe.length.encodings:
            shares["dev_loss_free"] = 1.0
        order = self.dev.epoch(0, self.recipe.data.whole, self.recipe.run.batch_tokens)
        return {name: self._dev_loss(order, free) for name, free in shares.items()}

    def _dev_loss(self, order: list[list[Unit]], free: float) -> float:
        total = tokens = 0.0
        for units in order:
            batch = self.dev.batch(units, free=free).to(self.model.device)
            with autocast(self.recipe, self.model.device):
                loss = token_losses(self.model, batch)
            total += loss.item() * batch.target_tokens
            tokens += batch.target_tokens
        return total / tokens

    def _save(self) -> None:
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
        save_state(self.folder, self.model, self.optimizers, progress)
        self.saved_at = time.monotonic()

    def _record(self, line: dict[str, Any]) -> None:
        with (self.folder / LOG_FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        if self._board:
            self._board.record(line)
