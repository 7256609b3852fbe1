"""Limits of sheets: what is beyond them is refused before a library takes memory for it."""

from __future__ import annotations

import re

from subfit.subtitles.scripts.columns import column_of

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
"""Columns that a sheet of a workbook may have (Excel's own limits, which LibreOffice shares)."""
MOST_XML_BYTES = 50_000_000
"""Bytes of a workbook's unpacked XML: every cell takes some twenty times as many in memory."""
_MOST_SPANNED = 2_000_000
"""Cells that ranges with one value may span: the library makes an object of every one."""
# In these, openpyxl makes all cells of the range.
_RANGE = re.compile(
    rb"<(?:\w+:)?(?:mergeCell|hyperlink)\b[^<>]*?\bref=[\"']([A-Z]{1,9})([0-9]{1,18}):"
    rb"([A-Z]{1,9})([0-9]{1,18})[\"']"
)


def check_place(row: int, column: int) -> None:
    """Check that a cell is within a sheet.

    Args:
        row: From 0.
        column: From 0.

    Raises:
        ValueError: It is not.
    """
    if not 0 <= row < MOST_ROWS:
        raise ValueError(f"row {row + 1} is beyond the {MOST_ROWS:,} that a sheet has")
    if not 0 <= column < MOST_COLUMNS:
        raise ValueError(f"column {column + 1} is beyond the {MOST_COLUMNS:,} that a sheet has")


def check_ranges(sheet: bytes) -> None:
    """Check how many cells the merged cells and links of a sheet span.

    Raises:
        ValueError: Too many, or they are beyond the sheet.
    """
    spanned = 0
    for match in _RANGE.finditer(sheet):
        left, right = (column_of(match[group].decode()) for group in (1, 3))
        top, bottom = int(match[2]), int(match[4])
        check_place(max(top, bottom) - 1, max(left, right))
        spanned += (abs(bottom - top) + 1) * (abs(right - left) + 1)
    if spanned > _MOST_SPANNED:
        raise ValueError(f"its merged cells and links span {spanned:,} cells")
