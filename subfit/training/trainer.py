"""The training loop."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn.functional import cross_entropy, linear
from transformers.models.marian.modeling_marian import shift_tokens_right

from subfit.errors import RecipeError
from subfit.model.transformer import SubfitForTranslation
from subfit.training.dataset import IGNORED, Batch, Dataset, Unit
from subfit.training.interruption import interruptions
from subfit.training.optimizer import build_optimizers, rate_at, set_rate
from subfit.training.recipe import Recipe
from subfit.training.run_log import LOG_FILE
from subfit.training.state import load_state, save_state, weights_of

Scorer = Callable[[SubfitForTranslation], dict[str, float]]
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
    """Training time since the start of the run, resumed parts added."""


def token_losses(model: SubfitForTranslation, batch: Batch, *, smoothing: float = 0.0) -> Tensor:
    """Return the mean cross-entropy per target token of a batch, a scalar.

    Args:
        model: The translator.
        batch: See `Batch` for shapes.
        smoothing: Label smoothing (Marian's own loss has none).
    """
    config = model.config
    inputs = shift_tokens_right(batch.labels, config.pad_token_id, config.decoder_start_token_id)
    states = model.model(
        input_ids=batch.source,
        attention_mask=batch.source_mask,
        decoder_inputs_embeds=model.embed_target(inputs, batch.asked),
        use_cache=False,
    ).last_hidden_state  # (batch_size, max_target_length, d_model)
    labels = batch.labels.flatten()
    real = (labels != IGNORED).nonzero().squeeze(1)  # (target_tokens,)
    states = states.flatten(0, 1).index_select(0, real)  # (target_tokens, d_model)
    logits = linear(states, model.lm_head.weight, model.final_logits_bias[0])
    return cross_entropy(logits.float(), labels[real], label_smoothing=smoothing)


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
        model: SubfitForTranslation,
        dataset: Dataset,
        dev: Dataset,
        folder: Path,
        *,
        score: Scorer | None = None,
        report: Callable[[Progress], None] | None = None,
        measured: Measured = lambda _step, _figures: None,
        announce: Announce = lambda _: None,
    ) -> None:
        self.recipe, self.model, self.dataset, self.dev = recipe, model, dataset, dev
        self.folder, self.score, self.report, self.announce = folder, score, report, announce
        self.measured = measured
        self.optimizers = build_optimizers(model, recipe.optimizer)
        self.step = self.position = self.epoch = self.tokens = 0
        self.seconds = 0.0
        self.saved_at = time.monotonic()
        self._window: list[tuple[float, int]] = []
        self._window_start = time.monotonic()

    def run(self) -> None:
        """Train until the schedule ends; saves the state every few minutes and at the end.

        Raises:
            KeyboardInterrupt: On the first interruption or termination, after the step it fell
                into, with the state saved; at once on the second.
        """
        self._resume()
        self._window_start = self.saved_at = time.monotonic()
        with interruptions() as interrupted:
            for batch in self._batches():
                self._train_step(batch.to(self.model.device))
                self._after_step()
                if interrupted() or self.step >= self.recipe.schedule.steps:
                    break
        self._save()
        if interrupted():
            self.announce(f"interrupted; the state of step {self.step} is saved")
            raise KeyboardInterrupt

    def _resume(self) -> None:
        progress = load_state(self.folder, self.model, self.optimizers)
        if progress:
            self.step, self.epoch, self.position = (
                progress["step"],
                progress["epoch"],
                progress["position"],
            )
            self.tokens, self.seconds = progress["tokens"], progress["seconds"]
            self.announce(f"resumed at step {self.step}")

    def _batches(self) -> Iterator[Batch]:
        """Yield batches from where the run stands, epoch after epoch, the same after a resume."""
        recipe = self.recipe
        while self.step < recipe.schedule.steps:
            seed = recipe.run.seed * 1000 + self.epoch
            order = self.dataset.epoch(seed, recipe.data, recipe.run.batch_tokens)
            while self.position < len(order):
                seed = recipe.run.seed * 1_000_003 + self.step
                torch.manual_seed(seed)  # dropout depends on the step alone: resuming is exact
                units = order[self.position]
                self.position += 1
                length = recipe.length
                yield self.dataset.batch(units, seed=seed, noise=length.noise, free=length.free)
            self.epoch, self.position = self.epoch + 1, 0

    def _train_step(self, batch: Batch) -> None:
        settings = self.recipe.optimizer
        self.model.train()
        self._open_gate()
        with self._autocast():
            loss = token_losses(self.model, batch, smoothing=settings.label_smoothing)
        value = loss.item()
        if not math.isfinite(value):  # one such step would spoil every weight, and the state
            raise RecipeError(
                f"the loss of step {self.step + 1} is not a number; lower optimizer.learning_rate"
                " or set optimizer.clip"
            )
        loss.backward()  # type: ignore[no-untyped-call]
        if settings.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings.clip)
        self.step += 1
        set_rate(self.optimizers, rate_at(self.step, self.recipe.schedule))
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.tokens += batch.target_tokens
        self._window.append((value, batch.target_tokens))

    def _open_gate(self) -> None:
        steps = self.recipe.length.gate_steps
        if steps:
            self.model.length_signal.open_gate(min(1.0, self.step / steps))

    def _autocast(self) -> torch.autocast:
        device = self.model.device.type
        enabled = self.recipe.run.dtype == "bfloat16"
        return torch.autocast(device, dtype=torch.bfloat16, enabled=enabled)

    def _after_step(self) -> None:
        run = self.recipe.run
        last = self.step == self.recipe.schedule.steps
        if self.step % run.log_steps == 0 or last:
            self._log_progress()
        if self.step % run.validate_steps == 0 or last:
            self._measured(self.validate())
            self._keep_weights()
        if self.score and (last or (run.score_steps and self.step % run.score_steps == 0)):
            self._measured(self.score(self.model))
        if time.monotonic() - self.saved_at > 60 * run.save_minutes:
            self._save()

    def _measured(self, figures: dict[str, float]) -> None:
        self._record({"step": self.step, **figures})
        self.measured(self.step, figures)
        shown = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        self.announce(f"step {self.step}: {shown}")

    def _log_progress(self) -> None:
        now = time.monotonic()
        elapsed = now - self._window_start
        tokens = sum(count for _, count in self._window)
        loss = sum(value * count for value, count in self._window) / max(tokens, 1)
        self.seconds += elapsed
        self._window, self._window_start = [], now
        rate = self.recipe.optimizer.learning_rate * rate_at(self.step, self.recipe.schedule)
        progress = Progress(
            self.step, self.epoch, loss, rate, self.tokens, tokens / elapsed, self.seconds
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
            with self._autocast():
                loss = token_losses(self.model, batch)
            total += loss.item() * batch.target_tokens
            tokens += batch.target_tokens
        return total / tokens

    def _keep_weights(self) -> None:
        """Keep the weights of the last validations, for averaging."""
        keep = self.recipe.run.average
        if keep < 2:
            return
        folder = self.folder / "validated"
        folder.mkdir(exist_ok=True)
        save_file(weights_of(self.model), folder / f"{self.step:08d}.safetensors")
        for old in sorted(folder.glob("*.safetensors"))[:-keep]:
            old.unlink()

    def _save(self) -> None:
        progress = {
            "step": self.step,
            "epoch": self.epoch,
            "position": self.position,
            "tokens": self.tokens,
            "seconds": self.seconds,
        }
        save_state(self.folder, self.model, self.optimizers, progress)
        self.saved_at = time.monotonic()

    def _record(self, line: dict[str, Any]) -> None:
        with (self.folder / LOG_FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
