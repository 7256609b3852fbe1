"""Figures over many files: one row for each, and totals that are what all cues together give."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from subfit.batch.items import STATES, Result
from subfit.batch.setup import Setup
from subfit.reporting.definitions import DEFINITIONS
from subfit.reporting.files.table import Table
from subfit.reporting.report import describe_guideline
from subfit.version import __version__

Figures = Mapping[str, Any]
"""Totals of a report as JSON values."""

COLUMNS = (
    "input",
    "output",
    "language",
    "state",
    "cues",
    "translated",
    "passed",
    "untranslated",
    "unread",
    "doubtful",
    "condensed",
    "unfamiliar",
    "lost",
    "over",
    "excess",
    "lines_overflow",
    "length_ratio",
    "compliance",
    "cps",
    "cps_worst",
    "moved",
    "moved_ms",
    "error",
)

COUNTS = (
    "cues",
    "translated",
    "passed",
    "untranslated",
    "unread",
    "doubtful",
    "condensed",
    "unfamiliar",
    "lost",
    "lines_overflow",
)
"""Figures that add up."""


def summary_document(results: Sequence[Result], setup: Setup) -> dict[str, Any]:
    """Return all there is to say about a run, as JSON values.

    Args:
        results: What became of each item.
        setup: What they were made with.
    """
    return {
        "subfit": __version__,
        "settings": {language: _settings(setup, language) for language in setup.languages},
        "totals": totals_of_results(results),
        "languages": {
            language: totals_of_results([r for r in results if r.item.language == language])
            for language in setup.languages
        },
        "files": [_entry(each) for each in results],
        "definitions": {**STATES, **DEFINITIONS},
    }


def summary_table(results: Sequence[Result], setup: Setup) -> Table:
    """Return the same as a table: a row per file and language, the rest beside it."""
    document = summary_document(results, setup)
    facts: dict[str, Any] = {"subfit": __version__}
    for language in setup.languages:
        facts[f"settings for {language}"] = document["settings"][language]
        facts[f"totals for {language}"] = document["languages"][language]
    facts["totals"] = document["totals"]
    rows = [_row(each) for each in results]
    return Table("Files", COLUMNS, rows, facts, document["definitions"])


def totals_of_results(results: Sequence[Result]) -> dict[str, Any]:
    """Return how many files there are in each state, and the figures over all their cues."""
    states = Counter(each.state for each in results)
    return {
        "files": {"all": len(results), **{state: states[state] for state in STATES}},
        **add_totals([each.figures["totals"] for each in results if each.figures is not None]),
    }


def add_totals(totals: Sequence[Figures]) -> dict[str, Any]:
    """Add up figures of tracks; the result is that of one track with all their cues.

    Args:
        totals: Of `subfit.reporting.report.Totals.to_dict`, with None for NaN.
    """
    translated = [each["translated"] for each in totals]
    worst = [each["cps"]["worst"] for each in totals if each["cps"]["worst"] is not None]
    return {
        **{name: sum(each.get(name, 0) for each in totals) for name in COUNTS},
        "length_ratio": _pooled([each["length_ratio"] for each in totals]),
        "compliance": {
            rule: _mean([each["compliance"][rule] for each in totals], translated)
            for rule in ("iwslt", "strict")
        },
        "overflow": {
            when: _overflow([each["overflow"][when] for each in totals])
            for when in ("before", "after")
        },
        "cps": {
            **_pooled([each["cps"] for each in totals]),
            "worst": max(worst, default=None),
        },
        "binding": {
            among: _counted(each["binding"][among] for each in totals)
            for among in ("all", "natural_overflow")
        },
        "terms": _counted(each.get("terms", {}) for each in totals),
        "timing": _times_moved([each["timing"] for each in totals if "timing" in each]),
    }


def _pooled(spreads: Sequence[Figures]) -> dict[str, Any]:
    """Mean and deviation of all values together, from those of their parts."""
    parts = [each for each in spreads if each["count"]]
    count = sum(each["count"] for each in parts)
    if not count:
        return {"mean": None, "sd": None, "count": 0}
    mean = sum(each["mean"] * each["count"] for each in parts) / count
    square = sum((each["sd"] ** 2 + each["mean"] ** 2) * each["count"] for each in parts) / count
    return {"mean": mean, "sd": math.sqrt(max(square - mean**2, 0.0)), "count": count}


def _mean(shares: Sequence[float | None], weights: Sequence[int]) -> float | None:
    parts = [(share, weight) for share, weight in zip(shares, weights, strict=True) if weight]
    total = sum(weight for _, weight in parts)
    return sum((share or 0.0) * weight for share, weight in parts) / total if total else None


def _overflow(found: Sequence[Figures]) -> dict[str, Any]:
    added = {name: sum(each[name] for each in found) for name in ("texts", "over", "characters")}
    return {**added, "share": added["over"] / added["texts"] if added["texts"] else None}


def _times_moved(found: Sequence[Figures]) -> dict[str, int]:
    added = {name: sum(each[name] for each in found) for name in ("moved", "milliseconds")}
    return {**added, "longest": max((each["longest"] for each in found), default=0)}


def _counted(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    added: Counter[str] = Counter()
    for each in counts:
        added.update(each)
    return dict(added)


def _settings(setup: Setup, language: str) -> dict[str, Any]:
    guideline = describe_guideline(setup.guidelines[language, True])
    return {"guideline": guideline, **setup.describe(language)}


def _entry(result: Result) -> dict[str, Any]:
    item = result.item
    entry: dict[str, Any] = {
        "input": item.source,
        "output": item.target,
        "language": item.language,
        "state": result.state,
    }
    if result.failure is not None:
        entry["error"] = result.failure.to_dict()
    return {**entry, **(result.figures or {})}


def _row(result: Result) -> dict[str, Any]:
    entry = _entry(result)
    totals = entry.get("totals")
    row = {name: entry.get(name) for name in COLUMNS}
    row["error"] = result.failure.message if result.failure else None
    if totals is not None:
        row |= {name: totals[name] for name in COLUMNS if name in totals}
        after = totals["overflow"]["after"]
        row |= {"over": after["over"], "excess": after["characters"]}
        row |= {"length_ratio": totals["length_ratio"]["mean"]}
        row |= {"compliance": totals["compliance"]["strict"]}
        row |= {"cps": totals["cps"]["mean"], "cps_worst": totals["cps"]["worst"]}
        moved = totals.get("timing", {})
        row |= {"moved": moved.get("moved"), "moved_ms": moved.get("milliseconds")}
    return row
