"""How it is trained: the sections ``optimizer``, ``schedule`` and ``run`` of a recipe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from subfit.configuration.contradictions import positive, require


@dataclass(frozen=True, slots=True)
class Optimizer:
    """How the weights move."""

    name: Literal["adam", "muon"] = "adam"
    """``muon`` orthogonalises the update of the matrices inside the layers and leaves the rest to
    Adam."""
    learning_rate: float = 1e-3
    """Peak rate."""
    adam_learning_rate: float | None = None
    """With ``muon``, the peak rate of the weights that stay with Adam; null for the same rate."""
    betas: tuple[float, float] = (0.9, 0.98)
    weight_decay: float = 0.0
    clip: float = 1.0
    """Largest gradient norm; 0 does not clip."""
    label_smoothing: float = 0.1
    r_drop: float = 0.0
    """Alpha of R-Drop (Wu et al. 2021): every batch is seen under two dropouts, whose predictions
    are drawn together; twice the work. 0 for none."""

    def __post_init__(self) -> None:
        adam_rate = self.adam_learning_rate
        require(
            (
                self.learning_rate > 0,
                "learning_rate",
                "optimizer.learning_rate must be more than 0",
            ),
            (
                adam_rate is None or adam_rate > 0,
                "adam_learning_rate",
                "optimizer.adam_learning_rate must be more than 0",
            ),
            (
                adam_rate is None or self.name == "muon",
                "adam_learning_rate name",
                "optimizer.adam_learning_rate needs optimizer.name: muon; Adam alone has one rate",
            ),
            (
                all(0 <= beta < 1 for beta in self.betas),
                "betas",
                "optimizer.betas are shares below 1",
            ),
            (self.clip >= 0, "clip", "optimizer.clip must be 0 or more"),
            (self.weight_decay >= 0, "weight_decay", "optimizer.weight_decay must be 0 or more"),
            (
                0 <= self.label_smoothing < 1,
                "label_smoothing",
                "optimizer.label_smoothing is a share below 1",
            ),
            (self.r_drop >= 0, "r_drop", "optimizer.r_drop must be 0 or more"),
        )


@dataclass(frozen=True, slots=True)
class Schedule:
    """Steps, and the learning rate over them."""

    steps: int = 10_000
    warmup: int = 500
    shape: Literal["inverse-sqrt", "cooldown"] = "inverse-sqrt"
    """``inverse-sqrt`` as in the papers; ``cooldown`` stays at the peak and falls to 0 over the
    last ``cooldown`` steps."""
    cooldown: int = 0

    def __post_init__(self) -> None:
        require(
            *positive("schedule", self, "steps"),
            (self.warmup >= 0, "warmup", "schedule.warmup must be 0 or more"),
            (self.cooldown >= 0, "cooldown", "schedule.cooldown must be 0 or more"),
            (
                self.warmup + self.cooldown <= max(self.steps, 1),
                "warmup cooldown steps",
                f"schedule.warmup={self.warmup} and schedule.cooldown={self.cooldown} together"
                f" exceed schedule.steps={self.steps}",
            ),
            (
                self.shape == "cooldown" or not self.cooldown,
                "cooldown shape",
                "schedule.cooldown needs schedule.shape: cooldown; inverse-sqrt has none",
            ),
        )


@dataclass(frozen=True, slots=True)
class Run:
    """Batches, numbers, and what is saved and measured on the way."""

    batch_tokens: int = 3000
    """Target pieces per batch, padding included; a step takes ``accumulate`` batches in every
    process."""
    accumulate: int = 1
    """Batches whose gradients are added up before the weights move, in every process."""
    seed: int = 1
    dtype: Literal["float32", "bfloat16"] = "float32"
    """``bfloat16`` computes under autocast; weights and optimiser stay in float32."""
    compile: bool = False
    """Compile the loss with torch.compile: the first steps then take minutes. Meant for an
    accelerator and long runs; short runs, small models and CPUs do without."""
    save_minutes: float = 2.0
    log_steps: int = 50
    validate_steps: int = 500
    score_steps: int = 2000
    """Steps between translations of the dev set for BLEU and chrF; 0 only at the end."""
    score_lines: int = 500
    """How many lines of the dev set those translations cover."""
    average: int = 1
    """Average this many checkpoints, saved at validations, into the final model."""
    start_share: float = 0.0
    """Share of the weights that the run began with in the final model's (Wortsman et al. 2022,
    §3): 0.3 takes 0.3 of these and 0.7 of the trained ones. Needs ``model.start``."""
    keep: Literal["last", "best"] | None = None
    """Which validations' checkpoints make the final model: the last, or those of the lowest dev
    loss; null for ``best`` with ``patience`` and otherwise ``last``."""
    patience: int = 0
    """Stop after this many validations in a row without a lower dev loss; 0 never does."""

    def __post_init__(self) -> None:
        counts = ("batch_tokens", "accumulate", "log_steps", "validate_steps", "score_lines")
        require(
            *positive("run", self, *counts, "average"),
            (self.score_steps >= 0, "score_steps", "run.score_steps must be 0 or more"),
            (self.save_minutes >= 0, "save_minutes", "run.save_minutes must be 0 or more"),
            (self.patience >= 0, "patience", "run.patience must be 0 or more"),
            (
                0 <= self.start_share < 1,
                "start_share",
                "run.start_share is a share: 0 <= start_share < 1",
            ),
        )

    @property
    def keeps_best(self) -> bool:
        """Whether the final model is that of the lowest dev loss, not the last."""
        return self.keep == "best" or (self.keep is None and self.patience > 0)
