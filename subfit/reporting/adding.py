"""Adding up totals of files: the result is what all their cues together give.

Every function takes the name of a figure and the totals of several files as JSON values, which may
be of an earlier run and lack a figure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Totals = Mapping[str, Any]
"""Figures of a file by name."""


def sums(name: str, files: Sequence[Totals]) -> Any:
    """Add up counts."""
    return sum(file.get(name, 0) for file in files)


def counts(name: str, files: Sequence[Totals]) -> dict[str, int]:
    """Add up counts that have names of their own."""
    return _counted(file.get(name, {}) for file in files)


def counts_if_any(name: str, files: Sequence[Totals]) -> dict[str, int] | None:
    """Add up counts that have names of their own; None where no file has any."""
    return counts(name, files) if any(name in file for file in files) else None


def binding(name: str, files: Sequence[Totals]) -> dict[str, Any]:
    """Add up how many cues each limit binds."""
    parts = ("all", "natural_overflow")
    return {part: _counted(file[name][part] for file in files) for part in parts}


def spreads(name: str, files: Sequence[Totals]) -> dict[str, Any]:
    """Return mean and deviation of all values together, from those of their parts."""
    parts = [file[name] for file in files if file[name]["count"]]
    count = sum(part["count"] for part in parts)
    if not count:
        return {"mean": None, "sd": None, "count": 0}
    mean = sum(part["mean"] * part["count"] for part in parts) / count
    square = sum((part["sd"] ** 2 + part["mean"] ** 2) * part["count"] for part in parts) / count
    return {"mean": mean, "sd": math.sqrt(max(square - mean**2, 0.0)), "count": count}


def speeds(name: str, files: Sequence[Totals]) -> dict[str, Any]:
    """Return mean and deviation of reading speeds, and the highest."""
    worst = [file[name]["worst"] for file in files if file[name]["worst"] is not None]
    return {**spreads(name, files), "worst": max(worst, default=None)}


def compliance(name: str, files: Sequence[Totals]) -> dict[str, Any]:
    """Return the shares of all translated cues, from those of each file."""
    return {rule: _mean(name, rule, files) for rule in ("iwslt", "strict")}


def overflow(name: str, files: Sequence[Totals]) -> dict[str, Any]:
    """Add up cues over their budget, before and after length control."""
    return {when: _overflow([file[name][when] for file in files]) for when in ("before", "after")}


def timing(name: str, files: Sequence[Totals]) -> dict[str, int]:
    """Add up out-times that were moved."""
    parts = [file[name] for file in files if name in file]
    added = {key: sum(part[key] for part in parts) for key in ("moved", "milliseconds")}
    return {**added, "longest": max((part["longest"] for part in parts), default=0)}


def usage(name: str, files: Sequence[Totals]) -> dict[str, Any] | None:
    """Add up what asking servers came to; None where none was asked."""
    parts = [file[name] for file in files if name in file]
    return _counted(parts) if parts else None


def _mean(name: str, rule: str, files: Sequence[Totals]) -> float | None:
    parts = [(file[name][rule], file["translated"]) for file in files if file["translated"]]
    cues = sum(weight for _, weight in parts)
    return sum((share or 0.0) * weight for share, weight in parts) / cues if cues else None


def _overflow(parts: Sequence[Totals]) -> dict[str, Any]:
    added = {key: sum(part[key] for part in parts) for key in ("texts", "over", "characters")}
    return {**added, "share": added["over"] / added["texts"] if added["texts"] else None}


def _counted(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    added: Counter[str] = Counter()
    for part in parts:
        added.update(part)
    return dict(added)
