"""Dubbing scripts in CSV and TSV: what is read, asked for and written."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest

from subfit.errors import InputFileError, OutputFileError, UsageError
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.scripts import columns_of
from tests.subtitles.scripts.scripts import read, texts, workbook

CSV = (
    "Reel 1;;;;\r\n"
    "\r\n"
    "In;Out;Figur;Text;Notes\r\n"
    '00:00:01:00;00:00:03:12;ANN;"Wait, ""you"" there.";"two\nlines"\r\n'
    "00:00:04:00;00:00:05:00;BOB;;nothing said\r\n"
    "00:00:06:00;00:00:08:00;ANN;No – never.;\r\n"
)


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


def test_a_duration_serves_for_the_end() -> None:
    (cue,) = read("Start,Duration,Text\n10,1.5,Hi.\n").cues
    assert (cue.start, cue.end) == (10_000, 11_500)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("1,,Hi.", "missing"),
        ("2,1,Hi.", "ends before"),
        ("2,2,Hi.", "no duration"),
        ("soon,2,Hi.", "cannot be read"),
        ("00:00:01:00,00:00:02:25,Hi.", "“00:00:02:25” has no such frame at 25 frames per second"),
    ],
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
    [(b"", "is empty"), (b'Text\n"One.\n', "never closed"), (b"Text\n,\n", "nothing to translate")],
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


def test_a_script_is_not_converted(tmp_path: Path) -> None:
    track = read("Text\nOne.\n")
    with pytest.raises(UsageError, match="cannot be converted"):
        render_track(track, output_format="srt")


@pytest.mark.parametrize(
    ("table", "times"),
    [
        (
            "start\tend\ttext\n0\t1800\tThe ferry has gone.\n2100\t4200\tThen we wait.\n",
            [(0, 1800), (2100, 4200)],
        ),
        (
            "Start time in milliseconds\tEnd time (ms)\tText\n0\t900\tWho is there?\n"
            "1333.333333333333\t2000\tMe.\n",
            [(0, 900), (1333, 2000)],
        ),
        (
            "start\tend\ttext\n0\t2\tThe ferry has gone.\n2\t4\tThen we wait.\n",
            [(0, 2000), (2000, 4000)],
        ),
    ],
)
def test_times_in_milliseconds_are_known_by_their_heading_or_by_the_speech(table, times):
    track = read(table, format="tsv")
    assert [(cue.start, cue.end) for cue in track.cues] == times
    told = any("milliseconds" in repair.problem for repair in track.repairs)
    assert told == (times[-1] != (2000, 4000))


def test_other_sheets_that_are_scripts_are_told():
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("Reel 2"), book.create_sheet("Contacts")):
        sheet.append(["Start", "End", "Text"] if sheet.title != "Contacts" else ["Who", "Phone"])
        sheet.append([1.0, 2.0, "Hello."])
    data = io.BytesIO()
    book.save(data)
    track = read(data.getvalue(), format="xlsx")
    (repair,) = [
        each for each in track.repairs if "sheet" in each.problem and "others" in each.problem
    ]
    assert "'Reel 2' (--sheet)" in repair.problem
