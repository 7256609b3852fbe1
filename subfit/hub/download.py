"""Models of the Hugging Face hub: fetched into its own cache, whole or not at all.

Weights that are no safetensors are pickled, and a pickle may run any code. So they are converted
once, by PyTorch's restricted loader, which makes tensors and plain containers and refuses all else,
in a process of its own that has no network (`convert_weights`, run as a program); here nothing of
them is unpickled.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subfit.errors import ModelError, reason_of
from subfit.hub import convert_weights
from subfit.hub.names import INDEX, PICKLED_FILE, SAFE_FILE, is_pickled, weight_files, weights_in


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A model that is here."""

    name: str
    """Its name on the hub, ``owner/name``."""
    revision: str
    """The commit, in hexadecimal."""
    folder: Path

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    @property
    def licence(self) -> str:
        """As its card tells it; empty where it does not."""
        from huggingface_hub import metadata_load

        try:
            return str((metadata_load(self.folder / "README.md") or {}).get("license") or "")
        except Exception:  # no card, or whatever one that is no YAML makes the library raise
            return ""

    @property
    def converted(self) -> bool:
        """Whether its weights are pickled on the hub."""
        return is_pickled(self.folder)


def _cache() -> Path:
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def kept(name: str) -> KeptModel | None:
    """Return a hub model that is here, whole: of several revisions the one fetched last."""
    folder = _cache() / f"models--{name.replace('/', '--')}" / "snapshots"
    for revision in sorted(folder.glob("*"), key=os.path.getmtime, reverse=True):
        if weights_in(revision) and (revision / "config.json").is_file():
            return KeptModel(name, revision.name, revision)
    return None


def kept_models() -> Iterator[KeptModel]:
    """Yield all models that are here, by name."""
    for folder in sorted(_cache().glob("models--*--*")):
        if (model := kept("/".join(folder.name.split("--", 2)[1:]))) is not None:
            yield model


def hub_name(folder: Path) -> str | None:
    """Return the name on the hub of a folder in the cache; None for other folders."""
    own = folder.parent.parent.name
    is_kept = folder.parent.name == "snapshots" and own.startswith("models--")
    return "/".join(own.split("--", 2)[1:]) if is_kept else None


def remove(name: str) -> KeptModel:
    """Delete a kept model, with all revisions and what was converted of it.

    Raises:
        ModelError: It is not here, or cannot be deleted.
    """
    model = kept(name)
    if model is None:
        raise ModelError(f"{name}: is not here; 'subfit model ls' tells which models are")
    try:
        shutil.rmtree(model.folder.parent.parent)
        for converted in conversions().glob(f"{name.replace('/', '--')}-*"):
            shutil.rmtree(converted)
    except OSError as error:
        raise ModelError(f"{model.folder}: cannot be deleted ({error.strerror})") from error
    return model


def fetch(
    names: Sequence[str],
    *,
    revision: str | None = None,
    endpoint: str | None = None,
    progress: bool = False,
) -> KeptModel:
    """Fetch the first of some models that the hub has, and keep it.

    What was fetched before an interruption is not fetched again.

    Args:
        names: On the hub, ``owner/name``; the best first.
        revision: Branch, tag or commit; by default the newest commit.
        endpoint: The hub's address; by default that of the environment, or the public one.
        progress: Show bars on stderr.

    Raises:
        ModelError: The hub has none of them, is out of reach, or refuses; there is no room; or the
            weights are of no kind that subfit reads.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError
    from huggingface_hub.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # errors are one line of ours
    for name in names:
        with _one_line(name):
            try:
                info = HfApi(endpoint=endpoint).model_info(name, revision=revision)
            except GatedRepoError:
                raise
            except RepositoryNotFoundError:
                continue
        files = {sibling.rfilename for sibling in info.siblings or ()}
        return _fetch(name, files, revision=revision, endpoint=endpoint, progress=progress)
    tried = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    raise ModelError(f"the hub has no such model, or not for you: {tried}")


def _fetch(name: str, files: set[str], *, progress: bool, **place: Any) -> KeptModel:
    from huggingface_hub import snapshot_download

    weights = weight_files(files)
    if not weights or "config.json" not in files:
        raise ModelError(f"{name}: has no {SAFE_FILE} or {PICKLED_FILE} with its config.json")
    if not progress:
        place["tqdm_class"] = _silent_bar()
    with _one_line(name):
        for wanted in (OTHER_FILES, weights[1:], weights[:1]):  # where these are, it is whole
            folder = snapshot_download(name, allow_patterns=list(wanted), **place)
        os.utime(folder)
    model = KeptModel(name, Path(folder).name, Path(folder))
    with_safe_weights(model.folder, name)
    return model


def _silent_bar() -> Any:
    """A progress bar that shows nothing."""
    from tqdm.auto import tqdm

    class SilentBar(tqdm):  # type: ignore[misc]
        def __init__(self, *arguments: Any, **settings: Any) -> None:
            super().__init__(*arguments, **{**settings, "disable": True, "name": None})

    return SilentBar


@contextmanager
def _one_line(name: str) -> Iterator[None]:
    """Say in a line why a model could not be had."""
    import httpx2
    from huggingface_hub import errors

    unreachable = (
        f"{name}: the hub is out of reach (no network?); name a model that is here ('subfit model"
        " ls'), or a folder"
    )
    try:
        yield
    except errors.GatedRepoError as error:
        problem = "is gated; accept its terms on its page, then log in with 'hf auth login'"
        raise ModelError(f"{name}: {problem}") from error
    except errors.RevisionNotFoundError as error:
        raise ModelError(f"{name}: has no such revision") from error
    except errors.HFValidationError as error:
        raise ModelError(f"{name}: is no name of a model on the hub (owner/name)") from error
    except errors.HfHubHTTPError as error:
        status = getattr(error.response, "status_code", "?")
        raise ModelError(f"{name}: the hub answered with an error ({status}); try again") from error
    except (errors.LocalEntryNotFoundError, ConnectionError, httpx2.HTTPError) as error:
        raise ModelError(unreachable) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ModelError(f"{name}: no room left in {_cache()}") from error
        if error.filename is None:
            raise ModelError(unreachable) from error
        raise ModelError(f"{error.filename}: cannot be written ({reason_of(error)})") from error


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
