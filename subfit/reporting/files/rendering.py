"""A report in the form that its file's name asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from subfit.reporting.files.spreadsheet import to_xlsx
from subfit.reporting.files.table import Table, to_csv

PAGE = ".html"
REPORT_SUFFIXES = (PAGE, ".xlsx", ".csv", ".json")


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
        return to_xlsx(forms.table())
    if suffix == ".csv":
        text = to_csv(forms.table())
    elif suffix == PAGE and forms.page is not None:
        text = forms.page()
    else:
        text = json.dumps(forms.document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return text.encode("utf-8", errors="replace")
