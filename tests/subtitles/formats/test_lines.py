"""Every quirk of real SubRip and WebVTT files: read right, or mended with a warning that names the
line; everything that is not cue text stays as it is."""

from pathlib import Path

import pytest
import webvtt

from subfit.errors import InputFileError
from subfit.subtitles.cues import Unread
from subfit.subtitles.formats import parse_track, render_track

DATA = Path(__file__).parent / "data"
HELLO, BYE = (1000, 2000, "Hello."), (3000, 4500, "Bye.")
T1, T2 = "00:00:01,000 --> 00:00:02,000", "00:00:03,000 --> 00:00:04,500"
TWO = f"\n2\n{T2}\nBye.\n"
SRT = f"1\n{T1}\nHello.\n{TWO}"
VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n\nlast\n00:03.000 --> 00:04.500 line:0\nBye.\n"


def read(text: str, format: str = "srt"):
    return parse_track(text.encode(), name=f"movie.{format}", format=format)


def unread(track):
    return [repair.line for repair in track.repairs if isinstance(repair, Unread)]


def cue_rows(track):
    return [(cue.start, cue.end, cue.text) for cue in track.cues]


def one(times: str, text: str = "Hello.") -> str:
    return f"1\n{times}\n{text}\n"


def lone(text: str, start: int = 1000, end: int = 2000):
    return [(start, end, text)]


