"""What the files of a model are, found before anything loads them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from subfit.errors import ModelError, reason_of

PICKLED_FILE = "pytorch_model.bin"
SAFE_FILE = "model.safetensors"
INDEX = ".index.json"
"""Ends the name of the list of parts that stands in place of one file of weights."""
_MOST_BYTES = 100_000_000
"""Bytes of a JSON file: the largest published tokenizers have some tens of millions."""
_UNREAD = (".md", ".yaml", ".txt", ".tsv", "SHA256SUMS", "metrics.json", "measurements.json")
"""Ends of names in a model folder that no translation depends on."""
_TRANSLATION = ("SubfitForTranslation", "MarianMTModel")
"""Architectures that are known without a look at Hugging Face's list."""


def read_json(path: Path) -> Any:
    """Read a JSON file of a model, which may hold anything.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no JSON, too large, or too deeply nested.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"more than {_MOST_BYTES:,} bytes")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError("too deeply nested") from error


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


def weights_in(folder: Path) -> tuple[str, ...]:
    """Return `weight_files` of a folder; empty if it cannot be read, too."""
    try:
        return weight_files([path.name for path in folder.iterdir()])
    except OSError:
        return ()


def is_pickled(folder: Path) -> bool:
    """Whether a folder has only weights that are pickled."""
    return any(name.startswith(PICKLED_FILE) for name in weights_in(folder)[:1])


def is_gguf(place: str) -> bool:
    """Whether a model is a GGUF file, which holds all of a decoder-only model."""
    return Path(place).suffix.lower() == ".gguf"


def is_translations(system: str) -> bool:
    """Tell whether a system is named by a file of its translations."""
    return Path(system).is_file() and not is_gguf(system)


def is_causal(place: str) -> bool:
    """Whether a model, a folder or a GGUF file, is decoder-only: a language model with prompts."""
    if is_gguf(place):
        return True
    try:
        values = read_json(Path(place) / "config.json")
        architectures, kind = values["architectures"], values["model_type"]
        if not architectures or any(name in _TRANSLATION for name in architectures):
            return False
    except (OSError, ValueError, LookupError, TypeError):
        return False
    from transformers.models.auto import modeling_auto as known

    seq2seq = known.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    return kind in known.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and kind not in seq2seq


def place_checksum(place: str) -> str:
    """Return a checksum of everything in a model folder that translations depend on.

    Args:
        place: A folder or a GGUF file; a server's address or a hub name stands for itself.

    Raises:
        ModelError: It cannot be read.
    """
    folder = Path(place)
    if folder.is_dir():
        files = sorted(path for path in folder.rglob("*") if path.is_file())
    elif is_gguf(place):
        files, folder = [folder], folder.parent
    else:
        return place
    digest = hashlib.sha256()
    try:
        for path in files:
            if not path.name.endswith(_UNREAD):
                digest.update(f"{path.relative_to(folder)}\0".encode())
                digest.update(digest_of(path))
    except OSError as error:
        raise ModelError(f"{folder}: cannot be read ({reason_of(error)})") from error
    return digest.hexdigest()


def digest_of(path: Path) -> bytes:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
