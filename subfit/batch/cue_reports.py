"""What there is to say about every cue of every translation, in a tree of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subfit.batch.items import Item
from subfit.batch.manifest import Manifest, checksum
from subfit.files import check_writable, make_folder, read_bytes, write_bytes
from subfit.reporting.files.page import to_html
from subfit.reporting.files.page_data import page_data
from subfit.reporting.files.rendering import Forms, render_report
from subfit.reporting.files.table import table_of
from subfit.reporting.files.written import WrittenFile
from subfit.reporting.report import CueOrder, Report


@dataclass(frozen=True, slots=True)
class CueReports:
    """A folder that mirrors that of the translations, with a report on each."""

    folder: Path
    manifest: Manifest
    """Knows which reports are ours, and so may be replaced."""
    overwrite: bool = False
    """Whether others may be replaced as well."""
    suffix: str = ".json"
    """Of `subfit.reporting.files.rendering.REPORT_SUFFIXES`: what the reports are."""

    def place(self, name: str) -> Path:
        """Return where the report on a translation is.

        Args:
            name: The translation's path below the output folder.
        """
        return self.folder / f"{name}{self.suffix}"

    def check(self, name: str) -> bool:
        """Tell whether the report on a translation is there, and if not, may be written.

        Raises:
            OutputFileError: Something stands in its place that is not ours.
        """
        place = self.place(name)
        ours = place.is_file() and self._is_ours(place)
        if not ours:
            check_writable(place, overwrite=self.overwrite, folder=self.folder)
        return ours

    def write(self, name: str, forms: Forms) -> None:
        """Write the report on a translation.

        Raises:
            OutputFileError: It cannot be written.
        """
        place = self.place(name)
        data = render_report(place, forms)
        overwrite = self.overwrite or (place.is_file() and self._is_ours(place))
        make_folder(place.parent)
        self.manifest.enter_report(place, checksum(data))
        write_bytes(place, data, overwrite=overwrite)

    def _is_ours(self, place: Path) -> bool:
        return self.manifest.wrote_report(place, checksum(read_bytes(place)))


def cue_document(item: Item, report: Report, order: CueOrder = "cue") -> dict[str, Any]:
    """Return a report on every cue as JSON values, the cues in an order."""
    return {"input": item.source, "output": item.target, **report.to_dict(order)}


def cue_forms(
    item: Item, report: Report, written: WrittenFile | None, order: CueOrder = "cue"
) -> Forms:
    """Return a report on every cue of one translation in all its forms; see `cue_page`."""
    return Forms(
        cue_document(item, report, order),
        lambda: table_of([(item.source, report)], order),
        lambda: cue_page(item, report, written, order),
    )


def cue_page(
    item: Item, report: Report | None, written: WrittenFile | None, order: CueOrder = "cue"
) -> str:
    """Return a report on every cue as an HTML page.

    Args:
        item: What was translated.
        report: On the translation.
        written: The translation; with its report, there is none of what failed.
        order: Of the cues when the page is opened.
    """
    if report is None or written is None:
        raise ValueError(f"{item.source} has no report")
    data = page_data(cue_document(item, report), written, report.guideline) | {"order": order}
    return to_html(data, f"{data['file']['name']} – subfit")
