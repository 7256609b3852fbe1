"""Figures over many files: one row for each, and totals that are what all cues together give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from subfit.batch.items import STATES, Result
from subfit.batch.setup import RunSetup
from subfit.reporting.definitions import definitions
from subfit.reporting.files.table import Table
from subfit.reporting.lengths import plain_data
from subfit.reporting.totals import add_totals, file_columns, file_values
from subfit.version import __version__

_NAMES = ("input", "output", "language", "state")
"""Columns before the figures."""


def summary_document(results: Sequence[Result], setup: RunSetup) -> dict[str, Any]:
    """Return all there is to say about a run, as JSON values."""
    return {
        "subfit": __version__,
        "settings": {
            language: _settings(setup, language, results) for language in setup.job.languages
        },
        "totals": totals_of_results(results),
        "languages": {
            language: totals_of_results([r for r in results if r.item.language == language])
            for language in setup.job.languages
        },
        "files": [_entry(result) for result in results],
        "definitions": {**STATES, **definitions()},
    }


def summary_table(results: Sequence[Result], setup: RunSetup) -> Table:
    """Return the same as a table: a row per file and language, the rest beside it."""
    document = summary_document(results, setup)
    facts: dict[str, Any] = {"subfit": __version__}
    for language in setup.job.languages:
        facts[f"settings for {language}"] = document["settings"][language]
        facts[f"totals for {language}"] = document["languages"][language]
    facts["totals"] = document["totals"]
    figures = tuple(column.name for column in file_columns())
    return Table(
        "Files",
        (*_NAMES, *figures, "error"),
        [_row(result, figures) for result in results],
        facts,
        document["definitions"],
        widths={"input": 30, "output": 30, "error": 40},
    )


def totals_of_results(results: Sequence[Result]) -> dict[str, Any]:
    """Return how many files there are in each state, and the figures over all their cues."""
    states = Counter(result.state for result in results)
    totals = [result.figures["totals"] for result in results if result.figures is not None]
    return {
        "files": {"all": len(results), **{state: states[state] for state in STATES}},
        **add_totals(totals),
    }


def _settings(setup: RunSetup, language: str, results: Sequence[Result]) -> dict[str, Any]:
    guideline = plain_data(setup.guidelines[language, True])
    figures = (r.figures or {} for r in results if r.item.language == language)
    cannot = next((one["shortcomings"]["cannot"] for one in figures if "shortcomings" in one), None)
    lacks = {} if cannot is None else {"model_cannot": cannot}
    return {"guideline": guideline, **setup.describe(language), **lacks}


def _names(result: Result) -> dict[str, Any]:
    item = result.item
    return dict(zip(_NAMES, (item.source, item.target, item.language, result.state), strict=True))


def _entry(result: Result) -> dict[str, Any]:
    error = {} if result.failure is None else {"error": result.failure.to_dict()}
    figures = {key: one for key, one in (result.figures or {}).items() if key != "shortcomings"}
    return {**_names(result), **error, **figures}


def _row(result: Result, figures: Sequence[str]) -> dict[str, Any]:
    values = {} if result.figures is None else file_values(result.figures["totals"])
    return {
        **_names(result),
        **{name: values.get(name) for name in figures},
        "error": result.failure.message if result.failure else None,
    }
