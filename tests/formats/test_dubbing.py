from __future__ import annotations

import io
import zipfile
from datetime import time
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from subfit.cues import Track
from subfit.errors import InputFileError, OutputFileError, UsageError
from subfit.formats import columns_of, parse_track, render_track
from subfit.formats.dubbing_columns import ScriptReading, parse_columns
from subfit.formats.markup import parse_cue_text, render_cue_text

CSV = (
    "Reel 1;;;;\r\n"
    "\r\n"
    "In;Out;Figur;Text;Notes\r\n"
    '00:00:01:00;00:00:03:12;ANN;"Wait, ""you"" there.";"two\nlines"\r\n'
    "00:00:04:00;00:00:05:00;BOB;;nothing said\r\n"
    "00:00:06:00;00:00:08:00;ANN;No – never.;\r\n"
)


def read(data: bytes | str, *, format: str = "csv", columns: str = "", **options: object) -> Track:
    raw = data.encode() if isinstance(data, str) else data
    script = ScriptReading(parse_columns(columns), **{"fps": 25, **options})  # type: ignore[arg-type]
    return parse_track(raw, name=f"script.{format}", format=format, script=script)  # type: ignore[arg-type]


def texts(track: Track) -> list[str]:
    return [cue.text for cue in track.cues]


def test_rows_with_text_are_cues_with_times_and_speakers() -> None:
    track = read(CSV)
    first, second = track.cues
    assert (first.start, first.end, first.speaker, first.line) == (1000, 3480, "ANN", 4)
    assert first.text == 'Wait, "you" there.'
    assert first.notes == "two\nlines"
    assert second.line == 7  # the note above it has two lines
    assert columns_of(track) == {
        "start": "A 'In'",
        "end": "B 'Out'",
        "speaker": "C 'Figur'",
        "source": "D 'Text'",
        "notes": "E 'Notes'",
    }


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("cp1252", b""), ("utf-16", b"")],
)
def test_every_other_byte_of_a_csv_stays(encoding: str, mark: bytes) -> None:
    data = mark + CSV.encode(encoding)
    written = render_track(read(data).with_texts(["Stopp; du da", "Nein."]))
    expected = (
        "Reel 1;;;;;\r\n"
        "\r\n"
        "In;Out;Figur;Text;Notes;Translation\r\n"
        '00:00:01:00;00:00:03:12;ANN;"Wait, ""you"" there.";"two\nlines";"Stopp; du da"\r\n'
        "00:00:04:00;00:00:05:00;BOB;;nothing said;\r\n"
        "00:00:06:00;00:00:08:00;ANN;No – never.;;Nein.\r\n"
    )
    assert written == mark + expected.encode(encoding)


def test_a_target_column_is_filled_and_what_stands_in_it_stays() -> None:
    script = 'Text,Translation,Take\n"One.",,1\nTwo.,Zwei.,2\n,,3\n'
    track = read(script)
    assert [(cue.text, cue.target) for cue in track.cues] == [("One.", ""), ("Two.", "Zwei.")]
    assert any("keep it: 1" in repair.problem for repair in track.repairs)
    written = render_track(track.with_texts(["Eins.", "never written"]))
    assert written.decode() == 'Text,Translation,Take\n"One.","Eins.",1\nTwo.,Zwei.,2\n,,3\n'


def test_remarks_get_columns_of_their_own_once() -> None:
    script = "Text\nOne.\n"
    track = read(script).with_texts(["Eins."])
    remarked = Track(
        **{name: getattr(track, name) for name in track.__slots__}
        | {"remarks": ({"LR": 1.25, "Status": "fits"},)}
    )
    written = render_track(remarked).decode()
    assert written == "Text,Translation,LR,Status\nOne.,Eins.,1.25,fits\n"
    again = read("Text,Translation,LR,Status\nOne.,,1.25,fits\n").with_texts(["Eins."])
    assert render_track(again).decode() == written


@pytest.mark.parametrize("formula", ["=1+1", "+49", "-2", "@SUM(A1)"])
def test_what_a_spreadsheet_would_compute_is_written_as_text(formula: str) -> None:
    written = render_track(read("Text\nOne.\n").with_texts([formula])).decode()
    assert written == f"Text,Translation\nOne.,'{formula}\n"
    assert texts(read(f"Text\n'{formula}\n")) == [formula]
    book = render_track(read(workbook(), format="xlsx").with_texts([formula, "x"]))
    cell = openpyxl.load_workbook(io.BytesIO(book))["Reel 1"]["F4"]
    assert (cell.value, cell.data_type) == (formula, "s")


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


def test_a_duration_serves_for_the_end() -> None:
    (cue,) = read("Start,Duration,Text\n10,1.5,Hi.\n").cues
    assert (cue.start, cue.end) == (10_000, 11_500)


