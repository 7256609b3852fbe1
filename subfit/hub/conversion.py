"""Weights that are no safetensors, converted once.

They are pickled, and a pickle may run any code. So they are read by PyTorch's restricted loader,
which makes tensors and plain containers and refuses all else, in a process of its own that has no
network (`convert_weights`, run as a program); here nothing of them is unpickled.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from subfit.errors import ModelError, reason_of
from subfit.hub import convert_weights
from subfit.hub.names import INDEX, PICKLED_FILE, SAFE_FILE, is_pickled, weights_in

OTHER_FILES = (
    "config.json", "generation_config.json", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "tokenizer.json", "vocab.json", "source.spm", "target.spm",
    "sentencepiece.bpe.model", "spiece.model", "tokenizer.model", "merges.txt",
    "chat_template.jinja", "README.md",
)  # fmt: skip
"""What a model needs beside its weights; no code."""


def conversions() -> Path:
    """Return the folder of converted models, a part of Hugging Face's cache."""
    from huggingface_hub import cached_assets_path

    return cached_assets_path("subfit", "models", "converted")


def with_safe_weights(folder: Path, name: str) -> Path:
    """Return a model's folder, or one like it with safetensors where its weights are pickled.

    That is made once, until the weights change.

    Args:
        folder: Of the model.
        name: Begins the name of the other folder.

    Raises:
        ModelError: The restricted loader refuses them, they are damaged, or there is no room.
    """
    if not is_pickled(folder):
        return folder
    weights = [folder / part for part in weights_in(folder)]
    try:
        stamps = [(str(part.resolve()), part.stat().st_mtime) for part in weights]
        digest = hashlib.sha256(repr(stamps).encode()).hexdigest()
        place = conversions() / f"{name.replace('/', '--')}-{digest[:12]}"
        if place.is_dir():
            return place
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=place.name) as made:
            partial = Path(made) / "model"
            partial.mkdir()
            _convert_all(folder, weights, partial)
            for path in filter(Path.is_file, map(folder.joinpath, OTHER_FILES)):
                shutil.copyfile(path, partial / path.name)
            partial.replace(place)
    except OSError as error:
        raise ModelError(f"{folder}: cannot be converted ({reason_of(error)})") from error
    return place


def _convert_all(folder: Path, weights: list[Path], out_folder: Path) -> None:
    """Write pickled weights as safetensors, in as many parts."""
    if weights[0].name == PICKLED_FILE:
        return _convert(weights[0], out_folder / SAFE_FILE)
    from safetensors import safe_open

    places: dict[str, str] = {}
    for pickled in weights[1:]:
        part = f"model{pickled.stem.removeprefix('pytorch_model')}.safetensors"
        _convert(pickled, out_folder / part)
        with safe_open(out_folder / part, framework="np") as file:
            places |= dict.fromkeys(file.keys(), part)
    index = {"metadata": {}, "weight_map": places}
    (out_folder / f"{SAFE_FILE}{INDEX}").write_text(json.dumps(index), encoding="utf-8")
    return None


def _convert(pickled: Path, safe: Path) -> None:
    command = [sys.executable, "-I", convert_weights.__file__, str(pickled), str(safe)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ModelError(f"{pickled}: cannot be converted to safetensors ({lines[-1][:200]})")
