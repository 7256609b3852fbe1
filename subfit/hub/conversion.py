"""Weights that are no safetensors, converted once.

They are pickled, and a pickle may run any code. So they are read by PyTorch's restricted loader,
which makes tensors and plain containers and refuses all else, in a process of its own that has no
network (`convert_weights`, run as a program); here nothing of them is unpickled.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Sequence
from fnmatch import fnmatch
from pathlib import Path

from subfit.errors import ModelError
from subfit.hub import convert_weights

PICKLED_FILE = "pytorch_model.bin"
SAFE_FILE = "model.safetensors"
INDEX = ".index.json"
"""Ends the name of the list of parts that stands in place of one file of weights."""


def weight_files(files: Collection[str]) -> tuple[str, ...]:
    """Return which of a model's files are its weights.

    Returns:
        The safetensors if there are any, else what is pickled, in one file or an index first and
        then its parts; empty if there is neither.
    """
    for whole in (SAFE_FILE, PICKLED_FILE):
        if whole in files:
            return (whole,)
        if whole + INDEX in files:
            stem, _, suffix = whole.rpartition(".")
            parts = (name for name in files if fnmatch(name, f"{stem}-*-of-*.{suffix}"))
            return (whole + INDEX, *sorted(parts))
    return ()


def is_pickled(weights: Sequence[str]) -> bool:
    """Whether weight files, from `weight_files`, have to be converted."""
    return bool(weights) and weights[0].startswith(PICKLED_FILE)


def convert_all(folder: Path, weights: Sequence[str], out_folder: Path) -> None:
    """Write a model's pickled weights as safetensors, in as many parts.

    Raises:
        ModelError: See `convert`.
    """
    if weights[0] == PICKLED_FILE:
        convert(folder / PICKLED_FILE, out_folder / SAFE_FILE)
        return
    from safetensors import safe_open

    places: dict[str, str] = {}
    for name in weights[1:]:
        part = f"model{name.removeprefix('pytorch_model').removesuffix('.bin')}.safetensors"
        convert(folder / name, out_folder / part)
        with safe_open(out_folder / part, framework="np") as file:
            places |= dict.fromkeys(file.keys(), part)
    index = {"metadata": {}, "weight_map": places}
    (out_folder / f"{SAFE_FILE}{INDEX}").write_text(json.dumps(index), encoding="utf-8")


def convert(pickled: Path, safe: Path) -> None:
    """Write pickled weights as safetensors.

    Args:
        pickled: A ``pytorch_model.bin``.
        safe: The file to write; it is there only when it is whole.

    Raises:
        ModelError: The restricted loader refuses it, it is damaged, or there is no room.
    """
    program = Path(convert_weights.__file__)
    partial = safe.with_name(f"{safe.name}.partial")
    partial.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-I", str(program), str(pickled), str(partial)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        partial.unlink(missing_ok=True)
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ModelError(f"{pickled}: cannot be converted to safetensors ({lines[-1][:200]})")
    partial.replace(safe)
