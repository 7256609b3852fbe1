"""Workbooks: every part but the cells that are written stays, and what no sheet has is refused."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.formats import render_track
from subfit.subtitles.scripts import columns_of
from subfit.subtitles.scripts.columns import parse_columns
from subfit.subtitles.scripts.csv_table import TextTable, read_text_table
from tests.subtitles.scripts.scripts import read, texts, workbook
from tests.subtitles.scripts.test_dubbing import CSV


def test_times_of_a_workbook_are_read_in_all_their_kinds() -> None:
    track = read(workbook(), format="xlsx")
    assert [(cue.start, cue.end, cue.line) for cue in track.cues] == [
        (1000, 3500, 4),
        (4000, 5480, 5),
    ]
    assert any("sheet 'Reel 1'" in repair.problem for repair in track.repairs)


def test_a_workbook_keeps_every_other_cell_and_its_style() -> None:
    data = workbook()
    written = render_track(read(data, format="xlsx").with_texts(["Halt,\ndu da.", "(OFF) Nie."]))
    old, new = (openpyxl.load_workbook(io.BytesIO(each)) for each in (data, written))
    assert new.sheetnames == old.sheetnames
    for name in old.sheetnames:
        for row in old[name].iter_rows():
            for cell in row:
                twin = new[name][cell.coordinate]
                assert twin.value == cell.value
                assert twin._style == cell._style
    sheet = new["Reel 1"]
    assert [sheet[each].value for each in ("F3", "F4", "F5")] == [
        "Translation",
        "Halt,\ndu da.",
        "(OFF) Nie.",
    ]
    assert sheet["F3"].font.bold
    assert sheet["F4"].alignment.wrap_text and sheet["F4"].font.name == "Courier"
    assert sheet.column_dimensions["F"].width == 48
    assert sheet.freeze_panes == "A4"
    assert sheet.auto_filter.ref == "A3:E5"
    assert [str(each) for each in sheet.merged_cells.ranges] == ["A1:E1"]
    assert sheet["C4"].comment.text == "a low voice"
    assert sheet.data_validations.dataValidation[0].formula1 == '"ANN,BOB"'


def test_what_openpyxl_does_not_know_stays_in_a_workbook() -> None:
    data = io.BytesIO(workbook())
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"macros")
        archive.writestr("xl/media/image1.png", b"a picture")
    written = render_track(read(data.getvalue(), format="xlsx").with_texts(["a", "b"]))
    with zipfile.ZipFile(data) as old, zipfile.ZipFile(io.BytesIO(written)) as new:
        assert new.namelist() == old.namelist()
        changed = [name for name in old.namelist() if new.read(name) != old.read(name)]
    assert changed == ["xl/worksheets/sheet2.xml"]


def test_text_of_any_kind_goes_through_a_workbook() -> None:
    strange = "<b>&amp;\x02 _x0041_ 'ß' ♪\n  end "
    book = render_track(read(workbook(), format="xlsx").with_texts([strange, "x"]))
    value = openpyxl.load_workbook(io.BytesIO(book))["Reel 1"]["F4"].value
    assert value == strange.replace("\x02", "\ufffd").replace("_x0041_", "_x005F_x0041_")


def test_a_formula_is_never_written_over() -> None:
    with pytest.raises(InputFileError, match="nothing to translate"):
        read(workbook(), format="xlsx", columns="target=Length")
    track = read(workbook(), format="xlsx", columns="target=F")
    assert render_track(track.with_texts(["a", "b"]))


def test_a_translation_that_stands_in_a_workbook_keeps_its_cell() -> None:
    data = render_track(read(workbook(), format="xlsx").with_texts(["Halt,\ndu da.", "(OFF) Nie."]))
    track = read(data, format="xlsx")
    assert [cue.target for cue in track.cues] == ["Halt,\ndu da.", "(OFF) Nie."]
    assert render_track(track.with_texts(["x", "y"])) == data


def test_a_number_that_a_formula_gives_below_the_lines_is_no_line() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Text"], ["One."], ["=COUNTA(A2:A2)"]):
        sheet.append(row)
    out, cached = io.BytesIO(), io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(cached, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            new.writestr(info, data.replace(b"<v></v>", b"<v>1</v>").replace(b"<v />", b"<v>1</v>"))
    track = read(cached.getvalue(), format="xlsx")
    assert track.layout.table.cells[2] == [1]
    assert texts(track) == ["One."]


@pytest.mark.parametrize(
    ("start", "end", "expected"), [(0.5, 0.50002, (43_200_000, 43_201_728)), (1, 2.5, (1000, 2500))]
)
def test_numbers_below_one_are_a_spreadsheets_times(start, end, expected):
    book = openpyxl.Workbook()
    for row in (["Start", "End", "Text"], [start, end, "One."]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    (cue,) = read(out.getvalue(), format="xlsx").cues
    assert (cue.start, cue.end) == expected


def test_lines_within_a_cell_end_as_they_do_in_the_source() -> None:
    track = read('Text\r\n"One,\r\ntwo."\r\n')
    assert texts(track) == ["One,\ntwo."]
    written = render_track(track.with_texts(["Eins,\nzwei."]))
    assert written == b'Text,Translation\r\n"One,\r\ntwo.","Eins,\r\nzwei."\r\n'


def test_sheets_are_chosen_by_name() -> None:
    assert len(read(workbook(), format="xlsx", sheet="Reel 1").cues) == 2
    with pytest.raises(UsageError, match="no sheet 'Reel 2'; it has 'Sheet', 'Reel 1'"):
        read(workbook(), format="xlsx", sheet="Reel 2")
    with pytest.raises(UsageError, match="sheet 'Sheet': it is not clear which column"):
        read(workbook(), format="xlsx", sheet="Sheet")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"PK\x03\x04 damaged", "no ZIP archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "locked by a password"),
        (b"", "no ZIP archive"),
    ],
)
def test_a_workbook_that_is_none_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(InputFileError, match=told):
        read(data, format="xlsx")


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


def test_a_cell_in_the_last_place_of_a_sheet_costs_nothing():
    data = script(with_row(1_048_576, "XFD"))
    assert [cue.text for cue in read(data, format="xlsx").cues] == ["Who is there?", "Nobody."]


def test_more_xml_than_a_script_has_is_refused(monkeypatch):
    monkeypatch.setattr("subfit.subtitles.scripts.workbook.MOST_XML_BYTES", 100)
    with pytest.raises(InputFileError, match="its sheets unpack to"):
        read(script(lambda data: data), format="xlsx")


@pytest.mark.parametrize(
    ("columns", "script", "told"),
    [
        ("", "Name,Words\nAnn,One.\n", "headings found: A 'Name', B 'Words'"),
        ("", "Text,Original\nOne.,Two.\n", "source may be 'Text' or 'Original'"),
        ("source=Words", "Name,Line\nAnn,One.\n", "no column 'Words'.*A 'Name', B 'Line'"),
        ("source=Line", "Line,line\nA,B\n", "heads columns A and B; give a letter"),
        ("source=Line,speaker=A", "Line,Who\nA,B\n", "same column"),
    ],
)
def test_columns_that_are_not_clear_are_asked_for(columns: str, script: str, told: str) -> None:
    with pytest.raises(UsageError, match=f"script.csv: .*{told}"):
        read(script, columns=columns)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("source", "not one of start"),
        ("words=Text", "not one of start"),
        ("source=A,source=B", "given twice"),
        ("source=A,end=B,duration=C", "not both"),
    ],
)
def test_columns_must_make_sense(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_columns(text)


@pytest.mark.parametrize(
    "columns",
    ["source=D", "source=4", "source=text", 'start=In,end=Out,"source=Text"', "speaker=Figur"],
)
def test_columns_go_by_heading_letter_or_number(columns: str) -> None:
    assert texts(read(CSV, columns=columns)) == ['Wait, "you" there.', "No – never."]


def test_a_table_without_a_header_goes_by_letters() -> None:
    track = read("00:01.0,00:02.0,Hello.\n", columns="start=A,end=B,source=C")
    assert (track.cues[0].start, track.cues[0].end, track.cues[0].text) == (1000, 2000, "Hello.")
    assert render_track(track.with_texts(["Hallo."])) == b"00:01.0,00:02.0,Hello.,Hallo.\n"


def test_an_unknown_header_is_no_line_to_translate() -> None:
    track = read("Zeit,Bis,Wörter\n00:01.0,00:02.0,Hello.\n", columns="start=A,end=B,source=C")
    assert texts(track) == ["Hello."]
    assert (
        render_track(track.with_texts(["x"])).decode().startswith("Zeit,Bis,Wörter,Translation\n")
    )


def test_headings_are_known_in_other_languages() -> None:
    track = read("Début\tFin\tPersonnage\tTexte original\n1\t2\tLéa\tHi.\n", format="tsv")
    assert list(columns_of(track) or {}) == ["start", "end", "speaker", "source"]


FIELD = st.text(st.sampled_from('ab ,;"\té'), max_size=6)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(FIELD, min_size=width, max_size=width), min_size=2, max_size=6)
)


def read_csv(text: str, format: str = "csv") -> TextTable:
    return read_text_table(text.encode(), "lines.csv", format, None, None)


def written(table: TextTable, edits: dict[tuple[int, int], str | float], like: int = 0) -> str:
    return table.with_cells(edits, like=like, encoding=None, name="out.csv").decode()


@given(rows=TABLES)
def test_values_are_those_that_python_reads(rows) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter="\t", lineterminator="\n").writerows(rows)
    text = out.getvalue()
    if not text.strip():
        return
    expected = [row or [""] for row in csv.reader(io.StringIO(text), delimiter="\t")]
    assert read_csv(text, "tsv").cells == expected


@given(rows=TABLES, quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_a_file_without_new_values_stays_as_it_is(rows, quoting) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=quoting, lineterminator="\r\n").writerows(rows)
    if out.getvalue().strip():
        assert written(read_csv(out.getvalue()), {}) == out.getvalue()


@pytest.mark.parametrize(
    ("text", "separator", "cells"),
    [
        ("id;text\n1;Hello, you\n", ";", [["id", "text"], ["1", "Hello, you"]]),
        ("id,text\n1,Hello; you\n", ",", [["id", "text"], ["1", "Hello; you"]]),
        ("id|text\n1|a,b\n", "|", [["id", "text"], ["1", "a,b"]]),
        ("sep=;\nid;text\n1;a,b\n", ";", [["id", "text"], ["1", "a,b"]]),
        ("text\nHello\n", ",", [["text"], ["Hello"]]),
    ],
)
def test_the_separator_is_found_out(text, separator, cells) -> None:
    table = read_csv(text)
    assert (table.separator, table.cells) == (separator, cells)
    assert written(table, {}) == text


def test_only_the_fields_with_new_values_change() -> None:
    text = 'id,"text",note\n1,"Hi, you", x \n2,Hello,\n'
    assert written(read_csv(text), {(1, 2): "a,b", (2, 1): "Hallo"}) == (
        'id,"text",note\n1,"Hi, you","a,b"\n2,Hallo,\n'
    )


def test_a_new_column_is_written_in_every_row_and_quoted_as_the_one_it_is_like() -> None:
    text = 'id,"text"\n1,"Hi"\n2,Hello\n'
    edits = {(0, 2): "German", (1, 2): "Hallo", (2, 2): "Guten Tag"}
    assert written(read_csv(text), edits, like=1) == (
        'id,"text","German"\n1,"Hi","Hallo"\n2,Hello,Guten Tag\n'
    )


@pytest.mark.parametrize("value", ["=1+1", "+49 30", "-5", "@here"])
def test_what_a_spreadsheet_would_compute_becomes_text_and_is_read_back(value) -> None:
    out = written(read_csv("id,text\n1,Hi\n"), {(1, 1): value})
    assert out == f"id,text\n1,'{value}\n"
    assert read_csv(out).cells[1] == ["1", value]


def test_numbers_are_written_as_numbers() -> None:
    assert written(read_csv('id,"12"\n1,"3"\n'), {(1, 1): 2.5}) == 'id,"12"\n1,"2.5"\n'
    assert written(read_csv("id,12\n1,3\n"), {(1, 1): 4.0}) == "id,12\n1,4\n"


def test_a_quote_that_is_never_closed_is_told_with_its_line() -> None:
    with pytest.raises(InputFileError, match="a quotation mark is never closed") as caught:
        read_csv('id,text\n1,"Hi"\n2,"Hello\n3,x\n')
    assert "lines.csv:3" in str(caught.value) or "line 3" in str(caught.value)


def test_rows_tell_the_line_of_the_file_where_they_begin() -> None:
    table = read_csv('id,text\n1,"two\nlines"\n2,one\n')
    assert [table.place(row) for row in range(3)] == [1, 2, 4]
