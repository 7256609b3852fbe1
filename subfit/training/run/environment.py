"""What a run was made with (``environment.json``) and of (``data.json``)."""

from __future__ import annotations

import json
import platform
import shlex
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

import torch

from subfit.evaluation.corpus import Pair
from subfit.files import write_bytes
from subfit.training.data.selection import Corpus
from subfit.version import __version__

ENVIRONMENT_FILE = "environment.json"
DATA_FILE = "data.json"
_PACKAGES = ("torch", "transformers", "sentencepiece", "sacrebleu", "numpy")
_Kind = TypeVar("_Kind", list[Any], dict[str, Any])


def record_environment(folder: Path) -> None:
    """Append to ``environment.json`` what the run is started, or gone on with, with and on."""
    write_json(folder / ENVIRONMENT_FILE, [*environments(folder), _environment()])


def environments(folder: Path) -> list[dict[str, Any]]:
    """Return what `record_environment` wrote, the earliest first; nothing of a damaged file."""
    return read_json_as(folder / ENVIRONMENT_FILE, list)


def record_data(folder: Path, corpus: Corpus, dev: Sequence[Pair]) -> None:
    """Write to ``data.json`` what the run is trained and validated on, and what is left out."""
    data = {**corpus.to_dict(), "dev_pairs": len(dev)}
    write_json(folder / DATA_FILE, data)


def write_json(path: Path, document: Any) -> None:
    """Replace a JSON file at once."""
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    write_bytes(path, text.encode("utf-8"), overwrite=True)


def read_json_as(path: Path, kind: type[_Kind]) -> _Kind:
    """Return the list or mapping in a JSON file; an empty one if it is absent or damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return kind()
    return content if isinstance(content, kind) else kind()


def _environment() -> dict[str, Any]:
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(sys.argv),
        "subfit": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "platform": platform.platform(),
        "device": device_name(),
        "threads": torch.get_num_threads(),
    }


def device_name() -> str:
    """Return the name of the accelerator that models are trained on, or of the processor."""
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    """The checkout's commit, ``-dirty`` behind it if files differ; None outside a checkout."""
    root = Path(__file__).parents[3]
    if not (root / ".git").exists():  # else git would name a repository around site-packages
        return None
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        process = subprocess.run(
            [*command, "--exclude=*"], capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return process.stdout.strip()
