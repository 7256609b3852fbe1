"""Dubbing scripts: tables with a line to be spoken in each row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.cues import Cue, Encoding, Format, FormatName, Repair, Track
from subfit.subtitles.repairs import fold_repairs, quoted
from subfit.subtitles.scripts.columns import (
    IN_MILLISECONDS,
    Columns,
    Role,
    ScriptReading,
    find_columns,
)
from subfit.subtitles.scripts.csv_table import TextTable, read_text_table
from subfit.subtitles.scripts.workbook import WorkbookTable, read_workbook
from subfit.subtitles.timecodes import Cell, NoSuchFrameError, milliseconds_of

TARGET_HEADING = "Translation"
"""Heading of the column for the translation where there is none yet."""


_Table = TextTable | WorkbookTable
"""A file as a table, whose cells can be written without touching others."""


@dataclass(frozen=True, slots=True)
class ScriptLayout:
    """A script without its translations."""

    table: _Table
    columns: Columns
    rows: tuple[int, ...]
    """Index of the row of each cue."""
    target: str
    """Heading of the column for the translation, if it has none yet."""


@dataclass(slots=True)
class _Reader:
    """Takes the rows of a table for cues."""

    table: _Table
    columns: Columns
    fps: float | None
    repairs: list[Repair]
    unit: timedelta
    """What numbers are of, if not seconds: fractions of a day, or milliseconds."""

    def cues(self) -> Iterator[tuple[int, Cue]]:
        """Yield the rows that have a source, each with its cue."""
        first = 0 if self.columns.header is None else self.columns.header + 1
        translated = 0
        for row in range(first, len(self.table.cells)):
            text = self._text(row, "source")
            if not text.strip() or self._is_computed(row):
                continue
            target, at = self._text(row, "target"), self.columns.places.get("target")
            if target.strip():
                translated += 1
            elif at is not None and not self.table.may_write(row, at):
                self._tell(row, "its translation cannot be written: a formula or a merged cell")
                continue
            yield row, self._cue(row, text, target)
        if translated:
            problem = f"rows that have a translation already, and keep it: {translated}"
            self.repairs.append(Repair(self.table.place(first), problem))

    def _cue(self, row: int, text: str, target: str) -> Cue:
        start, end, duration = (self._time(row, role) for role in ("start", "end", "duration"))
        if end is None and duration is not None:
            end = (start or 0) + duration
            start = start or 0
        if start is None or end is None:
            if (start, end) != (None, None):
                self._tell(row, "a time is missing: only its length limits this line")
            start = end = 0
        elif end <= start:
            problem = "it ends before it begins" if end < start else "it has no duration"
            self._tell(row, f"{problem}: only its length limits this line")
            start = end = 0
        return Cue(
            start,
            end,
            text.replace("\r\n", "\n").replace("\r", "\n"),
            line=self.table.place(row),
            speaker=" ".join(self._text(row, "speaker").split()),
            notes=self._text(row, "notes").strip(),
            target=target.strip(),
        )

    def _cell(self, row: int, role: Role) -> Cell:
        at, cells = self.columns.places.get(role), self.table.cells[row]
        return cells[at] if at is not None and at < len(cells) else None

    def _text(self, row: int, role: Role) -> str:
        cell = self._cell(row, role)
        return "" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell)

    def _is_computed(self, row: int) -> bool:
        """Whether a formula's number stands where the source would: lines, counted below them."""
        source = self.columns.places["source"]
        computed = not self.table.may_write(row, source)
        return computed and not isinstance(self._cell(row, "source"), str)

    def _time(self, row: int, role: Role) -> int | None:
        cell = self._cell(row, role)
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            return None
        if self.unit != _SECOND and (number := _number(cell)) is not None:
            cell = number * self.unit
        why = ""
        try:
            time = milliseconds_of(cell, self.fps)
        except NoSuchFrameError as error:  # one slip of the pen is no reason to refuse a script
            why = f" has no such frame at {error.fps:g} frames per second"
            time = None
        except UsageError as error:
            raise UsageError(f"row {self.table.place(row)}: {error}") from error
        if time is None:
            self._tell(row, f"{role} cannot be read as a time: {quoted(str(cell))}{why}")
        return time

    def _tell(self, row: int, problem: str) -> None:
        self.repairs.append(Repair(self.table.place(row), problem))


