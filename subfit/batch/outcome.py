"""What a run led to: exit code, JSON document and report."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from subfit.batch.cue_reports import cue_document, cue_page
from subfit.batch.items import Item, Result
from subfit.batch.manifest import checksum
from subfit.batch.plan import is_script
from subfit.batch.prepare import Prepared
from subfit.batch.run import Run
from subfit.batch.summary import summary_document, summary_table
from subfit.batch.triage import output_name
from subfit.files import write_bytes
from subfit.memory.entry import Entry
from subfit.memory.files import read_entries, write_entries
from subfit.memory.store import Languages
from subfit.reporting.files.files_page import files_page
from subfit.reporting.files.rendering import PAGE, Forms, render_report
from subfit.reporting.files.table import Table, table_of
from subfit.reporting.lengths import plain_data
from subfit.reporting.report import CueOrder
from subfit.subtitles.formats import columns_of


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

    @property
    def _order(self) -> CueOrder:
        return self.run.job.writing.sort

    def to_dict(self) -> dict[str, Any]:
        """Return it as a JSON document: of a resumable run a summary, else every cue."""
        planned = [_planned_entry(prepared) for prepared in self.prepared]
        if not self.run.plan.keeps_manifest:
            return {"files": [*(_entry(one, self._order) for one in self.results), *planned]}
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
        run, memory = self.run, self.run.memory
        data = render_report(path, Forms(self.to_dict(), self._table, lambda: self._page(path)))
        if memory is not None:
            memory.manifest.enter_report(path, checksum(data))
        write_bytes(path, data, overwrite=run.replaces_report)

    def write_memory(self, path: Path) -> None:
        """Write the sentences with their translations, those of earlier runs as they stand now.

        Raises:
            OutputFileError: It cannot be written.
        """
        job = self.run.job
        languages = Languages(job.source_language, job.languages[0])
        entries = (entry for result in self.results for entry in _made(result, languages))
        write_entries(path, entries, languages, overwrite=job.writing.overwrite)

    def _table(self) -> Table:
        if self.run.plan.keeps_manifest:
            return summary_table(self.results, self.run.setup)
        reports = [(one.item.source, one.report) for one in self.results if one.report]
        return table_of(reports, self._order)

    def _page(self, path: Path) -> str:
        if not self.run.plan.several:
            result = self.results[0]
            return cue_page(result.item, result.report, result.written, self._order)
        return files_page(summary_table(self.results, self.run.setup), self._links(path))

    def _links(self, page: Path) -> dict[str, str]:
        """Where the pages on the cues of each output are, seen from another page."""
        memory, plan = self.run.memory, self.run.plan
        reports = memory.cue_reports if memory else None
        if reports is None or reports.suffix != PAGE:
            return {}
        items = [result.item for result in self.results]
        places = {item.target: reports.place(output_name(plan, item)) for item in items}
        folder = page.parent.resolve()
        return {
            target: quote(os.path.relpath(place.resolve(), folder).replace(os.sep, "/"))
            for target, place in places.items()
            if place.exists()
        }


def _made(result: Result, languages: Languages) -> Iterator[Entry]:
    """The sentences of an item with their translations; of an earlier run's, from its files."""
    item = result.item
    if result.state in ("earlier", "edited") and not is_script(Path(item.source)):
        yield from read_entries(f"{item.source}:{item.target}", languages)
    else:
        yield from result.made


def _entry(result: Result, order: CueOrder) -> dict[str, Any]:
    """A file's part of a JSON document, with every cue."""
    if result.report is not None:
        return cue_document(result.item, result.report, order)
    entry = _named(result.item)
    return entry if result.failure is None else {**entry, "error": result.failure.to_dict()}


def _planned_entry(prepared: Prepared) -> dict[str, Any]:
    return {
        **_named(prepared.source.item),
        "settings": {"guideline": plain_data(prepared.guideline)},
        **({} if (columns := columns_of(prepared.track)) is None else {"columns": columns}),
        "totals": {"cues": len(prepared.track.cues)},
        "repairs": [asdict(repair) for repair in prepared.track.repairs],
    }


def _named(item: Item) -> dict[str, Any]:
    return {"input": item.source, "output": item.target}
