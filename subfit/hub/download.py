"""Fetching a model from the Hugging Face hub: at a fixed revision, resumed, whole or not at all."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from subfit.errors import ModelError, reason_of
from subfit.hub.cache import KeptModel, ModelOrigin, folder_for, keep, kept
from subfit.hub.conversion import PICKLED_FILE, SAFE_FILE, convert_all, is_pickled, weight_files

WANTED = (
    "config.json",
    "generation_config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "tokenizer.json",
    "vocab.json",
    "source.spm",
    "target.spm",
    "sentencepiece.bpe.model",
    "spiece.model",
    "tokenizer.model",
    "merges.txt",
    "chat_template.jinja",
    "README.md",
)
"""What is fetched beside the weights; no code."""


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
    from huggingface_hub.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # what goes wrong is told in one line
    api = HfApi(endpoint=endpoint)
    for name in names:
        info = _info(api, name, revision)
        if info is not None:
            return _fetch(api, name, info, progress=progress)
    tried = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    raise ModelError(f"the hub has no such model, or not for you: {tried}")


def _info(api: Any, name: str, revision: str | None) -> Any:
    """What the hub knows of a model; None where it has none of that name."""
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    with _one_line(name):
        try:
            return api.model_info(name, revision=revision, files_metadata=True)
        except GatedRepoError:
            raise
        except RepositoryNotFoundError:
            return None


def _fetch(api: Any, name: str, info: Any, *, progress: bool) -> KeptModel:
    from huggingface_hub import snapshot_download

    files = {sibling.rfilename for sibling in info.siblings or ()}
    weights = weight_files(files)
    if not weights or "config.json" not in files:
        raise ModelError(f"{name}: has no {SAFE_FILE} or {PICKLED_FILE} with its config.json")
    partial = folder_for(name).with_suffix(f".{info.sha[:12]}.partial")
    with _one_line(name):
        partial.mkdir(parents=True, exist_ok=True)
        snapshot_download(
            name,
            revision=info.sha,
            local_dir=partial,
            allow_patterns=[*WANTED, *weights],
            endpoint=api.endpoint,
            tqdm_class=None if progress else _silent_bar(),
        )
    if is_pickled(weights):
        try:
            convert_all(partial, weights, partial)
        finally:  # where it failed, it is fetched anew the next time
            for part in weights:
                (partial / part).unlink()
    card = info.card_data
    licence = str(getattr(card, "license", "") or "") if card else ""
    with _one_line(name):
        return keep(partial, ModelOrigin(name, info.sha, licence, is_pickled(weights)))


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
    from huggingface_hub import errors

    try:
        yield
    except errors.GatedRepoError as error:
        raise ModelError(
            f"{name}: is gated; accept its terms on its page, then log in with 'hf auth login'"
        ) from error
    except errors.RevisionNotFoundError as error:
        raise ModelError(f"{name}: has no such revision") from error
    except errors.HFValidationError as error:
        raise ModelError(f"{name}: is no name of a model on the hub (owner/name)") from error
    except errors.HfHubHTTPError as error:
        status = getattr(error.response, "status_code", "?")
        raise ModelError(f"{name}: the hub answered with an error ({status}); try again") from error
    except errors.LocalEntryNotFoundError as error:
        raise _unreachable(name) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ModelError(f"{name}: no room left in {folder_for(name).parent}") from error
        if isinstance(error, ConnectionError) or error.filename is None:
            raise _unreachable(name) from error
        raise ModelError(f"{error.filename}: cannot be written ({reason_of(error)})") from error
    except ModelError:
        raise
    except Exception as error:
        if type(error).__module__.partition(".")[0] in ("httpx", "httpx2", "httpcore2", "requests"):
            raise _unreachable(name) from error
        raise


def _unreachable(name: str) -> ModelError:
    return ModelError(
        f"{name}: the hub is out of reach (no network?); name a model that is here ('subfit model"
        " ls'), or a folder"
    )


def converted_folder(folder: Path) -> Path:
    """Return a folder like another, whose pickled weights are safetensors.

    It is kept in the cache and made once, until the weights change.

    Raises:
        ModelError: They cannot be converted, or there is no room.
    """
    import hashlib
    import shutil

    weights = weight_files([path.name for path in folder.iterdir()])
    sha = hashlib.sha256()
    for part in weights:
        with (folder / part).open("rb") as file:
            sha.update(hashlib.file_digest(file, "sha256").digest())
    digest = sha.hexdigest()
    name = f"local/{folder.resolve().name}-{digest[:12]}"
    if (model := kept(name)) is not None:
        return model.folder
    place = folder_for(name)
    partial = place.with_suffix(".partial")
    with _one_line(str(folder)):
        partial.mkdir(parents=True, exist_ok=True)
        for wanted in WANTED:
            if (folder / wanted).is_file():
                shutil.copy2(folder / wanted, partial / wanted)
    convert_all(folder, weights, partial)
    with _one_line(str(folder)):
        return keep(partial, ModelOrigin(name, digest, "", converted=True)).folder