def parse(
    data: bytes,
    name: str,
    format: FormatName,
    reading: ScriptReading,
    *,
    encoding: str | None = None,
    source_language: str | None = None,
) -> Track:
    """Read a dubbing script; each row with a source is a cue, translated already or not.

    Args:
        data: The file's bytes.
        name: Its name, for messages.
        format: csv, tsv or xlsx.
        reading: Columns, frame rate and sheet, as asked for.
        encoding: Of text; by default detected.
        source_language: BCP 47 tag of the source, which helps to detect the encoding.

    Raises:
        InputFileError: It cannot be read, or there is nothing to translate.
        UsageError: Columns or time codes are not clear as they were described.
    """
    table: _Table
    repairs: list[Repair] = []
    if format == "xlsx":
        table, columns = _workbook(data, name, reading, repairs)
    else:
        table = read_text_table(data, name, format, encoding, source_language)
        columns = _columns(table, name, reading)
        repairs += table.repairs
    if columns.guessed:
        roles = ", ".join(f"{role}={where}" for role, where in columns.describe().items())
        sheet = f" of sheet {table.sheet!r}" if isinstance(table, WorkbookTable) else ""
        told = f"columns{sheet} taken by their headings: {roles} (--columns says otherwise)"
        repairs.append(Repair(table.place(columns.header or 0), told))
    unit, why = _unit(table, columns)
    if why:
        first = table.place(0 if columns.header is None else columns.header + 1)
        repairs.append(Repair(first, why))
    reader = _Reader(table, columns, reading.fps, repairs, unit)
    try:
        rows = tuple(reader.cues())
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error
    if not rows:
        remedy = "name the column of the source with --columns"
        raise InputFileError(name, "there is nothing to translate", remedy=remedy)
    named = None if "target" in columns.places else reading.columns.get("target")
    target = named or TARGET_HEADING
    layout = ScriptLayout(table, columns, tuple(row for row, _ in rows), target)
    own_encoding = table.encoding if isinstance(table, TextTable) else Encoding()
    return Track(tuple(cue for _, cue in rows), format, own_encoding, fold_repairs(repairs), layout)


def render(track: Track, output_encoding: str | None, name: str) -> bytes:
    """Return the bytes of a script with its translations and what is remarked beside them.

    Args:
        track: A track from `parse`, with other texts.
        output_encoding: Of text; by default the file's own.
        name: The output's name, for messages.

    Raises:
        OutputFileError: The encoding cannot represent a character, or a cell cannot be written.
    """
    layout: ScriptLayout = track.layout
    columns, table = layout.columns, layout.table
    edits: dict[tuple[int, int], str | float] = {}
    places = _places(layout, track)
    target = columns.places.get("target", places.get(layout.target, -1))
    if columns.header is not None:
        named = {target: layout.target} | {at: heading for heading, at in places.items()}
        for at, heading in named.items():
            if not any(columns.headings[at : at + 1]) and table.may_write(columns.header, at):
                edits[columns.header, at] = heading
    for number, (row, cue) in enumerate(zip(layout.rows, track.cues, strict=True)):
        if not cue.target:
            edits[row, target] = cue.text
        if track.remarks:
            for heading, value in track.remarks[number].items():
                edits[row, places[heading]] = "" if value is None else value
    return table.with_cells(
        edits, like=columns.places["source"], encoding=output_encoding, name=name
    )


def columns_of(track: Track) -> dict[str, str] | None:
    """Return the columns of a script by their roles, None for other files."""
    return track.layout.columns.describe() if isinstance(track.layout, ScriptLayout) else None


