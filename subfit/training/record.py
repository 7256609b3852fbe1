"""What a run tells of itself: its log, and what it was made with and of."""

from __future__ import annotations

import json
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

from subfit.evaluation.corpus import Pair
from subfit.files import write_bytes
from subfit.training.pairs import Corpus, class_counts
from subfit.training.recipe import Recipe
from subfit.version import __version__

LOG_FILE = "log.jsonl"
ENVIRONMENT_FILE = "environment.json"
DATA_FILE = "data.json"
_PACKAGES = (
    "torch", "transformers", "sentencepiece", "sacrebleu", "numpy", "entmax", "systran-align",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunLog:
    """What a run logged, by name of the figure and step; every step has one value."""

    figures: Mapping[str, Mapping[int, float]]

    def series(self, name: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Return the steps at which a figure was logged, ascending, and its values."""
        values = sorted(self.figures.get(name, {}).items())
        return tuple(step for step, _ in values), tuple(value for _, value in values)

    @property
    def seconds(self) -> float:
        """Training time that was logged so far, that of steps which a kill undid included."""
        return max(self.series("seconds")[1], default=0.0)

    @property
    def training(self) -> dict[str, Any]:
        """``steps``, ``target_tokens``, ``seconds`` and ``tokens_per_second`` of the whole run."""
        tokens = max(self.series("target_tokens")[1], default=0)
        return {
            "steps": max(self.series("loss")[0], default=0),
            "target_tokens": tokens,
            "seconds": round(self.seconds, 1),
            "tokens_per_second": round(tokens / self.seconds, 1) if self.seconds else None,
        }


def read_log(folder: Path) -> RunLog:
    """Read the log of a run folder; without one, nothing was logged.

    A run that was killed and resumed logs the steps after its saved state again: what was logged
    last counts. A line that a kill left half written is passed over.
    """
    figures: dict[str, dict[int, float]] = {}
    path = folder / LOG_FILE
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        step = entry.pop("step", None) if isinstance(entry, dict) else None
        if isinstance(step, int):
            for name, value in entry.items():
                if isinstance(value, int | float):
                    figures.setdefault(name, {})[step] = value
    return RunLog(figures)


def write_log(folder: Path, line: Mapping[str, Any]) -> None:
    """Append the figures after a step to the log of a run folder."""
    with (folder / LOG_FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def record_environment(folder: Path) -> None:
    """Append to ``environment.json`` what the run is started, or gone on with, with and on."""
    write_json(folder / ENVIRONMENT_FILE, [*environments(folder), _environment()])


def environments(folder: Path) -> list[dict[str, Any]]:
    """Return what `record_environment` wrote, the earliest first; nothing of a damaged file."""
    try:
        content = json.loads((folder / ENVIRONMENT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return content if isinstance(content, list) else []


def record_data(folder: Path, recipe: Recipe, corpus: Corpus, dev: Sequence[Pair]) -> None:
    """Write to ``data.json`` what the run is trained and validated on, and what is left out."""
    root = Path(recipe.data.root)
    named = [*recipe.data.train_files, *recipe.data.dev_files, *(("", n) for n in recipe.data.drop)]
    data = {
        **corpus.to_dict(),
        "dev_pairs": len(dev),
        "length_classes": class_counts(recipe, corpus.pairs),
        "sha256": {name: sha256((root / name).read_bytes()).hexdigest() for _, name in named},
    }
    write_json(folder / DATA_FILE, data)


def write_json(path: Path, document: Any) -> None:
    """Replace a JSON file at once."""
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    write_bytes(path, text.encode("utf-8"), overwrite=True)


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
    root = Path(__file__).parents[2]
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
