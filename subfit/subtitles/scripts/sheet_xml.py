"""The XML of one sheet of a workbook, in which cells are replaced and all other bytes stay.

Where rows and cells begin and end is found by expat; nothing is serialised anew. The elements are
those of ECMA-376, part 1, section 18.3.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from subfit.subtitles.scripts.columns import Edits, column_of, letter_of
from subfit.subtitles.scripts.sheet_limits import check_place

_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]+)")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


@dataclass(frozen=True, slots=True)
class _Piece:
    """The bytes of an element."""

    start: int
    end: int
    attributes: Mapping[str, str]
    content: int
    """Where its content ends; ``end`` of an empty-element tag."""


@dataclass(slots=True)
class SheetXml:
    """A sheet's bytes, and where its rows, cells and columns stand. Indices count from 0."""

    data: bytes
    prefix: str = ""
    """Prefix of the names of its elements, with the colon."""
    rows: dict[int, _Piece] = field(default_factory=dict)
    cells: dict[int, dict[int, _Piece]] = field(default_factory=dict)
    """The cells by row and column."""
    formulas: set[tuple[int, int]] = field(default_factory=set)
    filled: set[tuple[int, int]] = field(default_factory=set)
    """Cells with anything in them."""
    columns: list[_Piece] = field(default_factory=list)
    """The ``col`` elements."""
    dimension: _Piece | None = None

    @classmethod
    def parse(cls, data: bytes) -> SheetXml:
        """Find the rows and cells of a sheet.

        Raises:
            expat.ExpatError: It is not well-formed.
            ValueError: It is not UTF-8, which all programs write, or a cell is beyond the sheet.
        """
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise ValueError("the sheet is UTF-16")
        sheet = cls(data)
        _Finder(sheet).run()
        return sheet

    def with_cells(self, edits: Edits, like: int) -> bytes:
        """Return the sheet with other values in some cells.

        Args:
            edits: Values by row and column, of rows that there are.
            like: The column whose style, and whose width, new cells take on.
        """
        by_row: dict[int, dict[int, str | float]] = {}
        for (row, column), value in edits.items():
            by_row.setdefault(row, {})[column] = value
        changes: list[tuple[int, int, bytes]] = []
        for row, values in by_row.items():
            changes += self._row_changes(row, dict(sorted(values.items())), like)
        widest = max((column for _, column in edits), default=0)
        changes += self._dimension_change(widest)
        texts = (column for (_, column), value in edits.items() if isinstance(value, str))
        changes += self._width_change(min(texts, default=widest), like)
        out, at = bytearray(), 0
        for start, end, new in sorted(changes, key=lambda change: change[:2]):
            out += self.data[at:start] + new
            at = end
        return bytes(out + self.data[at:])

    def _row_changes(
        self, row: int, values: Mapping[int, str | float], like: int
    ) -> list[tuple[int, int, bytes]]:
        """What becomes of the bytes of one row: start, end, and what stands there then."""
        piece, cells = self.rows[row], self.cells.get(row, {})
        style = cells[like].attributes.get("s") if like in cells else piece.attributes.get("s")
        changes: list[tuple[int, int, bytes]] = []
        added: dict[int, bytes] = {}
        for column, value in values.items():
            old = cells.get(column)
            own = style if old is None else old.attributes.get("s")
            new = self._cell(row, column, value, own)
            if old is not None:
                changes.append((old.start, old.end, new))
            else:
                later = [cell.start for at, cell in cells.items() if at > column]
                at = min(later, default=piece.content)
                added[at] = added.get(at, b"") + new
        empty = piece.content == piece.end  # <row r="5"/>
        if empty and added:
            tag = self.data[piece.start : piece.end].rstrip()[:-2].rstrip()
            close = f"</{self.prefix}row>".encode()
            return [(piece.start, piece.end, tag + b">" + added[piece.end] + close)]
        if added:  # which columns a row spans is a hint that may be left out
            end = self.data.index(b">", piece.start)
            tag = re.sub(rb'\sspans="[^"]*"', b"", self.data[piece.start : end])
            changes.append((piece.start, end, tag))
        return changes + [(at, at, new) for at, new in added.items()]

    def _cell(self, row: int, column: int, value: str | float, style: str | None) -> bytes:
        reference = f"{letter_of(column)}{row + 1}"
        name = f"{self.prefix}c"
        start = f'<{name} r="{reference}"' + (f' s="{style}"' if style else "")
        if value == "":
            return f"{start}/>".encode()
        if not isinstance(value, str):
            return f"{start}><{self.prefix}v>{value:.10g}</{self.prefix}v></{name}>".encode()
        text = escape(_ESCAPED.sub("_x005F_", _CONTROL.sub("\ufffd", value)))
        inline, part = f"{self.prefix}is", f"{self.prefix}t"
        return (
            f'{start} t="inlineStr"><{inline}><{part} xml:space="preserve">{text}</{part}>'
            f"</{inline}></{name}>"
        ).encode()

    def _dimension_change(self, widest: int) -> list[tuple[int, int, bytes]]:
        """Extend the range that the sheet says it covers."""
        dimension = self.dimension
        if dimension is None:
            return []
        match = re.fullmatch(
            r"([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?", dimension.attributes.get("ref", "")
        )
        if match is None:
            return []
        first, top, last, bottom = match[1], match[2], match[3] or match[1], match[4] or match[2]
        last = letter_of(max(widest, column_of(last)))
        new = f'ref="{first}{top}:{last}{bottom}"'.encode()
        tag = self.data[dimension.start : dimension.end]
        return [(dimension.start, dimension.end, re.sub(rb'ref="[^"]*"', new, tag, count=1))]

    def _width_change(self, column: int, like: int) -> list[tuple[int, int, bytes]]:
        """Make a new column as wide as the one it is like, if the sheet sets widths at all."""
        number, width, place = column + 1, None, None
        for element in self.columns:
            low, high = int(element.attributes["min"]), int(element.attributes["max"])
            if low <= like + 1 <= high:
                width = element.attributes.get("width")
            if low <= number <= high:
                return []
            if low < number:
                place = element.end
        if width is None or place is None:
            return []
        tag = f'<{self.prefix}col min="{number}" max="{number}" width="{width}" customWidth="1"/>'
        return [(place, place, tag.encode())]


