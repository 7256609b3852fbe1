"""When to stop early, and which validated weights to keep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from subfit.training.recipe.run import RunSettings
from subfit.training.run.state import weights_of

VALIDATED = "validated"
"""The folder of the weights kept at validations, inside the run's."""


@dataclass(slots=True)
class Patience:
    """Counts the validations since the dev loss was at its lowest."""

    limit: int
    """After so many without a lower loss it is over; 0 for never."""
    best: float | None = None
    waited: int = 0

    def see(self, dev_loss: float) -> None:
        """Take note of a validation."""
        if self.best is None or dev_loss < self.best:
            self.best, self.waited = dev_loss, 0
        else:
            self.waited += 1

    @property
    def exhausted(self) -> bool:
        """Whether to stop."""
        return 0 < self.limit <= self.waited


def keep_weights(
    folder: Path, model: nn.Module, run: RunSettings, step: int, dev_loss: float
) -> None:
    """Keep the weights of a validation, if export will want them, and drop those it will not.

    The dev loss stands in each file, so that what is kept never depends on the saved state.

    Args:
        folder: The run folder.
        model: As it was validated.
        run: Says how many weights are kept, and whether the last or the best.
        step: Of the validation.
        dev_loss: Measured at it.
    """
    if run.average < 2 and not run.keeps_best:
        return
    place = folder / VALIDATED
    place.mkdir(exist_ok=True)
    path = place / f"{step:08d}.safetensors"
    save_file(weights_of(model), path.with_suffix(".new"), metadata={"dev_loss": repr(dev_loss)})
    path.with_suffix(".new").replace(path)
    kept = sorted(place.glob("*.safetensors"))
    if run.keeps_best:
        kept.sort(key=_dev_loss, reverse=True)
    for superfluous in kept[: -run.average]:
        superfluous.unlink()


def _dev_loss(path: Path) -> float:
    with safe_open(path, framework="pt") as file:
        return float((file.metadata() or {}).get("dev_loss", "inf"))
