"""A run over many files as one HTML page: totals, and a row for each with a link to its page."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from typing import Any

from subfit.reporting.page import fill_page
from subfit.reporting.tables import Table
from subfit.reporting.totals import file_columns, flags, kept_by_rule
from subfit.reporting.wording import percent

_FIRST = ("cues", "over", "lines_overflow", "untranslated")
"""Figures that a reader looks for first; the others follow in the order of the table."""
_BAD = ("over", "lines_overflow", "untranslated")
_TEXTS = {"output": "Translation", "language": "Language", "state": "State"}
_ERROR = {"error": "Error"}


def files_page(table: Table, links: Mapping[str, str]) -> str:
    """Return a page.

    Args:
        table: A row per file, from `subfit.batch.outcome.summary_table`.
        links: Addresses of the pages on the files, by output; none for those without one.
    """
    totals = table.facts["totals"]
    named = _headings()
    shown = [name for name in named if any(row.get(name) not in (None, "") for row in table.rows)]
    headings = "".join(_cell("th", name, named[name], table) for name in shown)
    rows = "\n".join(_row(row, shown, links, table) for row in table.rows)
    values = {
        "title": f"{len(table.rows)} translations",
        "facts": f"<span><b>subfit</b> {html.escape(table.facts['subfit'])}</span>",
        "tiles": "".join(_tile(*tile) for tile in _tiles(totals)),
        "headings": f"<tr>{headings}</tr>",
        "rows": rows,
    }
    return fill_page("files.html", values)


def _headings() -> dict[str, str]:
    figures = {column.name: column.heading for column in file_columns() if column.heading}
    first = {name: figures[name] for name in _FIRST if name in figures}
    return {**_TEXTS, **first, **figures, **_ERROR}


def _tiles(totals: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    files, before, after = totals["files"], *(totals["overflow"][w] for w in ("before", "after"))
    states = [f"{many} {state}" for state, many in files.items() if state != "all" and many]
    return [
        ("Files", str(files["all"]), ", ".join(states)),
        ("Cues", str(totals["cues"]), f"{totals['translated']} translated"),
        ("Over budget", str(after["over"]), f"{before['over']} before length control"),
        ("Over lines", str(totals["lines_overflow"]), ""),
        ("Untranslated", str(totals["untranslated"]), f"{kept_by_rule(totals)} kept by rule"),
        *((total.heading, str(totals.get(total.name, 0)), flag.tile) for total, flag in flags()),
        ("Length ratio (LR)", _number(totals["length_ratio"]["mean"]), ""),
        ("Compliance (LC)", percent(totals["compliance"]["strict"], 0), ""),
        (
            "Reading speed",
            _number(totals["cps"]["mean"]),
            f"worst {_number(totals['cps']['worst'])}",
        ),
    ]


def _tile(name: str, value: str, more: str) -> str:
    parts = (("span", "name", name), ("strong", "", value), ("span", "sub", more))
    inner = "".join(
        f'<{tag} class="{kind}">{html.escape(text)}</{tag}>' for tag, kind, text in parts
    )
    return f'<div class="tile">{inner}</div>'


def _row(row: Mapping[str, Any], shown: list[str], links: Mapping[str, str], table: Table) -> str:
    cells = []
    for name in shown:
        text = _shown(name, row[name])
        link = links.get(row["output"]) if name == "output" else None
        cells.append(
            _cell("td", name, text, table, link=link, bad=name in _BAD and bool(row[name]))
        )
    kind = "failed" if row["error"] else "over" if any(row[name] for name in _BAD) else "fits"
    return f'<tr class="{kind}">{"".join(cells)}</tr>'


def _cell(
    tag: str, name: str, text: str, table: Table, *, link: str | None = None, bad: bool = False
) -> str:
    inner = html.escape(text)
    if link is not None:
        inner = f'<a href="{html.escape(link)}">{inner}</a>'
    kinds = " ".join(["" if name in (*_TEXTS, *_ERROR) else "number", "bad" if bad else ""]).strip()
    about = table.definitions.get(name, "") if tag == "th" else ""
    title = f' title="{html.escape(about)}"' if about else ""
    scope = ' scope="col"' if tag == "th" else ""
    return f'<{tag} class="{kinds}"{scope}{title}>{inner}</{tag}>'


def _shown(name: str, value: Any) -> str:
    if name == "compliance":
        return percent(value, 0)
    return _number(value) if isinstance(value, float) else "" if value is None else str(value)


def _number(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "–"
    return f"{value:.2f}".rstrip("0").rstrip(".")
