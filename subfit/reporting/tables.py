"""Reports as files: a table with a row per cue or file, and JSON, CSV or workbook by the name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from subfit.reporting import figures
from subfit.reporting.report import CueOrder, Report
from subfit.version import __version__

PAGE = ".html"
REPORT_SUFFIXES = (PAGE, ".xlsx", ".csv", ".json")


@dataclass(frozen=True, slots=True)
class Table:
    """JSON values in rows; CSV and spreadsheets are made of it."""

    title: str
    """What the rows are, such as ``Cues``."""
    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]
    """Values by column."""
    facts: Mapping[str, Any]
    """What holds for all rows: version, settings, totals."""
    definitions: Mapping[str, str] = field(default_factory=dict)
    """What the columns and facts mean."""
    widths: Mapping[str, int] = field(default_factory=dict)
    """Widths of columns in a workbook, in characters, where a number would not fill them."""
    times: frozenset[str] = frozenset()
    """Columns of milliseconds, which a workbook shows as times of the day."""


@dataclass(frozen=True, slots=True)
class Forms:
    """One report in every form it has; each is made when it is asked for."""

    document: object
    """JSON values."""
    table: Callable[[], Table]
    page: Callable[[], str] | None = None
    """Makes it as HTML; None for reports that are no page."""


def render_report(path: Path, forms: Forms) -> bytes:
    """Return a report as its name says.

    Args:
        path: A name with one of `REPORT_SUFFIXES`; `PAGE` only of what has a page.
        forms: The report.
    """
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        from subfit.reporting.workbook import to_xlsx

        return to_xlsx(forms.table())
    if suffix == ".csv":
        text = to_csv(forms.table())
    elif suffix == PAGE and forms.page is not None:
        text = forms.page()
    else:
        text = json.dumps(forms.document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return text.encode("utf-8", errors="replace")


def table_of(reports: Sequence[tuple[str, Report]], order: CueOrder = "cue") -> Table:
    """Return the reports of several files as one table, a row per cue."""
    facts: dict[str, Any] = {"subfit": __version__}
    rows: list[dict[str, Any]] = []
    for file, report in reports:
        document = report.to_dict(order)
        for part in ("settings", "totals", "repairs"):
            facts[f"{part} of {file}"] = document[part]
        rows += [{"file": file} | cue for cue in document["cues"]]
    return Table(
        "Cues",
        ("file", *(figure.name for figure in figures.CUE_FIGURES)),
        rows,
        facts,
        figures.definitions(),
        {"file": 24} | {figure.name: figure.width for figure in figures.CUE_FIGURES},
        frozenset(figure.name for figure in figures.CUE_FIGURES if figure.is_time),
    )


def to_csv(table: Table) -> str:
    """Return a table as CSV.

    Facts and definitions stand before it in lines that begin with ``#``. Lists and mappings are
    JSON within their cell.
    """
    out = io.StringIO()
    meanings = {f"definition of {name}": text for name, text in table.definitions.items()}
    for name, value in {**table.facts, **meanings}.items():
        out.write(" ".join(f"# {name}: {_cell(value)}".split()) + "\n")
    writer = csv.DictWriter(out, table.columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(row[name]) for name in table.columns} for row in table.rows)
    return out.getvalue()


def _cell(value: Any) -> str:
    """A value in a CSV cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
