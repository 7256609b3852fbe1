"""How it is trained: the sections ``optimizer``, ``schedule`` and ``run`` of a recipe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from subfit.configuration.checking import (
    AtLeastOne,
    Count,
    NotNegative,
    Positive,
    ShareBelowOne,
    require,
)


@dataclass(frozen=True, slots=True)
class Optimizer:
    """How the weights move."""

    name: Literal["adam", "muon"] = "adam"
    """``muon`` orthogonalises the update of the matrices inside the layers and leaves the rest to
    Adam."""
    learning_rate: Positive = 1e-3
    """Peak rate."""
    adam_learning_rate: Positive | None = None
    """With ``muon``, the peak rate of the weights that stay with Adam; null for the same rate."""
    betas: tuple[ShareBelowOne, ShareBelowOne] = (0.9, 0.98)
    weight_decay: NotNegative = 0.0
    clip: NotNegative = 1.0
    """Largest gradient norm; 0 does not clip."""
    label_smoothing: ShareBelowOne = 0.1
    r_drop: NotNegative = 0.0
    """Alpha of R-Drop (Wu et al. 2021): every batch is seen under two dropouts, whose predictions
    are drawn together; twice the work. 0 for none."""

    def __post_init__(self) -> None:
        require(
            (
                self.adam_learning_rate is None or self.name == "muon",
                "adam_learning_rate name",
                "optimizer.adam_learning_rate needs optimizer.name: muon; Adam alone has one rate",
            )
        )


@dataclass(frozen=True, slots=True)
class Schedule:
    """Steps, and the learning rate over them."""

    steps: AtLeastOne = 10_000
    warmup: Count = 500
    shape: Literal["inverse-sqrt", "cooldown"] = "inverse-sqrt"
    """``inverse-sqrt`` as in the papers; ``cooldown`` stays at the peak and falls to 0 over the
    last ``cooldown`` steps."""
    cooldown: Count = 0
    minutes: Positive | None = None
    """End after so many minutes of training at the latest, with the cooldown over the same share of
    them as of the steps: where time is what there is, or the speed is not known."""

    def __post_init__(self) -> None:
        require(
            (
                self.minutes is None or self.shape == "cooldown",
                "minutes shape",
                "schedule.minutes needs schedule.shape: cooldown",
            ),
            (
                self.warmup + self.cooldown <= self.steps,
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
class RunSettings:
    """Batches, numbers, and what is saved and measured on the way."""

    batch_tokens: AtLeastOne = 3000
    """Target pieces per batch, padding included; a step takes ``accumulate`` batches in every
    process."""
    accumulate: AtLeastOne = 1
    """Batches whose gradients are added up before the weights move, in every process."""
    seed: int = 1
    dtype: Literal["float32", "bfloat16"] = "float32"
    """``bfloat16`` computes under autocast; weights and optimiser stay in float32. A processor
    that has no arithmetic for it computes in float32, and says so."""
    workers: Count | None = None
    """Processes that make batches ahead, for an accelerator that would wait for them; 0 makes each
    when it is wanted. null: 2 where there is a GPU, none elsewhere."""
    compile: bool = False
    """Compile the loss with torch.compile: the first steps then take minutes. Meant for an
    accelerator and long runs; short runs, small models and CPUs do without."""
    save_minutes: NotNegative = 2.0
    log_steps: AtLeastOne = 50
    validate_steps: AtLeastOne = 500
    score_steps: Count = 2000
    """Steps between translations of the dev set for BLEU and chrF; 0 only at the end."""
    score_lines: AtLeastOne = 500
    """How many lines of the dev set those translations cover."""
    tensorboard: bool = False
    """Also write the log as TensorBoard reads it, into ``tensorboard`` in the run folder; needs
    ``subfit[tensorboard]``."""
    average: AtLeastOne = 1
    """Average this many checkpoints, saved at validations, into the final model."""
    start_share: ShareBelowOne = 0.0
    """Share of the weights that the run began with in the final model's (Wortsman et al. 2022,
    §3): 0.3 takes 0.3 of these and 0.7 of the trained ones. Needs ``model.start``."""
    keep: Literal["last", "best"] | None = None
    """Which validations' checkpoints make the final model: the last, or those of the lowest dev
    loss; null for ``best`` with ``patience`` and otherwise ``last``."""
    patience: Count = 0
    """Stop after this many validations in a row without a lower dev loss; 0 never does."""

    @property
    def keeps_best(self) -> bool:
        """Whether the final model is that of the lowest dev loss, not the last."""
        return self.keep == "best" or (self.keep is None and self.patience > 0)
