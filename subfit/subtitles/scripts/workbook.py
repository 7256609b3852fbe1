"""Workbooks: read by openpyxl, written by changing cells in the bytes of their sheet.

openpyxl would lose what it does not know when it saves: charts, images, macros, slicers. So its
eyes are used and not its hands: everything but the cells that are written stays as it was.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import PurePosixPath
from typing import Any
from xml.etree import ElementTree

from subfit.errors import InputFileError, OutputFileError, UsageError
from subfit.subtitles.scripts.columns import Edits, letter_of
from subfit.subtitles.scripts.sheet_limits import MOST_XML_BYTES, check_ranges
from subfit.subtitles.scripts.sheet_xml import SheetXml
from subfit.subtitles.timecodes import Cell

_MOST_BYTES = 500_000_000
"""Bytes of an unpacked workbook: more is no script."""
_MOST_COLUMNS = 200
_EXCEL_EPOCH = datetime(1899, 12, 30)


@dataclass(frozen=True, slots=True)
class WorkbookTable:
    """One sheet of a workbook."""

    data: bytes
    """The whole file."""
    sheet: str
    part: str
    """The sheet's file within the workbook."""
    cells: list[list[Cell]]
    xml: SheetXml
    hidden: frozenset[tuple[int, int]] = frozenset()
    """Cells that a merged one covers."""

    @property
    def width(self) -> int:
        """Columns there are, to the last one with anything in it."""
        return max((column for _, column in self.xml.filled), default=-1) + 1

    def place(self, row: int) -> int:
        """Return the number of a row as the spreadsheet shows it."""
        return row + 1

    def may_write(self, row: int, column: int) -> bool:
        """Whether a cell may be written to: no formula, and not covered by a merged cell."""
        return (row, column) not in self.hidden and (row, column) not in self.xml.formulas

    def with_cells(self, edits: Edits, *, like: int, encoding: str | None, name: str) -> bytes:
        """Return the bytes of the file with other values in some cells.

        Args:
            like: The column whose style new cells take on.
            encoding: Without meaning here.
            name: The output's name, for messages.

        Raises:
            OutputFileError: A cell is covered by a merged one, or holds a formula.
        """
        for row, column in edits:
            if not self.may_write(row, column):
                cell = f"{letter_of(column)}{row + 1}"
                problem = f"cell {cell} of sheet {self.sheet!r} is merged with another"
                if (row, column) in self.xml.formulas:
                    problem = f"cell {cell} of sheet {self.sheet!r} holds a formula"
                remedy = "name another column with --columns target=…"
                raise OutputFileError(name, f"{problem} and cannot be written", remedy=remedy)
        changed = self.xml.with_cells(edits, like)
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(self.data)) as old, zipfile.ZipFile(out, "w") as new:
            for info in old.infolist():
                content = changed if info.filename == self.part else old.read(info)
                new.writestr(info, content)
        return out.getvalue()


