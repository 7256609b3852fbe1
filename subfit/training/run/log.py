"""Reading the log of a run, ``log.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LOG_FILE = "log.jsonl"


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

    def last(self, name: str) -> float | None:
        """Return the last value of a figure, or None where it was never logged."""
        _, values = self.series(name)
        return values[-1] if values else None


def read_log(folder: Path) -> RunLog:
    """Read the log of a run folder.

    A run that was killed and resumed logs the steps after its saved state again: what was logged
    last counts. A line that a kill left half written is passed over.

    Args:
        folder: The run folder; without a log in it, nothing was logged.
    """
    figures: dict[str, dict[int, float]] = {}
    path = folder / LOG_FILE
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for line in text.splitlines():
        entry = _entry(line)
        step = entry.pop("step", None)
        if isinstance(step, int):
            for name, value in entry.items():
                if isinstance(value, int | float):
                    figures.setdefault(name, {})[step] = value
    return RunLog(figures)


def _entry(line: str) -> dict[str, object]:
    try:
        entry = json.loads(line)
    except ValueError:
        return {}
    return entry if isinstance(entry, dict) else {}
