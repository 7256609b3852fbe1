"""Writing a finished model again with its length predictor; the translator stays bit by bit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from safetensors.torch import load, save
from torch import nn

from subfit.errors import ModelError, OutputFileError, reason_of
from subfit.files import write_bytes
from subfit.model.checkpoint import write_checksums
from subfit.model.length_predictor import PREDICTOR_FOLDER, LengthPredictor, PretrainedPredictor

WEIGHTS = "model.safetensors"


def write_with_predictor(folder: Path, out: Path, predictor: LengthPredictor) -> None:
    """Copy a model folder and add a predictor: a pretrained one as a folder, or a length head.

    Args:
        folder: Of the model; for a head, one of subfit's own.
        out: Made; must not exist.
        predictor: A trained one.

    Raises:
        ModelError: The weights are not in one file.
        OutputFileError: The folder cannot be written.
    """
    if isinstance(predictor, PretrainedPredictor):
        _copy(folder, out)
        predictor.save(out / PREDICTOR_FOLDER)
        return
    if not (folder / WEIGHTS).is_file():
        raise ModelError(f"{folder}: its weights are not in one {WEIGHTS}")
    _copy(folder, out)
    (head, *_) = predictor.modules()
    _add_head(out, head)


def _add_head(folder: Path, head: nn.Module) -> None:
    """Put a length head into a model's weights and configuration."""
    weights = load((folder / WEIGHTS).read_bytes())
    weights |= {
        f"length_head.{name}": value.detach().cpu().contiguous()
        for name, value in head.state_dict().items()
    }
    data = save(weights, metadata={"format": "pt"})
    write_bytes(folder / WEIGHTS, data, overwrite=True)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    text = json.dumps({**config, "length_predictor": True}, indent=2, sort_keys=True)
    write_bytes(folder / "config.json", f"{text}\n".encode(), overwrite=True)
    write_checksums(folder)


def _copy(folder: Path, out: Path) -> None:
    """Copy the files of a model folder."""
    try:
        out.mkdir(parents=True)
        for file in folder.iterdir():
            if file.is_file():
                shutil.copyfile(file, out / file.name)
    except OSError as error:
        raise OutputFileError(out, f"cannot be written ({reason_of(error)})") from error
