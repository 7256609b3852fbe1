"""Tables as text: CSV and TSV, in which every field that is not rewritten stays as it stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from subfit.errors import InputFileError
from subfit.subtitles.cues import Encoding, FormatName, Repair
from subfit.subtitles.encoding import decode, encode
from subfit.subtitles.scripts.columns import Edits

_SEPARATORS = ",;\t|"
_SEP_LINE = re.compile(r"sep=(.)(\r\n|\r|\n)")
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What spreadsheets take for the beginning of a formula."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A record as it stands in the file."""

    fields: tuple[str, ...]
    """Raw, with their quotes."""
    end: str
    """Its line end; empty in the last row of some files."""
    line: int
    """1-based line of the file where it begins."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A CSV or TSV file."""

    rows: tuple[TextRow, ...]
    separator: str
    encoding: Encoding
    lead: str = ""
    """Before the first row: Excel's ``sep=;``."""
    repairs: tuple[Repair, ...] = ()

    @property
    def cells(self) -> list[list[str]]:
        """The values of all fields."""
        return [[_value(field) for field in row.fields] for row in self.rows]

    @property
    def width(self) -> int:
        """Columns there are."""
        return max(len(row.fields) for row in self.rows)

    def place(self, row: int) -> int:
        """Return the line of the file where a row begins."""
        return self.rows[row].line

    def may_write(self, row: int, column: int) -> bool:
        """Whether a cell may be written to, as all may."""
        return True

    def with_cells(self, edits: Edits, *, like: int, encoding: str | None, name: str) -> bytes:
        """Return the bytes of the file with other values in some fields.

        Args:
            like: The column whose fields say whether new ones are quoted.
            encoding: What to write in, by default the file's own encoding.
            name: The output's name, for messages.
        """
        widest = max((column + 1 for _, column in edits), default=0)
        by_row: dict[int, dict[int, str | float]] = {}
        for (number, column), value in edits.items():
            by_row.setdefault(number, {})[column] = value
        usual = Counter(len(row.fields) for row in self.rows).most_common(1)[0][0]
        text = [self.lead]
        for number, row in enumerate(self.rows):
            fields = list(row.fields)
            own = by_row.get(number, {})
            source = fields[like] if like < len(fields) else ""
            newline = "\r\n" if "\r\n" in source else "\n"
            wanted = max((column + 1 for column in own), default=0)
            if len(fields) >= usual > 1 or wanted:  # not blank lines, nor titles above the header
                wanted = max(wanted, widest)
            fields += ['""' if _quotes_all(row) else ""] * (wanted - len(fields))
            for column, value in own.items():
                if isinstance(value, str):
                    value = value.replace("\n", newline)
                fields[column] = self._field(value, source.startswith('"'), fields[column])
            text += [self.separator.join(fields), row.end]
        kept = Encoding(self.encoding.name, self.encoding.bom, "\n")
        return encode("".join(text), kept, encoding or self.encoding.name, name=name)

    def _field(self, value: str | float, quoted: bool, old: str) -> str:
        """Write a value as its neighbours are; what a spreadsheet would compute becomes text."""
        if not isinstance(value, str):
            plain = f"{value:.10g}"
            return f'"{plain}"' if old.startswith('"') else plain
        if value.startswith(_FORMULA):
            value = f"'{value}"
        if quoted or any(char in value for char in (self.separator, '"', "\n", "\r")):
            return '"' + value.replace('"', '""') + '"'
        return value


def read_text_table(
    data: bytes, name: str, format: FormatName, encoding: str | None, source_language: str | None
) -> TextTable:
    """Read a CSV or TSV file; the separator of CSV is found out.

    Raises:
        InputFileError: It is empty, or a quote is never closed.
        UsageError: The encoding is unknown.
    """
    decoded = decode(data, name=name, encoding=encoding, source_language=source_language)
    kept = decoded.encoding
    # Line ends within fields are the fields' own: taken from the bytes again.
    text = data.decode(kept.name, errors="replace").removeprefix("\ufeff")
    if not text.strip():
        raise InputFileError(name, "the file is empty")
    lead = ""
    separator = "\t" if format == "tsv" else ""
    if match := _SEP_LINE.match(text):
        lead, separator = match[0], match[1]
    text = text[len(lead) :]
    first = 1 + len(_LINE_ENDS.findall(lead))
    separator = separator or _separator(text, name, first)
    repairs = tuple(  # of what was not taken over
        repair
        for repair in decoded.repairs
        if not re.search("line ends|encoded twice", repair.problem)
    )
    return TextTable(tuple(_rows(text, separator, name, first)), separator, kept, lead, repairs)


def _separator(text: str, name: str, first: int) -> str:
    """Find the character that parts the rows most evenly."""

    def evenness(separator: str) -> tuple[float, int]:
        try:
            widths = [len(row.fields) for row in _rows(text[:20_000], separator, name, first)]
        except InputFileError:  # the sample may end within quotes
            widths = [line.count(separator) + 1 for line in text[:20_000].split("\n")]
        parted = [width for width in widths if width > 1]
        if not parted:
            return 0.0, 0
        width, count = Counter(parted).most_common(1)[0]
        return count / len(widths), width

    best = max(_SEPARATORS, key=evenness)
    return best if evenness(best)[1] else ","


def _rows(text: str, separator: str, name: str, line: int) -> list[TextRow]:
    """Part a text into records; quotes may hold separators and line ends."""
    field = re.compile(
        rf'("(?:[^"]|"")*+"[^{re.escape(separator)}\r\n]*|[^"{re.escape(separator)}\r\n]'
        rf"[^{re.escape(separator)}\r\n]*|)({re.escape(separator)}|\r\n|\r|\n|\Z)"
    )
    rows: list[TextRow] = []
    fields: list[str] = []
    at, begin = 0, line
    while at < len(text) or fields:
        match = field.match(text, at)
        if match is None:
            raise InputFileError(name, "a quotation mark is never closed", line=line)
        fields.append(match[1])
        line += len(_LINE_ENDS.findall(match[0]))
        at = match.end()
        if match[2] != separator:
            rows.append(TextRow(tuple(fields), match[2], begin))
            fields, begin = [], line
            if match[2] == "":
                break
    return rows


def _value(field: str) -> str:
    """The value of a raw field, without the apostrophe that guards against formulas."""
    if field.startswith('"'):
        inside, _, rest = field[1:].rpartition('"')
        field = inside.replace('""', '"') + rest
    return field[1:] if field.startswith(tuple(f"'{sign}" for sign in _FORMULA)) else field


def _quotes_all(row: TextRow) -> bool:
    fields: Sequence[str] = row.fields
    return len(fields) > 1 and all(field.startswith('"') for field in fields)
