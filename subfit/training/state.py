"""What a run keeps: its state, to go on after it was killed, and weights of validations.

Safetensors and JSON."""

from __future__ import annotations

import json
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from subfit.training.sections import RunSettings

VALIDATED = "validated"
"""The folder of the weights kept at validations, inside the run's."""
STATE = "state"
OUTPUT_BIAS = "final_logits_bias"
"""Of Marian's shape; what the name ends with where Hugging Face's model is a part."""
GIVEN = (OUTPUT_BIAS, "length_signal.gate", "fertility.table")
"""What is no weight, and yet cannot be computed again."""


def save_state(
    folder: Path, model: nn.Module, optimizers: list[Optimizer], progress: dict[str, Any]
) -> None:
    """Replace ``folder/state`` by the present state; a kill at any moment leaves a whole one."""
    new, old, place = folder / "state.new", folder / "state.old", folder / STATE
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    save_file(weights_of(model), new / "model.safetensors")
    save_file(_moments(optimizers), new / "optimizer.safetensors")
    (new / "progress.json").write_text(json.dumps(progress), encoding="utf-8")
    if place.exists():  # if not, an earlier kill left ``old`` as the only whole one
        shutil.rmtree(old, ignore_errors=True)
        place.rename(old)
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def load_state(
    folder: Path, model: nn.Module, optimizers: list[Optimizer]
) -> dict[str, Any] | None:
    """Restore the newest whole state into model and optimisers.

    Returns:
        The ``progress`` it was saved with, or None when the folder has no state.
    """
    place = _newest(folder)
    if place is None:
        return None
    model.load_state_dict(load_file(place / "model.safetensors"), strict=False)
    _restore_moments(optimizers, load_file(place / "optimizer.safetensors"))
    progress: dict[str, Any] = json.loads((place / "progress.json").read_text(encoding="utf-8"))
    return progress


def has_state(folder: Path) -> bool:
    """Tell whether a run can go on from this folder."""
    return _newest(folder) is not None


def names_of_state(folder: Path) -> frozenset[str]:
    """Return the names of the weights of the newest whole state; none when there is no state."""
    place = _newest(folder)
    if place is None:
        return frozenset()
    with safe_open(place / "model.safetensors", framework="pt") as file:
        return frozenset(file.keys())


def weights_of_state(folder: Path) -> dict[str, Tensor] | None:
    """Return the weights of the newest whole state, or None when there is no state."""
    place = _newest(folder)
    return load_file(place / "model.safetensors") if place else None


def _newest(folder: Path) -> Path | None:
    return next((folder / name for name in (STATE, "state.old") if (folder / name).exists()), None)


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Return what makes a model: its weights, each tied one once, and what else it was given.

    Marian's output bias comes with the model that a run starts from; the gate on the length signal
    is opened by the training, and what pieces were aligned with is counted before it.
    """
    everything = [*model.named_parameters(), *model.named_buffers()]
    return {
        name: value.detach().contiguous()
        for name, value in everything
        if isinstance(value, nn.Parameter) or name in GIVEN or name.endswith(OUTPUT_BIAS)
    }


def _moments(optimizers: list[Optimizer]) -> dict[str, Tensor]:
    return {
        f"{number}.{index}.{key}": torch.as_tensor(value).contiguous()
        for number, optimizer in enumerate(optimizers)
        for index, entry in optimizer.state_dict()["state"].items()
        for key, value in entry.items()
    }


def _restore_moments(optimizers: list[Optimizer], saved: dict[str, Tensor]) -> None:
    for number, optimizer in enumerate(optimizers):
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in saved.items():
            owner, index, key = name.split(".")
            if int(owner) == number:
                state.setdefault(int(index), {})[key] = value
        optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


@dataclass(slots=True)
class Patience:
    """Counts the validations since the dev loss was at its lowest."""

    limit: int
    """After so many without a lower loss it is over; 0 for never."""
    warmup: int = 0
    """Steps whose validations do not count: the loss may rise with the rate."""
    best: float | None = None
    waited: int = 0

    def see(self, dev_loss: float, step: int) -> None:
        """Take note of a validation."""
        if self.best is None or dev_loss < self.best:
            self.best, self.waited = dev_loss, 0
        elif step > self.warmup:
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


def average_weights(files: Sequence[Path]) -> dict[str, Tensor]:
    """Return the mean of the weights in some files, all of the same model."""
    total: dict[str, Tensor] = {}
    for path in files:
        for name, value in load_file(path).items():
            value = value.double()
            total[name] = total[name] + value if name in total else value
    return {name: (value / len(files)).float() for name, value in total.items()}


@contextmanager
def interruptions() -> Iterator[Callable[[], bool]]:
    """Catch SIGINT and SIGTERM in the block.

    Yields:
        A function that tells whether one has come. The second one raises KeyboardInterrupt where
        it falls. Outside the main thread, where Python allows no handlers, nothing is caught.
    """
    caught: list[int] = []

    def catch(number: int, _: FrameType | None) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)

    main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if main else ()
    former = {number: signal.signal(number, catch) for number in numbers}
    try:
        yield lambda: bool(caught)
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
