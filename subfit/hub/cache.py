"""Where fetched models are kept: one folder each, that appears when it is whole.

``$SUBFIT_MODELS``, or the user's cache folder: ``OWNER--NAME/`` with the model's own files, its
weights as safetensors, and ``origin.json``, which tells where they came from.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from platformdirs import user_cache_path

from subfit.errors import ModelError
from subfit.hub.json_files import read_json

ORIGIN_FILE = "origin.json"
FOLDER_VARIABLE = "SUBFIT_MODELS"


@dataclass(frozen=True, slots=True)
class ModelOrigin:
    """Where a kept model came from."""

    name: str
    """Its name on the hub, ``owner/name``."""
    revision: str
    """The commit, in hexadecimal."""
    licence: str
    """As its card tells it; empty where it does not."""
    converted: bool
    """Whether its weights were pickled on the hub."""


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A model that is here."""

    folder: Path
    origin: ModelOrigin

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


def cache_folder() -> Path:
    """Return the folder that models are kept in; it need not exist."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else user_cache_path("subfit", appauthor=False) / "models"


def folder_for(name: str) -> Path:
    """Return the folder of a hub model, ``owner/name``; it need not exist."""
    return cache_folder() / name.replace("/", "--")


def kept(name: str) -> KeptModel | None:
    """Return a hub model that is here, whole; None where it is not."""
    return _read(folder_for(name))


def kept_models() -> Iterator[KeptModel]:
    """Yield all models that are here, by name."""
    folder = cache_folder()
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        model = _read(path)
        if model is not None:
            yield model


def keep(partial: Path, origin: ModelOrigin) -> KeptModel:
    """Make a complete folder the kept model of its name, in place of an older one.

    Raises:
        OSError: It cannot be moved.
    """
    text = json.dumps(asdict(origin), indent=2, ensure_ascii=False) + "\n"
    (partial / ORIGIN_FILE).write_text(text, encoding="utf-8")
    folder = folder_for(origin.name)
    if folder.exists():
        shutil.rmtree(folder)
    partial.replace(folder)
    return KeptModel(folder, origin)


def remove(name: str) -> KeptModel:
    """Delete a kept model.

    Raises:
        ModelError: It is not here, or cannot be deleted.
    """
    model = kept(name)
    if model is None:
        raise ModelError(f"{name}: is not here; 'subfit model ls' tells which models are")
    try:
        shutil.rmtree(model.folder)
    except OSError as error:
        raise ModelError(f"{model.folder}: cannot be deleted ({error.strerror})") from error
    return model


def _read(folder: Path) -> KeptModel | None:
    try:
        origin = ModelOrigin(**read_json(folder / ORIGIN_FILE))
    except (OSError, ValueError, TypeError):
        return None
    values = (origin.name, origin.revision, origin.licence)
    return KeptModel(folder, origin) if all(isinstance(entry, str) for entry in values) else None
