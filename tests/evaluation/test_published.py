"""Published tables are what the JSON beside them gives."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from subfit.evaluation.published import read_published
from subfit.evaluation.tables import main_table
from tests.places import ROOT

MEASURED = ROOT / "benchmarks" / "measured"
MARKER = re.compile(r"<!-- (benchmarks/measured/\S+\.json): (.+?) -->\n\n?((?:\|.*\n)+)")
"""Names the JSON and the columns of the table below it, as ``compare --from`` takes them."""


def marked() -> list[Any]:
    """The tables of all documents that name their JSON."""
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "recipes" / "README.md"]
    return [
        pytest.param(*match.groups(), id=f"{file.name}: {match[1]}")
        for file in files
        for match in MARKER.finditer(file.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("name", "columns", "table"), marked())
def test_a_table_is_that_of_its_json(name: str, columns: str, table: str) -> None:
    published = read_published(ROOT / name)
    assert main_table(published.results, columns.split(",")) == table


def test_some_tables_name_their_json() -> None:
    assert marked()


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((MEASURED / name).read_text(encoding="utf-8"))
    return found


def test_what_shortening_costs() -> None:
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    languages = [read(f"adequacy.{language}.json") for language in ("de", "es", "fr", "it")]
    rows = [name for name, value in languages[0].items() if isinstance(value, dict)]
    assert len(rows) == 5
    for name in rows:
        cells = [f"{each[name][key]:.1f}" for each in languages for key in ("bleu", "drop")]
        assert f" | {' | '.join(cells)} |\n" in text


@pytest.mark.parametrize("file", sorted(each.name for each in MEASURED.glob("guided.*.json")))
def test_what_a_memory_is_worth(file: str) -> None:
    text = (ROOT / "docs" / "memory.md").read_text(encoding="utf-8")
    systems = [value for value in read(file).values() if isinstance(value, dict)]
    rows = [each for each in systems if "bleu" in each]
    assert rows
    for each in rows:
        cells = [f"{each[key]:.1f}" for key in ("bleu", "chrf", "rep", "drop")]
        assert f"| {' | '.join(cells)} | {each['characters']:.2f} |\n" in text
