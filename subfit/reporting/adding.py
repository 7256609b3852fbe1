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


def sums(name: str, totals: Sequence[Totals]) -> Any:
    """Add up counts."""
    return sum(each.get(name, 0) for each in totals)


def counts(name: str, totals: Sequence[Totals]) -> dict[str, int]:
    """Add up counts that have names of their own."""
    return _counted(each.get(name, {}) for each in totals)


def binding(name: str, totals: Sequence[Totals]) -> dict[str, Any]:
    """Add up how many cues each limit binds."""
    parts = ("all", "natural_overflow")
    return {part: _counted(each[name][part] for each in totals) for part in parts}


def spreads(name: str, totals: Sequence[Totals]) -> dict[str, Any]:
    """Return mean and deviation of all values together, from those of their parts."""
    parts = [each[name] for each in totals if each[name]["count"]]
    count = sum(part["count"] for part in parts)
    if not count:
        return {"mean": None, "sd": None, "count": 0}
    mean = sum(part["mean"] * part["count"] for part in parts) / count
    square = sum((part["sd"] ** 2 + part["mean"] ** 2) * part["count"] for part in parts) / count
    return {"mean": mean, "sd": math.sqrt(max(square - mean**2, 0.0)), "count": count}


def speeds(name: str, totals: Sequence[Totals]) -> dict[str, Any]:
    """Return mean and deviation of reading speeds, and the highest."""
    worst = [each[name]["worst"] for each in totals if each[name]["worst"] is not None]
    return {**spreads(name, totals), "worst": max(worst, default=None)}


def compliance(name: str, totals: Sequence[Totals]) -> dict[str, Any]:
    """Return the shares of all translated cues, from those of each file."""
    return {rule: _mean(name, rule, totals) for rule in ("iwslt", "strict")}


def overflow(name: str, totals: Sequence[Totals]) -> dict[str, Any]:
    """Add up cues over their budget, before and after length control."""
    return {when: _overflow([each[name][when] for each in totals]) for when in ("before", "after")}


def timing(name: str, totals: Sequence[Totals]) -> dict[str, int]:
    """Add up out-times that were moved."""
    parts = [each[name] for each in totals if name in each]
    added = {key: sum(part[key] for part in parts) for key in ("moved", "milliseconds")}
    return {**added, "longest": max((part["longest"] for part in parts), default=0)}


def _mean(name: str, rule: str, totals: Sequence[Totals]) -> float | None:
    parts = [(each[name][rule], each["translated"]) for each in totals if each["translated"]]
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