@pytest.mark.parametrize(
    ("row", "told"),
    [("1,,Hi.", "missing"), ("2,1,Hi.", "ends before"), ("soon,2,Hi.", "cannot be read")],
)
def test_a_row_without_good_times_is_kept_and_told_of(row: str, told: str) -> None:
    track = read(f"Start,End,Text\n{row}\n")
    assert [(cue.start, cue.end, cue.text) for cue in track.cues] == [(0, 0, "Hi.")]
    assert any(repair.line == 2 and told in repair.problem for repair in track.repairs)


def test_frames_need_a_rate_and_the_row_is_named() -> None:
    with pytest.raises(UsageError, match=r"script.csv: row 4: .*pass --fps"):
        read(CSV, fps=None)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is empty"),
        (b'Text\n"One.\n', "never closed"),
        (b"Text\n,\n", "nothing to translate"),
    ],
)
def test_a_csv_that_is_none_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(InputFileError, match=told):
        read(data)


def test_a_character_the_file_cannot_hold_is_told() -> None:
    data = "Text\nCafé.\n".encode("cp1252")
    track = parse_track(data, name="script.csv", format="csv", encoding="cp1252")
    with pytest.raises(OutputFileError, match="U\\+0142"):
        render_track(track.with_texts(["Miło."]))
    assert (
        render_track(track.with_texts(["Miło."]), output_encoding="utf-8")
        .decode()
        .endswith("Miło.\n")
    )


def workbook() -> bytes:
    """A script as they come: a title, styles, formulas, comments, rules, two sheets."""
    book = openpyxl.Workbook()
    cover, sheet = book.active, book.create_sheet("Reel 1")
    cover["A1"] = "Read the second sheet"
    sheet["A1"] = "The Lighthouse, reel 1"
    sheet.merge_cells("A1:E1")
    sheet.append([])
    sheet.append(["In", "Out", "Character", "Text", "Length"])
    sheet.append([time(0, 0, 1), time(0, 0, 3, 500_000), "ANN", "Wait,\nyou there.", "=LEN(D4)"])
    sheet.append(["00:00:04:00", "00:00:05:12", "BOB", "(OFF) Never.", "=LEN(D5)"])
    for cell in sheet[3]:
        cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="DDEEFF")
    sheet["D4"].alignment, sheet["D4"].font = (
        Alignment(wrap_text=True),
        Font(name="Courier", size=13),
    )
    sheet["A4"].number_format = "hh:mm:ss.000"
    sheet["C4"].comment = Comment("a low voice", "director")
    sheet.column_dimensions["D"].width = 48
    sheet.freeze_panes = "A4"
    sheet.auto_filter.ref = "A3:E5"
    rule = DataValidation(type="list", formula1='"ANN,BOB"')
    rule.add("C4:C99")
    sheet.add_data_validation(rule)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


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
def test_numbers_below_one_are_a_spreadsheets_times(
    start: float, end: float, expected: tuple[int, int]
) -> None:
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


def test_a_script_is_not_converted(tmp_path: Path) -> None:
    track = read("Text\nOne.\n")
    with pytest.raises(UsageError, match="cannot be converted"):
        render_track(track, output_format="srt")


@pytest.mark.parametrize(
    ("line", "spoken"),
    [
        ("(OFF) Wait, you there. (laughs)", "Wait, you there."),
        ("Wait, [breath] you there.", "Wait, you there."),
        ("Wait / you there // now.", "Wait you there now."),
        ("Wait. (He turns to the door.) You there.", "Wait. You there."),
        ("He is (as far as I know) away.", "He is (as far as I know) away."),
        ("I am (V.O.) here", "I am here"),
        ("and/or", "and/or"),
    ],
)
def test_directions_are_not_spoken_and_stay(line: str, spoken: str) -> None:
    text = parse_cue_text(line, "csv")
    assert [turn.text for turn in text.turns] == [spoken]
    assert render_cue_text(text, [(spoken,)], "csv").text == line


@pytest.mark.parametrize(
    ("line", "translation", "placed"),
    [
        (
            "I know. (chuckles) They burn very well.",
            "Ich weiß es. Sie brennen sehr gut.",
            "Ich weiß es. (chuckles) Sie brennen sehr gut.",
        ),
        ("Well, [sighs] I do not know.", "Nun, ich weiß nicht.", "Nun, [sighs] ich weiß nicht."),
        ("I know / I was there.", "Ich war ja da.", "Ich / war ja da."),
        ("Come here. (waves)", "Komm.", "Komm. (waves)"),
    ],
)
def test_directions_go_where_a_sentence_goes(line: str, translation: str, placed: str) -> None:
    assert render_cue_text(parse_cue_text(line, "csv"), [(translation,)], "csv").text == placed


def test_a_row_of_directions_only_is_not_translated() -> None:
    assert parse_cue_text("(laughs) [door]", "xlsx").kind == "empty"
