"""Tables of figures, written as Markdown, CSV or LaTeX.

The tables of a comparison are made of its JSON values alone, so that what ``subfit compare --json``
wrote gives the same tables again.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from subfit.errors import InputFileError, UsageError, reason_of
from subfit.evaluation.evaluation import LEVEL
from subfit.evaluation.metrics import digits_of
from subfit.evaluation.rows import Row

SCHEMA = 2
"""Version of the JSON values."""
MARK = "†"
"""Behind figures that differ significantly from those of the row that all are compared with."""
_NONE = "–"
_SPECIAL = str.maketrans(
    {"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", MARK: r"$^\dagger$"}
)
_MADE = ("precision", "device", "seed")
_NOT_SHOWN = ("model", *_MADE)
_USUAL = {one.name: one.default for one in fields(Row)}
_USUAL |= {"ask": "natural", "unit": "characters"}
"""What is not worth a column where all rows have it."""

Document = Mapping[str, Any]
"""A comparison as JSON values."""


@dataclass(frozen=True, slots=True)
class Table:
    """Cells under headings; the first columns are texts, the others figures."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1

    def markdown(self) -> str:
        """Return it for Markdown."""
        rules = ["---"] * self.texts + ["---:"] * (len(self.headings) - self.texts)
        lines = [[_escaped(cell) for cell in line] for line in (self.headings, *self.rows)]
        return "".join(f"| {' | '.join(line)} |\n" for line in (lines[0], rules, *lines[1:]))

    def csv(self) -> str:
        """Return it as CSV, without marks."""
        out = io.StringIO()
        rows = [["" if c == _NONE else c.removesuffix(MARK) for c in row] for row in self.rows]
        csv.writer(out, lineterminator="\n").writerows([self.headings, *rows])
        return out.getvalue()

    def latex(self) -> str:
        """Return it as a LaTeX tabular."""
        kinds = "l" * self.texts + "r" * (len(self.headings) - self.texts)
        lines = [
            " & ".join(cell.translate(_SPECIAL) for cell in line) + r" \\"
            for line in (self.headings, *self.rows)
        ]
        body = [lines[0], r"\hline", *lines[1:]]
        return "\n".join([f"\\begin{{tabular}}{{{kinds}}}", *body, r"\end{tabular}", ""])


def _escaped(cell: str) -> str:
    return " ".join(cell.replace("|", "\\|").replace("*", "\\*").split())


def read_comparison_of(path: Path) -> Document:
    """Read what ``subfit compare --json`` wrote.

    Raises:
        InputFileError: It cannot be read, or is something else, or of an older subfit.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        known = document["schema"] == SCHEMA and all(row["figures"] for row in document["rows"])
        _ = document["lines"], document["file"], document["command"], document["against"]
    except OSError as error:
        raise InputFileError(path, f"cannot be read ({reason_of(error)})") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        remedy = "give what 'subfit compare --json' wrote"
        raise InputFileError(path, "is no comparison", remedy=remedy) from error
    if not known or not document["rows"]:
        raise InputFileError(path, "has no rows of this version of subfit")
    return dict(document)


def written(document: Document, suffix: str, columns: Sequence[str] = ()) -> bytes:
    """Return a comparison as a file's name asks for.

    Args:
        document: The comparison.
        suffix: ``.md``, ``.json``, ``.csv``, ``.tex``, ``.png``, ``.svg`` or ``.pdf``. CSV and
            LaTeX have the main table alone; pictures show BLEU against the length ratio to the
            source.
        columns: Those of the main table; by default all metrics.

    Raises:
        UsageError: There is no such column, or pictures cannot be drawn here.
    """
    if suffix == ".json":
        text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    elif suffix == ".csv":
        text = main_table(document, columns).csv()
    elif suffix == ".tex":
        text = main_table(document, columns).latex()
    elif suffix in (".png", ".svg", ".pdf"):
        return plot(document, suffix[1:])
    else:
        parts = [main_table(document, columns)] if columns else tables(document)
        text = "\n".join(part if isinstance(part, str) else part.markdown() for part in parts)
    return text.encode("utf-8")


def tables(document: Document) -> list[Table | str]:
    """Return all tables of a comparison, and what must be known to read them."""
    more = (runs_table(document), bucket_table(document), length_table(document))
    return [
        main_table(document),
        *(table for table in more if table is not None),
        "".join(f"{line}\n" for line in notes(document)),
        setup_table(document),
    ]


def main_table(document: Document, columns: Sequence[str] = ()) -> Table:
    """Return figures of all rows.

    Args:
        document: The comparison.
        columns: Names of metrics, ``p NAME`` for the p-value of the difference to the row that all
            are compared with, corrected by Holm, or ``interval NAME``.

    Raises:
        UsageError: There is no such column.
    """
    rows = document["rows"]
    measured = list(dict.fromkeys(name for row in rows for name in row["figures"]))
    names = list(columns)
    if not names:
        tested = [f"p {name}" for name in ("BLEU", "chrF", "LR source")]
        names = [*measured, *(tested if document["against"] else ())]
    for name in names:
        plain = name.removeprefix("p ").removeprefix("interval ")
        if plain not in measured:
            raise UsageError(f"there is no column {name!r}; there are {', '.join(measured)}")
    cells = [[row["label"], *(_cell(row, name) for name in names)] for row in rows]
    return Table(["system", *names], cells)


def _cell(row: Document, column: str) -> str:
    name = column.removeprefix("p ").removeprefix("interval ")
    kind = column.removesuffix(name).strip()
    figure, tested = row["figures"].get(name), row["differences"].get(name)
    if kind == "p":
        return _NONE if tested is None else f"{tested['p_holm']:.4f}"
    if figure is None or figure["value"] is None:
        return _NONE
    digits = digits_of(name)
    if kind == "interval":
        if figure["low"] is None:
            return _NONE
        return f"{figure['low']:.{digits}f} to {figure['high']:.{digits}f}"
    return f"{figure['value']:.{digits}f}{_mark(tested)}"


def _mark(tested: Document | None) -> str:
    return MARK if tested is not None and tested["p_holm"] < LEVEL else ""


def setup_table(document: Document) -> Table:
    """Return what made each row: the model, whatever was asked of it, and what came out."""
    setups = [row["setup"] or {} for row in document["rows"]]
    told = dict.fromkeys(name for setup in setups for name in setup if name not in _NOT_SHOWN)
    asked = [
        name
        for name in told
        if any(setup.get(name) not in (None, [], _USUAL.get(name)) for setup in setups)
    ]
    rows = [
        [
            row["label"],
            str(row.get("place", "")),
            *(_plain(setup.get(name)) for name in (*asked, *_MADE)),
            f"{row['seconds']:.0f}" if setup else _NONE,
            row["checksum"][:12],
        ]
        for row, setup in zip(document["rows"], setups, strict=True)
    ]
    headings = [name.replace("_", " ") for name in (*asked, *_MADE)]
    return Table(["system", "model", *headings, "seconds", "SHA-256 of output"], rows, texts=2)


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or _NONE
    return _NONE if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def runs_table(document: Document) -> Table | None:
    """Return mean and standard deviation of systems that were trained several times."""
    if not document.get("runs"):
        return None
    figures = {row["label"]: row["figures"] for row in document["rows"]}
    names = list(dict.fromkeys(name for own in figures.values() for name in own))
    rows = [
        [
            label,
            str(len(runs)),
            *(
                _over_runs([figures[run].get(name) for run in runs], name)
                + _mark(document.get("over_runs", {}).get(label, {}).get(name))
                for name in names
            ),
        ]
        for label, runs in document["runs"].items()
    ]
    return Table(["mean ± sd over runs", "runs", *names], rows)


def _over_runs(found: Sequence[Document | None], name: str) -> str:
    known = [one["value"] for one in found if one is not None and one["value"] is not None]
    if len(known) < max(2, len(found)):
        return _NONE
    digits = digits_of(name)
    return f"{fmean(known):.{digits}f} ± {stdev(known):.{digits}f}"


def bucket_table(document: Document) -> Table | None:
    """Return BLEU by buckets of the references' characters."""
    found = document.get("buckets")
    if found is None:
        return None
    bounds = found["bounds"]
    lows = [0, *(bound + 1 for bound in bounds)]
    names = [f"{low}–{high}" for low, high in zip(lows, bounds, strict=False)]
    rows = [
        [label, *(_NONE if score is None else f"{score:.2f}" for score in row)]
        for label, row in found["bleu"].items()
    ]
    counts = ["lines", *map(str, found["lines"])]
    return Table(["BLEU by reference characters", *names, f"over {bounds[-1]}"], [counts, *rows])


