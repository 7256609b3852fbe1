"""Workbooks: read by openpyxl, written by changing cells in the XML of their sheet.

openpyxl would lose what it does not know when it saves: charts, images, macros, slicers. So its
eyes are used and not its hands: everything but the cells that are written stays as it was. What is
beyond the limits of sheets is refused before a library takes memory for it.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from lxml import etree

from subfit.errors import InputFileError, OutputFileError, UsageError
from subfit.subtitles.scripts.columns import Edits, column_of, letter_of
from subfit.subtitles.timecodes import Cell

_MOST_BYTES = 500_000_000
"""Bytes of an unpacked workbook: more is no script."""
_MOST_COLUMNS = 200
_EXCEL_EPOCH = datetime(1899, 12, 30)
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
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


def _check_place(row: int, column: int) -> None:
    """Refuse a cell, counted from 0, that no sheet has."""
    if not 0 <= row < MOST_ROWS:
        raise ValueError(f"row {row + 1} is beyond the {MOST_ROWS:,} that a sheet has")
    if not 0 <= column < MOST_COLUMNS:
        raise ValueError(f"column {column + 1} is beyond the {MOST_COLUMNS:,} that a sheet has")


def _check_ranges(sheet: bytes) -> None:
    """Refuse merged cells and links that span too many cells, or are beyond the sheet."""
    spanned = 0
    for match in _RANGE.finditer(sheet):
        left, right = (column_of(match[group].decode()) for group in (1, 3))
        top, bottom = int(match[2]), int(match[4])
        _check_place(max(top, bottom) - 1, max(left, right))
        spanned += (abs(bottom - top) + 1) * (abs(right - left) + 1)
    if spanned > _MOST_SPANNED:
        raise ValueError(f"its merged cells and links span {spanned:,} cells")


@dataclass(slots=True)
class SheetXml:
    """A sheet's XML, with its cells by row and column; indices count from 0.

    The elements are those of ECMA-376, part 1, section 18.3.1.
    """

    data: bytes
    root: Any
    rows: dict[int, Any] = field(default_factory=dict)
    cells: dict[tuple[int, int], Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, data: bytes) -> SheetXml:
        """Find the rows and cells of a sheet.

        Raises:
            ValueError: It is not well-formed (`etree.XMLSyntaxError` is none, but a `SyntaxError`),
                or a cell is beyond the sheet.
        """
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        sheet = cls(data, etree.fromstring(data, parser))
        at = -1
        for row in sheet.root.iterfind("{*}sheetData/{*}row"):
            at = int(row.get("r", at + 2)) - 1
            sheet.rows[at], column = row, -1
            for cell in row.iterchildren("{*}c"):
                letters = re.match("[A-Z]{1,3}", cell.get("r", ""))
                column = column_of(letters[0]) if letters else column + 1
                _check_place(at, column)
                sheet.cells[at, column] = cell
        return sheet

    def has(self, row: int, column: int, *parts: str) -> bool:
        """Whether a cell has one of some parts: ``f`` a formula, ``v`` or ``is`` a value."""
        cell = self.cells.get((row, column))
        return cell is not None and any(cell.find(f"{{*}}{part}") is not None for part in parts)

    @property
    def filled(self) -> Iterator[tuple[int, int]]:
        """Cells with anything in them."""
        return (place for place in self.cells if self.has(*place, "f", "v", "is"))

    def with_cells(self, edits: Edits, like: int) -> bytes:
        """Return the sheet with other values in some cells of rows that there are.

        Args:
            edits: Values by row and column.
            like: The column whose style, and whose width, new cells take on.
        """
        new = SheetXml.parse(self.data)
        for (row, column), value in sorted(edits.items()):
            new._write(row, column, value, like)
        widest = max((column for _, column in edits), default=0)
        for dimension in new.root.findall("{*}dimension"):  # a hint that may be left out
            new.root.remove(dimension)
        texts = (column for (_, column), value in edits.items() if isinstance(value, str))
        new._widen(min(texts, default=widest) + 1, like + 1)
        return bytes(
            etree.tostring(new.root, xml_declaration=True, encoding="UTF-8", standalone=True)
        )

    def _write(self, row: int, column: int, value: str | float, like: int) -> None:
        line, cell = self.rows[row], self.cells.get((row, column))
        if cell is None:
            near = self.cells.get((row, like), line)
            cell = etree.Element(line.tag[:-3] + "c", r=f"{letter_of(column)}{row + 1}")
            if near.get("s"):
                cell.set("s", near.get("s"))
            later = [other for at, other in self.cells.items() if at[0] == row and at[1] > column]
            line.insert(line.index(later[0]) if later else len(line), cell)
            line.attrib.pop("spans", None)  # a hint that may be left out
            self.cells[row, column] = cell
        for child in cell:
            cell.remove(child)
        cell.attrib.pop("t", None)
        if isinstance(value, str) and value:
            cell.set("t", "inlineStr")
            inline = etree.SubElement(cell, cell.tag[:-1] + "is")
            text = etree.SubElement(inline, cell.tag[:-1] + "t", {_SPACE: "preserve"})
            text.text = _ESCAPED.sub("_x005F_", _CONTROL.sub("\ufffd", value))
        elif value != "":
            etree.SubElement(cell, cell.tag[:-1] + "v").text = f"{value:.10g}"

    def _widen(self, number: int, like: int) -> None:
        """Make a new column as wide as the one it is like, if the sheet sets widths at all."""
        columns = [(int(c.get("min")), int(c.get("max")), c) for c in self.root.iter("{*}col")]
        width = next((c.get("width") for low, high, c in columns if low <= like <= high), None)
        before = [c for low, _, c in columns if low < number]
        if width and before and not any(low <= number <= high for low, high, _ in columns):
            place = {"min": f"{number}", "max": f"{number}"}
            new = etree.Element(before[-1].tag, {**place, "width": width, "customWidth": "1"})
            before[-1].addnext(new)


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
        return (row, column) not in self.hidden and not self.xml.has(row, column, "f")

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
                formula = self.xml.has(row, column, "f")
                why = "holds a formula" if formula else "is merged with another"
                cell = f"cell {letter_of(column)}{row + 1} of sheet {self.sheet!r}"
                remedy = "name another column with --columns target=…"
                raise OutputFileError(name, f"{cell} {why} and cannot be written", remedy=remedy)
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
    from openpyxl.reader.excel import ExcelReader  # takes longer to import than all other formats

    _check(data, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what openpyxl would lose, which is not lost here
            reader = ExcelReader(io.BytesIO(data), data_only=True)
            reader.read()
            sheets = [(sheet.name, part.target) for sheet, part in reader.parser.find_sheets()]
    except Exception as error:  # openpyxl raises whatever a damaged file leads it to
        raise _unreadable(name, f"{error}") from error
    parts = {title: part for title, part in sheets if title in reader.wb.sheetnames}
    found = [sheet for sheet in reader.wb.worksheets if sheet.title in parts]
    if wanted is not None and wanted not in [sheet.title for sheet in found]:
        listed = ", ".join(repr(sheet.title) for sheet in found)
        raise UsageError(f"{name}: there is no sheet {wanted!r}; it has {listed}")
    for sheet in found:
        if sheet.title == wanted or (wanted is None and sheet.sheet_state == "visible"):
            yield _table(data, name, sheet, parts[sheet.title])


def _check(data: bytes, name: str) -> None:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        problem = "it is an old .xls, or locked by a password"
        raise InputFileError(name, problem, remedy="save it as .xlsx without a password")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
            text = sum(size for part, size in sizes.items() if _is_xml(part))
            if sum(sizes.values()) > _MOST_BYTES:
                raise ValueError(f"it unpacks to {sum(sizes.values()):,} bytes")
            if text > MOST_XML_BYTES:
                raise ValueError(f"its sheets unpack to {text:,} bytes")
            if (damaged := archive.testzip()) is not None:
                raise ValueError(f"its part {damaged} is damaged")
            for part in sizes:
                if "worksheets/" in part and _is_xml(part):
                    _check_ranges(archive.read(part))
    except zipfile.BadZipFile:
        raise _unreadable(name, "it is no ZIP archive, which workbooks are") from None
    except Exception as error:  # of a damaged archive it raises whatever it meets
        raise _unreadable(name, f"{error}") from None


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
    cells = _cells(sheet, xml)
    hidden = {
        (row - 1, column - 1)
        for merged in sheet.merged_cells.ranges
        for row, column in merged.cells
        if (row, column) != (merged.min_row, merged.min_col)
    }
    return WorkbookTable(data, sheet.title, part, cells, xml, frozenset(hidden))


def _cells(sheet: Any, xml: SheetXml) -> list[list[Cell]]:
    """Return the rows of a sheet, as far as anything stands in them.

    Cells that have but a style are not looked at: some sheets are coloured to their last row, and
    the library would make an object of every cell that it is asked for.
    """
    widths: dict[int, int] = {}
    for row, column in xml.filled:
        if column < _MOST_COLUMNS:
            widths[row] = max(widths.get(row, 0), column + 1)
    cells: list[list[Cell]] = [[] for _ in range(max(widths, default=0) + 1)]
    for row, width in widths.items():
        values = next(sheet.iter_rows(row + 1, row + 1, 1, width, values_only=True))
        cells[row] = [_cell(value) for value in values]
    return cells


def _is_xml(part: str) -> bool:
    return part.lower().endswith((".xml", ".rels"))


def _cell(value: Any) -> Cell:
    """A value as it is read: what looks like a time is one."""
    if isinstance(value, datetime):  # more than a day, or a date by mistake: the time of the day
        days = value - _EXCEL_EPOCH
        return days if days < timedelta(days=4) else days % timedelta(days=1)
    if isinstance(value, time):
        return datetime.combine(date.min, value) - datetime.min
    is_cell = value is None or isinstance(value, str | timedelta | int | float)
    return value if is_cell and not isinstance(value, bool) else str(value)