# name, file, cues, (line, part of the warning) of every repair
QUIRKS = [
    ("clean", SRT, [HELLO, BYE], []),
    ("a second arrow", one(f"{T1} --> 3"), [HELLO], [(2, "timing line"), (2, "SubRip form")]),
    ("no newline at the end", SRT.rstrip("\n"), [HELLO, BYE], []),
    ("blank lines at the end", SRT + "\n\n", [HELLO, BYE], []),
    ("no milliseconds", one("00:00:01 --> 00:00:02"), [HELLO], [(2, f"read as {T1}")]),
    ("blank line in text", one(T1, "Hello,\n\nyou.") + TWO, [*lone("Hello,\nyou."), BYE],
     [(5, "blank line inside")]),
    ("blank line above", one(T1, "\nHello.") + TWO, [HELLO, BYE], [(4, "blank line inside")]),
    ("no blank line", one(T1) + TWO[1:], [HELLO, BYE], [(4, "no blank line before this cue")]),
    ("no index", f"{T1}\nHello.\n\n{T2}\nBye.\n", [HELLO, BYE], [(1, "no num"), (4, "no num")]),
    ("nor blank line", f"{T1}\nHello.\n{T2}\nBye.\n", [HELLO, BYE],
     [(1, "no number"), (3, "no number"), (3, "no blank line")]),
    ("repeated index", one(T1) + TWO.replace("2", "1", 1), [HELLO, BYE], [(5, "used before")]),
    ("text before all", f"By Ann\n\n{one(T1)}", [HELLO], [(1, "before the first cue")]),
    ("text right above", f"By Ann\n{T1}\nHello.\n", [HELLO],
     [(1, "before the first cue"), (2, "no number")]),
    ("-> arrow", one(T1.replace("--", "-")), [HELLO], [(2, "read as")]),
    ("dash arrow", one(T1.replace("--", "–")), [HELLO], [(2, "read as")]),
    ("escaped arrow", one(T1.replace(">", "&gt;")), [HELLO], [(2, "read as")]),
    ("mm:ss,mmm", one("00:01,000 --> 00:02,000"), [HELLO], [(2, "read as")]),
    ("one digit is tenths", one("0:0:1,5 --> 0:0:2,25"), lone("Hello.", 1500, 2250),
     [(2, "read as 00:00:01,500 --> 00:00:02,250")]),
    ("dots", one(T1.replace(",", ".")), [HELLO], [(2, "read as")]),
    ("colon fraction", one(T1.replace(",", ":")), [HELLO], [(2, "read as")]),
    ("seconds above 59", one("00:00:59,000 --> 00:00:61,000"), lone("Hello.", 59000, 61000),
     [(2, "--> 00:01:01,000")]),
    ("empty cue", f"1\n{T1}\n{TWO}", [*lone(""), BYE], []),
    ("empty cue at the end", f"1\n{T1}", lone(""), []),
    ("coordinates", one(f"{T1} X1:10 X2:20 Y1:30 Y2:40"), [HELLO], []),
    ("text behind times", f"1\n{T1} Hello.\n", lone(""), [(2, "text on the timing line")]),
    ("hours", one("100:00:01,000 --> 100:00:02,000"), [(360001000, 360002000, "Hello.")], []),
    ("zero duration", one("00:00:01,000 --> 00:00:01,000"), lone("Hello.", 1000, 1000),
     [(2, "no duration")]),
    ("negative", one("00:00:02,000 --> 00:00:01,000"), lone("Hello.", 2000, 1000),
     [(2, "ends before it begins")]),
    ("a start before zero", one(f"-{T1}"), lone("Hello.", 0),
     [(2, f"“-{T1}” read as 00:00:00,000 --> 00:00:02,000")]),
    ("all before zero", one("-0:0:2,0 --> -0:0:1,0"), lone("Hello.", 0, 0),
     [(2, "read as 00:00:00,000 --> 00:00:00,000"), (2, "no duration")]),
    ("overlap", one("00:00:01,000 --> 00:00:04,000") + TWO, [*lone("Hello.", 1000, 4000), BYE], []),
    ("no line ends", one(T1, "A\u2028B\x85C"), lone("A\u2028B\x85C"), []),
    ("plain < & >", one(T1, "A < B & C > D"), lone("A < B & C > D"), []),
    ("a number as text", one(T1, "3") + TWO, [*lone("3"), BYE], []),
    ("arrow in text", one(T1, "Go --> there."), lone("Go --> there."), [(3, "taken as text")]),
    ("times in the text", one(T1, "10:30 -> 11:30"), lone("10:30 -> 11:30"), []),
    ("a cue without times", one(T1) + "\n2\nLost.\n" + TWO.replace("2", "3", 1), [HELLO, BYE],
     [(5, "cue number without times")]),
    ("unreadable times", one(T1) + "\n2\n00:0x:00,000 --> ?\nLost.\n" + TWO.replace("2", "3", 1),
     [HELLO, BYE], [(6, "cannot be read: “00:0x:00,000 --> ?”; the block is kept")]),
    ("byte order mark inside", f"\ufeff{one(T1)}", [HELLO], []),
    ("CR CR LF", SRT.replace("\n", "\r\r\n"), [HELLO, BYE], [(1, "doubled")]),
    ("mixed line ends", SRT.replace("\n", "\r\n", 2), [HELLO, BYE], [(1, "mixed")]),
    ("lone CR", SRT.replace("\n", "\r"), [HELLO, BYE], []),
    ("NUL", SRT.replace("Hello", "He\0lo"), [*lone("He\ufffdlo."), BYE], [(3, "NUL")]),
]  # fmt: skip
SUBRIP = {row[0] for row in QUIRKS}
QUIRKS += [
    ("WebVTT", VTT, [HELLO, BYE], []),
    ("no signature", VTT[8:].replace("last", "x"), [HELLO, BYE], [(1, "signature is missing")]),
    ("indented signature", "\t" + VTT, [HELLO, BYE], [(1, "written as WEBVTT")]),
    ("small signature", VTT.replace("WEB", "web"), [HELLO, BYE], [(1, "written as WEBVTT")]),
    ("comma times", VTT.replace("01.000", "01,000"), [HELLO, BYE],
     [(3, "read as 00:00:01.000 --> 00:00:02.000")]),
    ("before zero", VTT.replace("00:01.000", "-00:01.000", 1), [*lone("Hello.", 0), BYE],
     [(3, "read as 00:00:00.000 --> 00:00:02.000")]),
    ("-> in WebVTT", VTT.replace("-->", "->", 1), [HELLO, BYE], [(3, "read as")]),
    ("no blank", VTT.replace("\n\nlast\n", "\n"), [HELLO, BYE], [(5, "no blank line")]),
    ("no blank line, numbered",
     "WEBVTT\n\n1\n00:01.000 --> 00:02.000\nHello.\n2\n00:03.000 --> 00:04.500\nBye.\n",
     [HELLO, BYE], [(6, "no blank line")]),
    ("no blank below all", VTT.replace("T\n\n", "T\n"), [HELLO, BYE], [(2, "no blank line")]),
    ("empty cue of WebVTT", VTT.replace("Hello.\n", ""), [*lone(""), BYE], []),
    ("text outside of cues", VTT.replace("\n\nlast", "\n\nmore\ntext\n\nlast"), [HELLO, BYE],
     [(6, "text outside of any cue")]),
    ("lost", VTT.replace("\n\nlast", "\n\n00:0x.000 --> 00:07.000\nLost.\n\nlast"), [HELLO, BYE],
     [(6, "cannot be read")]),
    ("arrow", VTT.replace("Hello.", "Go --> there"), [*lone("Go --&gt; there"), BYE],
     [(4, "taken as text")]),
    ("minutes above 59", VTT.replace("00:04.500", "00:60:04.500"),
     [HELLO, (3000, 3604500, "Bye.")], [(7, "read as")]),
    ("arrow in a note", VTT.replace("\n\nlast", "\n\nNOTE a --> b\n\nlast"), [HELLO, BYE], []),
    ("signature only", "WEBVTT", [], []),
    ("header only", "WEBVTT Title\nKind: captions\n\nNOTE nothing yet\n", [], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "cues", "repairs"), QUIRKS, ids=[row[0] for row in QUIRKS]
)
def test_quirk_is_read_right_or_reported_and_written_properly(name, text, cues, repairs):
    format = "srt" if name in SUBRIP else "vtt"
    track = read(text, format)
    assert cue_rows(track) == cues
    assert [repair.line for repair in track.repairs] == [line for line, _ in repairs]
    for repair, (_, part) in zip(track.repairs, repairs, strict=True):
        assert part in repair.problem
    written = render_track(track)
    again = parse_track(written, format=format)
    assert cue_rows(again) == cues
    assert [cue.identifier for cue in again.cues] == [cue.identifier for cue in track.cues]
    if format == "vtt":
        assert len(webvtt.from_string(written.decode()).captions) == len(cues)


