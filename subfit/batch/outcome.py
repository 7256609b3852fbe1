"""What a run led to: exit code, JSON document, and reports on single cues and on all files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from subfit.batch.items import STATES, Item, Result
from subfit.batch.setup import Prepared, RunSetup
from subfit.reporting.figures import add_totals, definitions, file_columns, file_values
from subfit.reporting.lengths import plain_data
from subfit.reporting.page import WrittenFile, files_page, page_data, to_html
from subfit.reporting.report import SCHEMA, Report
from subfit.reporting.tables import PAGE, Forms, Table, table_of
from subfit.subtitles.scripts import columns_of
from subfit.version import __version__

if TYPE_CHECKING:
    from subfit.batch.run import Run

_NAMES = ("input", "output", "language", "state")
"""Columns of the table of all files before its figures."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run led to."""

    run: Run
    results: tuple[Result, ...] = ()
    prepared: tuple[Prepared, ...] = ()
    """In a dry run, what would be done."""

    @property
    def failed(self) -> bool:
        """Whether something could not be done."""
        states = {result.state for result in self.results}
        return bool(states & {"failed", "stopped"} or self.run.plan.listing.failures)

    @property
    def over(self) -> bool:
        """Whether something is done, but not within its limits."""
        return any(result.over for result in self.results)

    def to_dict(self) -> dict[str, Any]:
        """Return it as a JSON document: of a resumable run a summary, else every cue."""
        planned = [_planned_entry(prepared) for prepared in self.prepared]
        if not self.run.plan.keeps_manifest:
            return {"files": [*(_entry(one) for one in self.results), *planned]}
        document = summary_document(self.results, self.run.setup)
        document["files"] += planned
        document["folders"] = [
            {"input": place, "error": failure.to_dict()}
            for place, failure in self.run.plan.listing.failures
        ]
        return document

    def write_report(self, path: Path) -> None:
        """Write the report, and enter it in the manifest.

        Raises:
            OutputFileError: It cannot be written.
        """
        forms = Forms(self.to_dict(), self._table, lambda: self._page(path))
        self.run.write_report(path, forms, overwrite=self.run.replaces_report)

    def _table(self) -> Table:
        if self.run.plan.keeps_manifest:
            return summary_table(self.results, self.run.setup)
        reports = [(one.item.source, one.report) for one in self.results if one.report]
        return table_of(reports)

    def _page(self, path: Path) -> str:
        if not self.run.plan.several:
            result = self.results[0]
            return cue_page(result.item, result.report, result.written)
        return files_page(summary_table(self.results, self.run.setup), self._links(path))

    def _links(self, page: Path) -> dict[str, str]:
        """Where the pages on the cues of each output are, seen from another page."""
        links = dict[str, str]()
        for item in (result.item for result in self.results):
            place = self.run.cue_report(item)
            if place and place.suffix == PAGE and place.exists():
                there = os.path.relpath(place.resolve(), page.parent.resolve())
                links[item.target] = quote(there.replace(os.sep, "/"))
        return links


def cue_forms(item: Item, report: Report, written: WrittenFile | None) -> Forms:
    """Return a report on every cue of one translation in all its forms; see `cue_page`."""
    return Forms(
        cue_document(item, report),
        lambda: table_of([(item.source, report)]),
        lambda: cue_page(item, report, written),
    )


def cue_document(item: Item, report: Report) -> dict[str, Any]:
    """Return a report on every cue as JSON values."""
    return {**_named(item), **report.to_dict()}


def cue_page(item: Item, report: Report | None, written: WrittenFile | None) -> str:
    """Return a report on every cue as an HTML page.

    Args:
        item: What was translated.
        report: On the translation.
        written: The translation; with its report, there is none of what failed.
    """
    if report is None or written is None:
        raise ValueError(f"{item.source} has no report")
    data = page_data(cue_document(item, report), written, report.guideline)
    return to_html(data, f"{data['file']['name']} – subfit")


def summary_document(results: Sequence[Result], setup: RunSetup) -> dict[str, Any]:
    """Return all there is to say about a run, as JSON values."""
    languages = setup.job.languages
    return {
        "schema": SCHEMA,
        "subfit": __version__,
        "settings": {language: _settings(setup, language, results) for language in languages},
        "totals": totals_of_results(results),
        "languages": {
            language: totals_of_results([one for one in results if one.item.language == language])
            for language in languages
        },
        "files": [
            {
                **_identity(result),
                **({} if result.failure is None else {"error": result.failure.to_dict()}),
                **{k: one for k, one in (result.figures or {}).items() if k != "shortcomings"},
            }
            for result in results
        ],
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

    def row(result: Result) -> dict[str, Any]:
        values = {} if result.figures is None else file_values(result.figures["totals"])
        error = result.failure.message if result.failure else None
        return _identity(result) | {name: values.get(name) for name in figures} | {"error": error}

    return Table(
        "Files",
        (*_NAMES, *figures, "error"),
        [row(result) for result in results],
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
    """What all translations into a language depend on, and what their model cannot do."""
    settings = {
        "guideline": plain_data(setup.guidelines[language, True]),
        **setup.describe(language),
    }
    figures = (one.figures or {} for one in results if one.item.language == language)
    cannot = next((one["shortcomings"]["cannot"] for one in figures if "shortcomings" in one), None)
    return settings if cannot is None else settings | {"model_cannot": cannot}


def _entry(result: Result) -> dict[str, Any]:
    """A file's part of a JSON document, with every cue."""
    if result.report is not None:
        return cue_document(result.item, result.report)
    entry = _named(result.item)
    return entry if result.failure is None else {**entry, "error": result.failure.to_dict()}


def _planned_entry(prepared: Prepared) -> dict[str, Any]:
    return {
        **_named(prepared.source.item),
        "settings": {"guideline": plain_data(prepared.guideline)},
        **({} if (columns := columns_of(prepared.track)) is None else {"columns": columns}),
        "totals": {
            "cues": len(prepared.track.cues),
            **({} if prepared.expected is None else {"expected": prepared.expected.to_dict()}),
        },
        "repairs": plain_data(prepared.track.repairs),
    }


def _named(item: Item) -> dict[str, Any]:
    return {"input": item.source, "output": item.target}


def _identity(result: Result) -> dict[str, Any]:
    return {**_named(result.item), "language": result.item.language, "state": result.state}
