"""``subfit doctor``: what is installed here, and what is missing for what."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import click

from subfit.cli import options
from subfit.cli.output import FAILED, one_line, tell
from subfit.cli.parameters import Defaults
from subfit.hub.download import conversions, kept_models
from subfit.model.bundled import bundled_models
from subfit.model.startup import cores
from subfit.version import __version__

_NEEDED = {
    "torch": "translate, train, evaluate and compare",
    "transformers": "models of the Hugging Face hub",
    "sentencepiece": "translate, with models that come with subfit",
}
"""Packages and what needs them; the first stands for all that translates."""
_OPTIONAL = {
    "matplotlib": "pictures of compare",
    "systran_align": "REP and DROP of evaluate",
    "suber": "SubER of evaluate",
    "rouge_score": "ROUGE of evaluate",
    "entmax": "models of sparse attention",
    "av": "tracks",
    "ttconv": "reading .scc",
    "pysubs2": "reading MicroDVD (.sub)",
}


@click.command()
@options.json_option
@click.pass_context
def doctor(context: click.Context, json: bool) -> int:
    """Tell what is installed here, what computes, which models there are, and what is missing.

    Exit codes: 0 translating works; 1 something that it needs is missing.
    """
    found = _found(context.obj)
    tell(found, (f"{label:<9} {one_line(told)}" for label, told in _lines(found)), json=json)
    return FAILED if "torch" in found["missing"] or not found["models"] else 0


def _found(defaults: Defaults) -> dict[str, Any]:
    """Everything as JSON values."""
    needed = {**_NEEDED, **_OPTIONAL}
    missing = {name: what for name, what in needed.items() if find_spec(name) is None}
    bundled = {name: model.directions.name for name, model in bundled_models().items()}
    return {
        "subfit": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "packages": {name: _version(name) for name in needed if name not in missing},
        "missing": missing,
        "devices": [] if "torch" in missing else list(_devices()),
        "cores": cores(),
        "threads": os.environ.get("OMP_NUM_THREADS"),
        "models": bundled | {model.name: "fetched" for model in kept_models()},
        "cache": [_cache(), str(conversions())],
        "defaults": None if defaults.path is None else str(defaults.path),
        "options": {
            ".".join(keys): defaults.place(keys) for keys in defaults.lines if len(keys) > 1
        },
    }


def _version(name: str) -> str:
    try:
        return version(name.replace("_", "-"))
    except PackageNotFoundError:
        return "of no known version"


def _cache() -> str:
    from huggingface_hub.constants import HF_HUB_CACHE

    return HF_HUB_CACHE


def _devices() -> Iterator[str]:
    """What models may compute on."""
    import torch

    yield f"cpu ({torch.backends.cpu.get_cpu_capability()})"
    for number in range(torch.cuda.device_count()):
        yield f"cuda:{number} ({torch.cuda.get_device_name(number)})"


def _lines(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    models = found["models"] or {"none": "'subfit model get' fetches one"}
    for label, told in {**found, "models": models}.items():
        if isinstance(told, dict):
            yield from ((label, f"{name}: {text}") for name, text in told.items())
        elif told:
            yield label, ", ".join(told) if isinstance(told, list) else str(told)
