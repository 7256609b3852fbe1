"""``subfit model``: the models that are here, and those that can be had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from subfit.cli import options
from subfit.cli.output import one_line, tell
from subfit.errors import ModelError, UsageError
from subfit.hub.download import KeptModel, kept, kept_models, remove
from subfit.hub.names import FAMILIES, candidates
from subfit.model.bundled import BundledModel, bundled_models

name_argument = click.argument("name")


@click.group()
def model() -> None:
    """List, fetch, show and remove models; their names are values for --model."""


@model.command()
@options.json_option
def ls(json: bool) -> None:
    """List the models that are here, and the families that can be asked for by name."""
    bundled, fetched = list(bundled_models().values()), list(kept_models())
    models = [*map(_of_bundled, bundled), *map(_of_kept, fetched)]
    families = [{"name": name, "description": one.description} for name, one in FAMILIES.items()]
    rows = [(model.name, f"{model.directions.name}; comes with subfit") for model in bundled]
    rows += [
        (model.name, f"{_mebibytes(model.size)}, {model.licence or 'licence not told'}")
        for model in fetched
    ]
    rows += [(name, f"{one.description}; fetched") for name, one in FAMILIES.items()]
    width = max(len(name) for name, _ in rows)
    lines = [f"{one_line(name):{width}}  {one_line(text)}" for name, text in rows]
    tell({"models": models, "families": families}, lines, json=json)


@model.command()
@name_argument
@options.source_language_option
@options.target_language("Of a family: language to translate into.")
@click.option("--revision", metavar="REV", help="Branch, tag or commit.  [default: the newest]")
@options.json_option
def get(
    name: str, source_language: str, target_language: str | None, revision: str | None, json: bool
) -> None:
    """Fetch a model of the Hugging Face hub, to be used without network from then on.

    NAME is OWNER/NAME or a family ('subfit model ls'); of opus-mt -t tells the pair. Weights that
    are pickled are converted once, by PyTorch's restricted loader in a process of its own.
    """
    from subfit.hub.download import fetch

    names = _hub_names(name, source_language, target_language)
    made = fetch(names, revision=revision, progress=not json)
    line = f"{made.name}: {_mebibytes(made.size)} in {one_line(str(made.folder))}"
    tell(_of_kept(made), [line], json=json)


@model.command()
@name_argument
@options.json_option
def show(name: str, json: bool) -> None:
    """Show what is known of a model that is here: languages, size, licence, revision."""
    if (bundled := bundled_models().get(name)) is not None:
        values = _of_bundled(bundled)
    elif (fetched := kept(name)) is not None:
        values = _of_kept(fetched)
    else:
        raise ModelError(f"{name}: is not here; 'subfit model ls' tells which models are")
    texts = {
        key: ", ".join(value) if isinstance(value, list) else str(value)
        for key, value in values.items()
    }
    tell(values, (f"{key}: {one_line(text)}" for key, text in texts.items()), json=json)


@model.command()
@name_argument
@options.json_option
def rm(name: str, json: bool) -> None:
    """Delete a model that was fetched."""
    if name in bundled_models():
        raise UsageError(f"{name} comes with subfit and is not deleted")
    removed = remove(name)
    tell({"removed": removed.name}, [f"{removed.name}: deleted"], json=json)


def _hub_names(name: str, source: str, target: str | None) -> tuple[str, ...]:
    if name not in FAMILIES:
        return (name,)
    if target is None and FAMILIES[name].model is None:
        raise click.UsageError(f"name the language that {name} is to translate into with -t")
    return candidates(name, source, target or "und")


def _of_bundled(model: BundledModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "kind": "bundled",
        "folder": str(model.folder),
        "source_languages": list(model.directions.sources),
        "target_languages": list(model.directions.targets),
        "bytes": _size(model.folder),
        "licence": "GPL-3.0-or-later",
    }


def _of_kept(model: KeptModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "revision": model.revision,
        "licence": model.licence,
        "converted": model.converted,
        "kind": "fetched",
        "folder": str(model.folder),
        "bytes": model.size,
    }


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:.0f} MiB"