@pytest.mark.parametrize(
    "text",
    [
        *(clean.replace("\n", end) for clean in (SRT, VTT) for end in ("\n", "\r\n", "\r")),
        *(clean.rstrip("\n") for clean in (SRT, VTT)),
        *(f"\ufeff{clean}" for clean in (SRT, VTT)),
        SRT + "\n\n\n",
        "By Ann\n\n" + SRT,
        SRT.replace("2\n00", "7\n00"),
        SRT.replace("\n\n2", "\n \n\n2"),
        SRT.replace("Hello.", "  <i>Hello</i> \t"),
        SRT.replace("02,000", "02,000 X1:1 X2:2 Y1:3 Y2:4"),
        SRT.replace("Hello.\n", ""),
        "WEBVTT - Title\nKind: captions\nLanguage: en\n\nNOTE x\n\n" + VTT[8:],
        VTT.replace("Hello.", " \nword<00:01.500><c> more</c>"),
        VTT.replace("Hello.\n", "Hello.\n \n"),
        VTT + "\nNOTE the end",
    ],
)
def test_untouched_file_is_written_byte_for_byte(text):
    assert render_track(read(text, "vtt" if "WEBVTT" in text else "srt")) == text.encode()


def test_new_texts_are_spliced_in_and_nothing_else_changes():
    track = read(SRT.replace("Hello.\n", "") + "\n3\n00:00:05,000 --> 00:00:06,000\nA\nB")
    written = render_track(track.with_texts(["Hallo.", "", "C"])).decode()
    assert written == f"1\n{T1}\nHallo.\n\n2\n{T2}\n\n3\n00:00:05,000 --> 00:00:06,000\nC"
    source = (DATA / "lecture.en.vtt").read_bytes()
    rich = parse_track(source, format="vtt")
    assert not rich.repairs and render_track(rich) == source
    german = rich.with_texts(["Willkommen.", "<v Ann>Ja &amp; nein.", "- Gut.\n- Schlecht."])
    assert render_track(german) == (DATA / "lecture.de.vtt").read_bytes()


