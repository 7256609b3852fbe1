"""The XML of a sheet: cells are replaced, every other byte stays, and other programs read it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.subtitles.scripts.sheet_xml import SheetXml

SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = f"""<?xml version="1.0"?>
<worksheet xmlns="{SPACE}"><dimension ref="A1:B3"/><cols><col min="1" max="2" width="30"/></cols>
<sheetData><row r="1" spans="1:2"><c r="A1" s="4" t="s"><v>0</v></c><c r="B1"><f>A1*2</f><v>2</v>\
</c></row><row r="2"/><row r="3"><c r="B3" t="inlineStr"><is><t>old</t></is></c></row></sheetData>\
<!-- a remark --></worksheet>""".encode()


def values(data: bytes) -> dict[str, str]:
    """What another program finds in the cells."""
    return {
        cell.get("r", ""): "".join(cell.itertext())
        for cell in ET.fromstring(data).iter(f"{{{SPACE}}}c")
    }


def test_rows_cells_and_formulas_are_found() -> None:
    sheet = SheetXml.parse(SHEET)
    assert sorted(sheet.rows) == [0, 1, 2]
    assert {row: sorted(cells) for row, cells in sheet.cells.items()} == {0: [0, 1], 2: [1]}
    assert sheet.formulas == {(0, 1)}
    assert sheet.filled == {(0, 0), (0, 1), (2, 1)}


def test_without_new_values_every_byte_stays() -> None:
    assert SheetXml.parse(SHEET).with_cells({}, like=0) == SHEET


def test_new_values_stand_beside_what_was_there() -> None:
    edits = {(0, 2): "C1", (1, 0): "A2", (2, 0): "A3", (2, 1): "new", (2, 2): 1.5}
    data = SheetXml.parse(SHEET).with_cells(edits, like=0)
    assert values(data) == {
        "A1": "0", "B1": "A1*22", "C1": "C1", "A2": "A2", "A3": "A3", "B3": "new", "C3": "1.5"
    }  # fmt: skip
    assert b'ref="A1:C3"' in data and b"<!-- a remark -->" in data
    places = [cell.get("r") for cell in ET.fromstring(data).iter(f"{{{SPACE}}}c")]
    assert places == ["A1", "B1", "C1", "A2", "A3", "B3", "C3"]


def test_a_new_cell_has_the_style_and_width_of_the_one_that_it_is_like() -> None:
    data = SheetXml.parse(SHEET).with_cells({(0, 2): "x"}, like=0)
    assert b'<c r="C1" s="4"' in data
    assert b'min="3" max="3" width="30"' in data


@given(
    text=st.text(
        st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00\r"), max_size=20
    )
)
def test_any_text_is_read_back_but_for_what_xml_cannot_hold(text) -> None:
    data = SheetXml.parse(SHEET).with_cells({(2, 1): text}, like=0)
    shown = "".join(
        "\ufffd" if (char < " " and char not in "\t\n") or char in "\ufffe\uffff" else char
        for char in text
    )
    found = values(data)["B3"]
    assert found.replace("_x005F_", "_") == shown.replace("_x005F_", "_")


def test_names_with_a_prefix_keep_it() -> None:
    data = SHEET.replace(b"<worksheet xmlns=", b"<x:worksheet xmlns:x=")
    for name in (b"worksheet", b"sheetData", b"dimension", b"cols", b"col", b"row", b"c", b"v",
                 b"f", b"is", b"t"):  # fmt: skip
        for end in (b">", b"/>", b" "):
            data = data.replace(b"<" + name + end, b"<x:" + name + end)
        data = data.replace(b"</" + name + b">", b"</x:" + name + b">")
    new = SheetXml.parse(data).with_cells({(2, 1): "new", (1, 0): "A2"}, like=0)
    assert values(new)["B3"] == "new" and values(new)["A2"] == "A2"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (SHEET[:-5], expat.ExpatError),
        ("<a/>".encode("utf-16"), ValueError),
        (SHEET.replace(b'r="B3"', b'r="ZZZ3"'), ValueError),
        (SHEET.replace(b'<row r="3"', b'<row r="3000000"'), ValueError),
    ],
)
def test_what_is_no_sheet_is_refused(data, error) -> None:
    with pytest.raises(error):
        SheetXml.parse(data)
