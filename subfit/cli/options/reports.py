"""Reports beside what a command writes, checked before any work is done."""

from __future__ import annotations

from pathlib import Path

from subfit.errors import UsageError
from subfit.files import check_writable
from subfit.reporting.files.rendering import REPORT_SUFFIXES

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