class _Finder:
    """Notes where the elements of a sheet stand, while expat goes through it."""

    def __init__(self, sheet: SheetXml) -> None:
        self._sheet = sheet
        self._parser: Any = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._open: list[tuple[str, int, dict[str, str]]] = []
        self._row = self._column = -1

    def run(self) -> None:
        self._parser.Parse(self._sheet.data, True)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        prefix, colon, name = tag.rpartition(":")
        self._open.append((name, self._parser.CurrentByteIndex, attributes))
        if name == "worksheet":
            self._sheet.prefix = prefix + colon
        elif name == "row":
            self._row = int(attributes["r"]) - 1 if "r" in attributes else self._row + 1
            self._column = -1
            check_place(self._row, 0)
        elif name == "c":
            match = _REFERENCE.fullmatch(attributes.get("r", ""))
            self._column = column_of(match[1]) if match else self._column + 1
            check_place(self._row, self._column)
        elif name in ("f", "v", "is") and len(self._open) > 1 and self._open[-2][0] == "c":
            self._sheet.filled.add((self._row, self._column))
            if name == "f":
                self._sheet.formulas.add((self._row, self._column))

    def _end(self, tag: str) -> None:
        name, start, attributes = self._open.pop()
        if name not in ("row", "c", "col", "dimension"):
            return
        data, at = self._sheet.data, self._parser.CurrentByteIndex
        tag_end = data.index(b">", start) + 1
        if data[tag_end - 2 : tag_end] == b"/>":
            piece = _Piece(start, tag_end, attributes, tag_end)
        else:
            piece = _Piece(start, data.index(b">", at) + 1, attributes, at)
        if name == "row":
            self._sheet.rows[self._row] = piece
        elif name == "c":
            self._sheet.cells.setdefault(self._row, {})[self._column] = piece
        elif name == "col":
            self._sheet.columns.append(piece)
        else:
            self._sheet.dimension = piece
