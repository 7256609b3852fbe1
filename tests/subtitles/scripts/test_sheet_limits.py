"""Sheets that claim more cells than there can be: refused, or read without making these."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import openpyxl
import pytest

from subfit.errors import InputFileError
from subfit.subtitles.scripts import workbook
from tests.subtitles.scripts.scripts import read


def script(change: Callable[[bytes], bytes]) -> bytes:
    """Return a workbook of two lines whose sheet was changed."""
    book = openpyxl.Workbook()
    for row in (["Start", "End", "Text"], [1.5, 3.5, "Who is there?"], [4.5, 6.5, "Nobody."]):
        book.active.append(row)
    whole, changed = io.BytesIO(), io.BytesIO()
    book.save(whole)
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(changed, "w") as new:
        for part in old.namelist():
            data = old.read(part)
            new.writestr(part, change(data) if part.endswith("sheet1.xml") else data)
    return changed.getvalue()


def with_row(number: int, column: str = "A") -> Callable[[bytes], bytes]:
    row = f'<row r="{number}"><c r="{column}{number}"><v>1</v></c></row></sheetData>'.encode()
    return lambda data: data.replace(b"</sheetData>", row)


def behind(xml: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(b"</sheetData>", b"</sheetData>" + xml)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (with_row(1_048_577), "row 1048577 is beyond the 1,048,576 that a sheet has"),
        (with_row(2_000_000), "row 2000000 is beyond"),
        (with_row(10**20), "is beyond"),
        (with_row(0), "row 0 is beyond"),
        (with_row(9, "XFE"), "column 16385 is beyond the 16,384 that a sheet has"),
        (behind(b'<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'), "span"),
        (behind(b'<hyperlinks><hyperlink ref="A1:XFD1048576" location="x"/></hyperlinks>'), "span"),
        (behind(b'<mergeCells><mergeCell ref="A1:A9999999"/></mergeCells>'), "beyond"),
    ],
)
def test_what_no_sheet_has_is_refused_in_one_line(change, said):
    with pytest.raises(InputFileError, match=said) as caught:
        read(script(change), format="xlsx")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("column", ["A", "XFD"])
def test_a_cell_in_the_last_place_of_a_sheet_costs_nothing(column):
    data = script(with_row(1_048_576, column))
    assert [cue.text for cue in read(data, format="xlsx").cues] == ["Who is there?", "Nobody."]


def test_more_xml_than_a_script_has_is_refused(monkeypatch):
    monkeypatch.setattr(workbook, "MOST_XML_BYTES", 100)
    with pytest.raises(InputFileError, match="its sheets unpack to"):
        read(script(lambda data: data), format="xlsx")
