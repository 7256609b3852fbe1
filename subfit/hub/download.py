"""Models of the Hugging Face hub: fetched into its own cache, whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subfit.errors import ModelError, reason_of
from subfit.hub.conversion import OTHER_FILES, conversions, with_safe_weights
from subfit.hub.names import PICKLED_FILE, SAFE_FILE, is_pickled, weight_files, weights_in


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
