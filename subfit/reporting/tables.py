"""Reports as files: a table with a row per cue or file, and JSON, CSV or workbook by the name."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from subfit.reporting import figures
from subfit.reporting.figures import definitions
from subfit.reporting.report import Report
from subfit.version import __version__

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

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
        return to_xlsx(forms.table())
    if suffix == ".csv":
        text = to_csv(forms.table())
    elif suffix == PAGE and forms.page is not None:
        text = forms.page()
    else:
        text = json.dumps(forms.document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return text.encode("utf-8", errors="replace")


def table_of(reports: Sequence[tuple[str, Report]]) -> Table:
    """Return the reports of several files as one table, a row per cue."""
    facts: dict[str, Any] = {"subfit": __version__}
    rows: list[dict[str, Any]] = []
    for file, report in reports:
        document = report.to_dict()
        for part in ("settings", "totals", "repairs"):
            facts[f"{part} of {file}"] = document[part]
        rows += [{"file": file} | cue for cue in document["cues"]]
    return Table(
        "Cues",
        ("file", *(figure.name for figure in figures.CUE_FIGURES)),
        rows,
        facts,
        definitions(),
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


_DAY = 86_400_000
_WIDTH = 12
"""Width of a column, in characters, unless the table says otherwise."""
_NEAR = 0.9
_LONGEST = 32_767
"""Characters that Excel has room for in a cell."""
# What XML 1.0 cannot hold, lone surrogates included.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_xlsx(table: Table) -> bytes:
    """Return a table as an Excel workbook.

    Texts are never formulas, whatever they begin with. Rows that are over their limits, or near
    them, are coloured by rules that the user can change.
    """
    from openpyxl import Workbook

    book, out, wide = Workbook(), io.BytesIO(), {0: 42, 1: 90}
    book.active.title = "Summary"
    _write(book.active, ("figure", "value"), dict(_flat(table.facts)).items(), wide)
    table = _expanded(table)
    sheet, columns = book.create_sheet(table.title), table.columns
    rows = [[row[name] for name in columns] for row in table.rows]
    widths = {at: table.widths.get(name, _WIDTH) for at, name in enumerate(columns)}
    _write(sheet, columns, rows, widths, table.times)
    sheet.auto_filter.ref = sheet.dimensions
    _colour(sheet, table)
    if table.definitions:
        definitions = book.create_sheet("Definitions")
        _write(definitions, ("name", "definition"), table.definitions.items(), wide)
    book.save(out)
    return out.getvalue()


def _expanded(table: Table) -> Table:
    """The table with a column for each value of those that hold mappings, like ``limits.cps``."""
    columns: list[str] = []
    for name in table.columns:
        mappings = [row[name] for row in table.rows if isinstance(row[name], dict)]
        inner = dict.fromkeys(key for mapping in mappings for key in mapping)
        columns += [f"{name}.{key}" for key in inner] if mappings else [name]
    rows = [dict(_flat(row)) for row in table.rows]
    rows = [{name: row.get(name) for name in columns} for row in rows]
    return replace(table, columns=tuple(columns), rows=rows)


def _flat(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Nested mappings as one, with names like ``totals.cps.mean``."""
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value


def _write(
    sheet: Worksheet,
    headings: Sequence[str],
    rows: Iterable[Sequence[Any]],
    widths: Mapping[int, int],
    times: Collection[str] = (),
) -> None:
    """Write rows below headings."""
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter

    for column, name in enumerate(headings, 1):
        cell = sheet.cell(1, column)
        _put(cell, name)
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", start_color="DDE3EA")
        sheet.column_dimensions[get_column_letter(column)].width = widths[column - 1]
    for number, row in enumerate(rows, 2):
        for column, (name, value) in enumerate(zip(headings, row, strict=True), 1):
            _put(sheet.cell(number, column), value, is_time=name in times)
    sheet.freeze_panes = "A2"


def _put(cell: Cell, value: Any, *, is_time: bool = False) -> None:
    """Write a value; a text stays a text even if it begins like a formula."""
    from openpyxl.styles import Alignment

    if is_time and isinstance(value, int):
        cell.value, cell.number_format = value / _DAY, "[hh]:mm:ss.000"
        return
    value = _shown(value)
    cell.alignment = Alignment(wrap_text=isinstance(value, str), vertical="top")
    if isinstance(value, str):
        text = _UNWRITABLE.sub("\ufffd", value)
        cell.value = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        cell.data_type = "s"
        cell.quotePrefix = text[:1] in ("=", "+", "-", "@")  # also when a user edits it
    else:
        cell.value = value
        if isinstance(value, float):
            cell.number_format = "0.00"


def _shown(value: Any) -> Any:
    """A JSON value as people read it: lists line by line, mappings as ``name value``."""
    if isinstance(value, list):
        plain = all(isinstance(item, int | float) for item in value)
        return (", " if plain else "\n").join(str(_shown(item)) for item in value) or None
    if isinstance(value, dict) and "targets" in value:  # a term of the glossary
        missed = "" if value["placed"] else f" (missed: {value['reason']})"
        return f"{value['source']} → {' or '.join(value['targets'])}{missed}"
    if isinstance(value, dict) and {"text", "characters"} <= value.keys():  # an alternative
        return f"{value['text']} ({_shown(value['characters'])})"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(item)}" for name, item in value.items()) or None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _colour(sheet: Worksheet, table: Table) -> None:
    """Colour the rows by status, and by how much of the budget is used."""
    from openpyxl.formatting.rule import FormulaRule
    from openpyxl.styles import PatternFill
    from openpyxl.utils import get_column_letter

    letters = {name: f"${get_column_letter(at)}2" for at, name in enumerate(table.columns, 1)}
    rules: list[tuple[str, str]] = []
    if status := letters.get("status"):
        rules += [(f'{status}="overflow"', "F6C7C3"), (f'{status}="untranslated"', "E2D5F0")]
    elif over := letters.get("overflow") or letters.get("over"):
        rules.append((f"AND(ISNUMBER({over}),{over}>0)", "F6C7C3"))
    if (used := letters.get("characters")) and (budget := letters.get("budget")):
        near = f"AND(ISNUMBER({budget}),{budget}>0,{used}>={_NEAR}*{budget})"
        rules.append((near, "FBE9B7"))
    for formula, colour in rules if table.rows else ():
        fill = PatternFill("solid", start_color=colour, end_color=colour)
        rule = FormulaRule(formula=[formula], fill=fill, stopIfTrue=True)
        sheet.conditional_formatting.add(sheet.dimensions.replace("A1", "A2", 1), rule)
