"""What a run needs to go on after it was killed: weights, optimiser, step. Safetensors and JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim import Optimizer

STATE = "state"
OUTPUT_BIAS = "final_logits_bias"
"""Of Marian's shape; what the name ends with where Hugging Face's model is a part."""
HEAD = "length_head."
"""What the names of a length head's weights begin with."""
GATE = "length_signal.gate"
GIVEN = (OUTPUT_BIAS, GATE, "fertility.table")
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
