"""Reports beside what a command writes, checked before any work is done."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from subfit.errors import UsageError
from subfit.formats import check_writable, write_bytes
from subfit.report_files.spreadsheet import to_xlsx
from subfit.report_files.table import Table, to_csv

REPORT_SUFFIXES = (".json", ".csv", ".xlsx")
SUFFIXES_TOLD = f"{', '.join(REPORT_SUFFIXES[:-1])} or {REPORT_SUFFIXES[-1]}"


def check_report(path: Path, *, overwrite: bool, folder: Path | None = None) -> None:
    """Find out before the work whether a report may be written after it.

    Args:
        path: The report.
        overwrite: As for `check_writable`.
        folder: Likewise.

    Raises:
        UsageError: Its name says nothing that a report can be.
        OutputFileError: As `check_writable`.
    """
    if path.suffix.lower() not in REPORT_SUFFIXES:
        raise UsageError(f"--report {path}: the name must end in {SUFFIXES_TOLD}")
    check_writable(path, overwrite=overwrite, folder=folder)


def render_report(path: Path, document: object, table: Callable[[], Table]) -> bytes:
    """Return a report as its name says.

    Args:
        path: A name that `check_report` has passed.
        document: The report as JSON values.
        table: Makes it as a table.
    """
    if path.suffix.lower() == ".csv":
        text = to_csv(table())
    elif path.suffix.lower() == ".xlsx":
        return to_xlsx(table())
    else:
        text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return text.encode("utf-8", errors="replace")


def write_report(
    path: Path, document: object, table: Callable[[], Table], *, overwrite: bool
) -> None:
    """Write a report; see `render_report`.

    Args:
        path: A name that `check_report` has passed.
        document: The report as JSON values.
        table: Makes it as a table.
        overwrite: Whether an existing file may be replaced.
    """
    write_bytes(path, render_report(path, document, table), overwrite=overwrite)
