"""Writing a finished model again with its length predictor; the translator stays bit by bit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from safetensors.torch import load_file, save
from torch import nn

from subfit.errors import ModelError, OutputFileError, reason_of
from subfit.model.checkpoint import write_checksums

WEIGHTS = "model.safetensors"


def write_with_head(folder: Path, out: Path, head: nn.Module) -> None:
    """Copy a model folder and add a length head to its weights and configuration.

    Args:
        folder: One of subfit's own models.
        out: Made; must not exist.
        head: A `subfit.model.length_head.LengthHead`.

    Raises:
        ModelError: The weights are not in one file.
        OutputFileError: The folder cannot be written.
    """
    if not (folder / WEIGHTS).is_file():
        raise ModelError(f"{folder}: its weights are not in one {WEIGHTS}")
    copy_model(folder, out)
    weights = load_file(out / WEIGHTS)
    weights |= {
        f"length_head.{name}": value.detach().cpu().contiguous()
        for name, value in head.state_dict().items()
    }
    (out / WEIGHTS).write_bytes(save(weights, metadata={"format": "pt"}))
    config = json.loads((out / "config.json").read_text(encoding="utf-8"))
    text = json.dumps({**config, "length_predictor": True}, indent=2, sort_keys=True)
    (out / "config.json").write_text(text + "\n", encoding="utf-8")
    write_checksums(out)


def copy_model(folder: Path, out: Path) -> None:
    """Copy the files of a model folder.

    Raises:
        OutputFileError: ``out`` exists, or cannot be written.
    """
    try:
        out.mkdir(parents=True)
        for file in folder.iterdir():
            if file.is_file():
                shutil.copyfile(file, out / file.name)
    except OSError as error:
        raise OutputFileError(out, f"cannot be written ({reason_of(error)})") from error