def read_workbook(data: bytes, name: str, wanted: str | None) -> Iterator[WorkbookTable]:
    """Read the sheets of a workbook that may be meant.

    Args:
        data: The file.
        name: Its name, for messages.
        wanted: The sheet that was asked for; None for all that are visible, as they are needed.

    Raises:
        InputFileError: It is no workbook.
        UsageError: It has no such sheet.
    """
    import openpyxl  # takes longer to import than all other formats

    _check(data, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what openpyxl would lose, which is not lost here
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
        parts = _parts(data)
    except Exception as error:  # openpyxl raises whatever a damaged file leads it to
        raise _unreadable(name, f"{error}") from error
    names = [worksheet.title for worksheet in book.worksheets if worksheet.title in parts]
    if wanted is not None and wanted not in names:
        listed = ", ".join(map(repr, names))
        raise UsageError(f"{name}: there is no sheet {wanted!r}; it has {listed}")
    for sheet in book.worksheets:
        if sheet.title == wanted or (
            wanted is None and sheet.title in parts and sheet.sheet_state == "visible"
        ):
            yield _table(data, name, sheet, parts[sheet.title])


def _check(data: bytes, name: str) -> None:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        problem = "it is an old .xls, or locked by a password"
        raise InputFileError(name, problem, remedy="save it as .xlsx without a password")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
            text = sum(info.file_size for info in archive.infolist() if _is_xml(info.filename))
            fits = size <= _MOST_BYTES and text <= MOST_XML_BYTES
            damaged = archive.testzip() if fits else None
            for part in archive.namelist() if fits and damaged is None else ():
                if "worksheets/" in part and _is_xml(part):
                    check_ranges(archive.read(part))
    except zipfile.BadZipFile:
        raise _unreadable(name, "it is no ZIP archive, which workbooks are") from None
    except Exception as error:  # of a damaged archive it raises whatever it meets
        raise _unreadable(name, f"{error}") from None
    if size > _MOST_BYTES:
        raise _unreadable(name, f"it unpacks to {size:,} bytes")
    if text > MOST_XML_BYTES:
        raise _unreadable(name, f"its sheets unpack to {text:,} bytes")
    if damaged is not None:
        raise _unreadable(name, f"its part {damaged} is damaged")


def _unreadable(name: str, why: str) -> InputFileError:
    short = " ".join(why.split())[:120]
    return InputFileError(
        name, f"cannot be read as .xlsx ({short})", remedy="save it anew, or export it as .csv"
    )


def _table(data: bytes, name: str, sheet: Any, part: str) -> WorkbookTable:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            xml = SheetXml.parse(archive.read(part))
    except Exception as error:  # as above
        raise _unreadable(name, f"sheet {sheet.title!r}: {error}") from error
    cells = _cells(sheet, xml.filled)
    hidden = {
        (row - 1, column - 1)
        for merged in sheet.merged_cells.ranges
        for row, column in merged.cells
        if (row, column) != (merged.min_row, merged.min_col)
    }
    return WorkbookTable(data, sheet.title, part, cells, xml, frozenset(hidden))


def _cells(sheet: Any, filled: Iterable[tuple[int, int]]) -> list[list[Cell]]:
    """Return the rows of a sheet, as far as anything stands in them.

    Cells that have but a style are not looked at: some sheets are coloured to their last row, and
    the library would make an object of every cell that it is asked for.
    """
    widths: dict[int, int] = {}
    for row, column in filled:
        if column < _MOST_COLUMNS:
            widths[row] = max(widths.get(row, 0), column + 1)
    empty: list[Cell] = []
    cells = [empty] * (max(widths, default=0) + 1)
    for row, width in widths.items():
        values = next(sheet.iter_rows(row + 1, row + 1, 1, width, values_only=True))
        cells[row] = [_cell(value) for value in values]
    return cells


def _is_xml(part: str) -> bool:
    return part.lower().endswith((".xml", ".rels"))


def _cell(value: Any) -> Cell:
    """A value as it is read: what looks like a time is one."""
    if value is None or isinstance(value, str | timedelta):
        return value
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, datetime):  # more than a day, or a date by mistake: the time of the day
        days = value - _EXCEL_EPOCH
        return days if days < timedelta(days=4) else days % timedelta(days=1)
    if isinstance(value, time):
        return datetime.combine(date.min, value) - datetime.min
    return str(value)


def _parts(data: bytes) -> dict[str, str]:
    """Return which file within a workbook holds which sheet."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        (book,) = _relations(archive, PurePosixPath("/"), "officeDocument").values()
        targets = _relations(archive, PurePosixPath("/") / book, "worksheet")
        tree = ElementTree.fromstring(archive.read(book))
    return {
        sheet.attrib["name"]: targets[relation]
        for sheet in tree.iter()
        if sheet.tag.endswith("}sheet")
        for key, relation in sheet.attrib.items()
        if key.endswith("}id") and relation in targets
    }


def _relations(archive: zipfile.ZipFile, part: PurePosixPath, kind: str) -> dict[str, str]:
    """Return the parts that a part refers to in a certain role, by the name of the relation."""
    folder = part if part.name == "" else part.parent
    tree = ElementTree.fromstring(
        archive.read(str(folder / "_rels" / f"{part.name}.rels").lstrip("/"))
    )
    return {
        relation.attrib["Id"]: str(folder / relation.attrib["Target"]).lstrip("/")
        for relation in tree
        if relation.attrib["Type"].endswith(f"/{kind}")
        and relation.attrib.get("TargetMode") != "External"
    }