def length_table(document: Document) -> Table | None:
    """Return VAR at fixed lengths."""
    found = document.get("lengths")
    if found is None:
        return None
    rows = [[label, *(f"{one:.3f}" for one in by)] for label, by in found["variance"].items()]
    return Table(["VAR at a fixed length", *map(str, found["lengths"])], rows)


def notes(document: Document) -> list[str]:
    """Return what must be known to read the main table: definitions and signatures."""
    signatures = {
        name: figure["signature"]
        for row in document["rows"]
        for name, figure in row["figures"].items()
    }
    told = "; ".join(f"{name}: {one}" for name, one in signatures.items()).replace("*", "\\*")
    lines = [
        "LR: mean length ratio in characters, sd LR its standard deviation. VAR: mean squared"
        " difference of output and asked length, or of output and reference. LC: per cent of lines"
        f" with a source ratio from 0.9 to 1.1. {told}."
    ]
    if document["against"]:
        lines.append(
            f"p, and {MARK} where it is below {LEVEL}: differences to {document['against']!r} by"
            f" paired approximate randomisation ({document['trials']} trials), corrected for the"
            " number of rows (Holm)."
        )
    if document.get("over_runs"):
        lines.append(
            f"{MARK} of means over runs: lines and runs drawn anew with repetition, likewise"
            " corrected."
        )
    source = f"`{document['file']}` (SHA-256 {document.get('sha256', '')[:12]})"
    made = f"subfit {document['subfit']}: `{document['command']}`"
    return [*lines, f"{document['lines']} lines of {source}, {made}"]


def plot(document: Document, kind: str) -> bytes:
    """Return BLEU against the length ratio to the source as a picture, a point for each row.

    Args:
        document: The comparison.
        kind: ``png``, ``svg`` or ``pdf``.

    Raises:
        UsageError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError("pictures need the package matplotlib; install subfit[train]") from error
    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.add_subplot()
    for row in document["rows"]:
        x, y = (row["figures"][name] for name in ("LR source", "BLEU"))
        errors = [
            None
            if one["low"] is None
            else [[max(0.0, one["value"] - one["low"])], [max(0.0, one["high"] - one["value"])]]
            for one in (x, y)
        ]
        if not all(one["value"] is not None and math.isfinite(one["value"]) for one in (x, y)):
            continue
        axes.errorbar(x["value"], y["value"], xerr=errors[0], yerr=errors[1], fmt="o", capsize=2)
        axes.annotate(
            row["label"], (x["value"], y["value"]), (4, 4), textcoords="offset points", fontsize=8
        )
    axes.set(xlabel="LR source (characters)", ylabel="BLEU")
    axes.axvline(1.0, linewidth=0.8, linestyle=":", color="grey")
    out = io.BytesIO()
    figure.savefig(out, format=kind)
    return out.getvalue()
