"""Who is who: tables of persons, their names, and how they speak to each other."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from subfit.errors import InputFileError
from subfit.terms.glossary_file import Entries
from subfit.terms.persons import Person, find_person, read_persons

ROWS = [
    ("Name", "de", "Gender", "Formal to"),
    ("Anna Brown|Anna", "", "f", "Mr. Hill; Ida"),
    ("Tom", "Thomas", "male", ""),
    ("Ida", "", "", "everybody"),
]


def saved(folder: Path, suffix: str) -> str:
    path = folder / f"persons{suffix}"
    if suffix == ".csv":
        path.write_text("\n".join(",".join(row) for row in ROWS), encoding="utf-8")
    else:
        book = openpyxl.Workbook()
        for row in ROWS:
            book.active.append(row)
        book.save(path)
    return str(path)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_names_are_held_and_the_rest_is_told(tmp_path: Path, suffix: str) -> None:
    entries = Entries()
    anna, tom, ida = read_persons(saved(tmp_path, suffix), "en", ["de", "fr"], entries)
    held = {(term.sources[0], term.targets[0], term.language) for term in entries.terms}
    assert held >= {("Tom", "Thomas", "de"), ("Tom", "Tom", "fr"), ("Anna Brown", "Anna Brown", "")}
    assert anna.described("de") == "Anna Brown, female, addresses Mr. Hill, Ida formally"
    assert tom.described("de") == "Tom (written Thomas), male"
    assert find_person([anna, tom], "ANNA (off)") is anna
    assert find_person([anna, tom], "GUARD") is None
    assert [anna.addresses(tom), anna.addresses(ida), anna.addresses(None)] == [
        "informal",
        "formal",
        None,
    ]
    assert ida.addresses(None) == "formal" and tom.addresses(None) == "informal"


def test_a_table_without_formality_says_nothing_of_it() -> None:
    assert Person(("Anna",)).addresses(Person(("Tom",))) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Anna,Tom\n", "no column of names"),
        ("name,gender\n", "no persons"),
        ("name,gender\n,f\n", ":2: no name"),
        ("", "no column of names"),
    ],
)
def test_a_table_that_is_none_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "persons.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=told):
        read_persons(str(path), "en", ["de"], Entries())


def test_a_workbook_without_a_visible_sheet_is_told(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.sheet_state = "hidden"
    chart = book.create_chartsheet()
    chart.add_chart(openpyxl.chart.BarChart())
    book.active = chart
    book.save(tmp_path / "persons.xlsx")
    with pytest.raises(InputFileError, match="no column of names"):
        read_persons(str(tmp_path / "persons.xlsx"), "en", ["de"], Entries())