def _places(layout: ScriptLayout, track: Track) -> dict[str, int]:
    """Return the column of each heading that is written; new ones follow the last one there is."""
    columns = layout.columns
    wanted = [] if "target" in columns.places else [layout.target]
    wanted += (heading for remarks in track.remarks for heading in remarks)
    new = [heading for heading in dict.fromkeys(wanted) if heading not in columns.headings]
    width = max(layout.table.width, columns.places.get("target", -1) + 1)
    old = {heading: columns.headings.index(heading) for heading in wanted if heading not in new}
    return old | {heading: at for at, heading in enumerate(new, width)}


def _workbook(
    data: bytes, name: str, reading: ScriptReading, repairs: list[Repair]
) -> tuple[WorkbookTable, Columns]:
    """Return the sheet that was asked for, or the first one whose columns are clear.

    Other sheets that are scripts too are told of.
    """
    first: UsageError | None = None
    found: list[tuple[WorkbookTable, Columns]] = []
    for table in read_workbook(data, name, reading.sheet):
        try:
            found.append((table, _columns(table, f"{name}, sheet {table.sheet!r}", reading)))
        except UsageError as error:
            first = first or error
    if not found:
        raise first or InputFileError(name, "it has no sheet with cells")
    if others := ", ".join(repr(table.sheet) for table, _ in found[1:]):
        problem = f"only sheet {found[0][0].sheet!r} is read; others like it: {others} (--sheet)"
        repairs.append(Repair(1, problem))
    return found[0]


_SECOND = timedelta(seconds=1)


def _number(cell: Cell) -> float | None:
    """A mere number, as it stands in a cell."""
    if isinstance(cell, str) and re.fullmatch(r"\s*\d+(?:\.\d+)?\s*", cell, re.ASCII):
        return float(cell)
    return cell if isinstance(cell, int | float) else None


def _unit(table: _Table, columns: Columns) -> tuple[timedelta, str]:
    """What the times of a table are, if they are mere numbers, and what to tell of it.

    As seconds, no script with ends all below 1 has anything to say; as a spreadsheet's days it has
    24 hours. Nor is less than one character a second said where seconds would have no fractions,
    as in the tables of Whisper: those are milliseconds.
    """
    role: Role = "end" if "end" in columns.places else "duration"
    at, source = columns.places.get(role, -1), columns.places["source"]
    rows = [row for row in table.cells if 0 <= at < len(row)]
    numbers = [(number, row) for row in rows if (number := _number(row[at])) is not None]
    ends = [number for number, _ in numbers]
    if not ends or max(ends) <= 0:
        return _SECOND, ""
    if any(isinstance(row[at], float) for _, row in numbers) and max(ends) < (
        1 if role == "end" else 0.03
    ):
        return timedelta(days=1), "times are numbers below 1: read as fractions of a day"
    heading = columns.headings[at] if at < len(columns.headings) else ""
    named = IN_MILLISECONDS.search(" ".join(re.findall(r"\w+", heading.casefold())))
    said = sum(len(str(row[source])) for _, row in numbers if source < len(row))
    lasts = max(ends) if role == "end" else sum(ends)
    slow = lasts >= 1000 and said < lasts and all(number == int(number) for number in ends)
    if named or slow:
        return timedelta(milliseconds=1), "times are read as milliseconds"
    return _SECOND, ""


def _columns(table: _Table, name: str, reading: ScriptReading) -> Columns:
    try:
        return find_columns(table.cells, reading.columns)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error


FORMATS = tuple(
    Format(name, title, suffixes, markup="script", timed=False, keeps="all other cells")
    for name, title, suffixes in (
        ("csv", "CSV", (".csv",)),
        ("tsv", "TSV", (".tsv",)),
        ("xlsx", "Excel workbook", (".xlsx", ".xlsm")),
    )
)