@pytest.mark.parametrize(("text", "format"), [(SRT, "srt"), (VTT, "vtt")])
@pytest.mark.parametrize("times", ["00:00:09,000 --> 00:00:10,000", "00:09.000 --> 00:10.000"])
def test_a_new_text_cannot_break_the_file(text, format, times):
    changed = read(text, format).with_texts([f"Eins\n\n2\n{times}\nZwei\r\n\r\nDrei", "Vier"])
    again = parse_track(render_track(changed), format=format)
    assert [cue.start for cue in again.cues] == [1000, 3000]
    assert "Drei" in again.cues[0].text


def test_identifiers_and_settings_are_read():
    cues = [(cue.identifier, cue.settings, cue.line) for cue in read(VTT, "vtt").cues]
    assert cues == [("", "", 3), ("last", "line:0", 7)]


def test_many_like_repairs_are_folded_into_one_but_lost_cues_never_are():
    cues = "".join(f"00:00:{at:02d},000 --> 00:00:{at + 1:02d},000\nA\n\n" for at in range(20))
    (repair,) = read(cues).repairs
    assert (repair.line, "19 more lines, to line 58" in repair.problem) == (1, True)
    lost = "".join(f"{at}\n00:xx --> 00:{at}\nA\n\n" for at in range(2, 12))
    assert [told.line for told in read(f"{one(T1)}\n{lost}").repairs] == list(range(6, 46, 4))


@pytest.mark.parametrize(
    ("text", "format", "problem"),
    [
        *(("", "srt", "empty"), (" \n\n", "srt", "empty"), ("", "vtt", "empty")),
        *(("Some\ntext", "srt", "no cue"), ("1\ntext", "srt", "no cue")),
        ("Just text\n", "vtt", "neither"),
    ],
)
def test_a_file_without_cues_is_refused_in_one_line(text, format, problem):
    with pytest.raises(InputFileError, match=problem) as caught:
        read(text, format)
    assert str(caught.value).startswith(f"movie.{format}:1: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "format", "lines"),
    [
        (SRT.replace("00:00:03,000", "00:00:xx"), "srt", [6]),
        (SRT.replace(f"{T2}\n", ""), "srt", [5]),
        (SRT.replace("Bye.", "10 --> 20"), "srt", []),
        (f"Subtitles --> by Ann\n\n{SRT}", "srt", []),
        (f"0\n00:00:0o --> 00:00:01\nHi.\n\n{SRT}", "srt", [2]),
        (VTT.replace("00:03.000", "00:xx") + "\nNo cue either.\n", "vtt", [7]),
        *((VTT.replace("T\n", f"T{arrow}\n", 1), "vtt", [1]) for arrow in (
            " 00:01.000 --> 00:02.000", "\t-->", " - a --> b")),
        (VTT.replace("\n", "\nx 00:01.000 --> 00:02.000\nHow are you?\n", 1), "vtt", [2]),
    ],
)  # fmt: skip
def test_blocks_that_cannot_be_read_as_cues_are_known_and_stay(text, format, lines):
    track = read(text, format)
    assert unread(track) == lines
    assert render_track(track) == text.encode()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (f"At {T1}", "something before the times"),
        ("00:00:01,000 --> later", "one time"),
        ("he --> she", "no times"),
        ("00:00:01,000 or --> 00:00:02,000", "not two of minutes and seconds"),
    ],
)
def test_a_line_that_is_taken_as_text_is_told_with_the_reason(line, why):
    (told,) = read(f"{one(T1)}{line}\n").repairs
    assert told.line == 4
    assert why in told.problem and "taken as text" in told.problem


def test_text_that_looks_like_a_header_stays_text_and_arrows_before_one_are_told():
    track = read(VTT, "vtt").with_texts(["See\nWEBVTT", "Bye.\nWEBVTT"])
    again = parse_track(render_track(track), format="vtt")
    assert render_track(again, output_format="txt") == b"See WEBVTT\nBye. WEBVTT\n"
    joined = read(VTT.replace("Hello.", "It is 0 --> 1\nWEBVTT\nWEBVTT"), "vtt")
    assert cue_rows(joined)[0] == (1000, 2000, "It is 0 --&gt; 1")
    assert [repair.line for repair in joined.repairs] == [4, 5]
