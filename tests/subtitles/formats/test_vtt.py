"""WebVTT: everything that is not cue text stays as it is, and no cue is lost in silence."""

from pathlib import Path

import pytest
import webvtt

from subfit.errors import InputFileError
from subfit.subtitles.cues import Unread
from subfit.subtitles.formats import parse_track, render_track

DATA = Path(__file__).parent / "data"
CLEAN = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n\nlast\n00:03.000 --> 00:04.500 line:0\nBye.\n"
HELLO, BYE = (1000, 2000, "Hello."), (3000, 4500, "Bye.")


def read(text):
    return parse_track(text.encode(), name="movie.vtt", format="vtt")


def cue_rows(track):
    return [(cue.start, cue.end, cue.text) for cue in track.cues]


QUIRKS = [
    ("clean", CLEAN, [HELLO, BYE], []),
    (
        "no signature",
        CLEAN.removeprefix("WEBVTT\n\n"),
        [HELLO, BYE],
        [(1, "signature is missing")],
    ),
    ("indented signature", "\t" + CLEAN, [HELLO, BYE], [(1, "written as WEBVTT")]),
    (
        "lower-case signature",
        CLEAN.lower(),
        [(1000, 2000, "hello."), (3000, 4500, "bye.")],
        [(1, "written as WEBVTT")],
    ),
    (
        "comma times",
        CLEAN.replace("01.000", "01,000"),
        [HELLO, BYE],
        [(3, "read as 00:00:01.000 --> 00:00:02.000")],
    ),
    (
        "a start before zero",
        CLEAN.replace("00:01.000", "-00:01.000", 1),
        [(0, 2000, "Hello."), BYE],
        [(3, "read as 00:00:00.000 --> 00:00:02.000")],
    ),
    ("-> arrow", CLEAN.replace("-->", "->", 1), [HELLO, BYE], [(3, "read as")]),
    (
        "no blank line between cues",
        CLEAN.replace("Hello.\n\nlast\n", "Hello.\n"),
        [HELLO, BYE],
        [(5, "no blank line")],
    ),
    (
        "no blank line, numbered",
        "WEBVTT\n\n1\n00:01.000 --> 00:02.000\nHello.\n2\n00:03.000 --> 00:04.500\nBye.\n",
        [HELLO, BYE],
        [(6, "no blank line")],
    ),
    (
        "no blank line after the header",
        CLEAN.replace("WEBVTT\n\n", "WEBVTT\n"),
        [HELLO, BYE],
        [(2, "no blank line")],
    ),
    ("empty cue", CLEAN.replace("Hello.\n", ""), [(1000, 2000, ""), BYE], []),
    (
        "text outside of cues",
        CLEAN.replace("\n\nlast", "\n\nmore\ntext\n\nlast"),
        [HELLO, BYE],
        [(6, "text outside of any cue")],
    ),
    (
        "unreadable times",
        CLEAN.replace("\n\nlast", "\n\n00:0x.000 --> 00:07.000\nLost.\n\nlast"),
        [HELLO, BYE],
        [(6, "cannot be read")],
    ),
    (
        "arrow in text",
        CLEAN.replace("Hello.", "Go --> there"),
        [(1000, 2000, "Go --&gt; there"), BYE],
        [(4, "taken as text")],
    ),
    (
        "minutes above 59",
        CLEAN.replace("00:04.500", "00:60:04.500"),
        [HELLO, (3000, 3604500, "Bye.")],
        [(7, "read as")],
    ),
    ("NUL", CLEAN.replace("Hello", "He\0lo"), [(1000, 2000, "He\ufffdlo."), BYE], [(4, "NUL")]),
    ("arrow in a note", CLEAN.replace("\n\nlast", "\n\nNOTE a --> b\n\nlast"), [HELLO, BYE], []),
    ("signature only", "WEBVTT", [], []),
    ("header only", "WEBVTT Title\nKind: captions\n\nNOTE nothing yet\n", [], []),
]


@pytest.mark.parametrize(
    ("text", "cues", "repairs"), [row[1:] for row in QUIRKS], ids=[row[0] for row in QUIRKS]
)
def test_quirk_is_read_right_or_reported_with_its_line(text, cues, repairs):
    track = read(text)
    assert cue_rows(track) == cues
    assert [repair.line for repair in track.repairs] == [line for line, _ in repairs]
    for repair, (_, part) in zip(track.repairs, repairs, strict=True):
        assert part in repair.problem


@pytest.mark.parametrize("text", [row[1] for row in QUIRKS], ids=[row[0] for row in QUIRKS])
def test_what_is_written_is_proper_webvtt_with_the_same_cues(text):
    track = read(text)
    written = render_track(track).decode()
    assert cue_rows(parse_track(written.encode(), format="vtt")) == cue_rows(track)
    assert len(webvtt.from_string(written).captions) == len(track.cues)


@pytest.mark.parametrize(
    "text",
    [
        CLEAN,
        CLEAN.rstrip("\n"),
        CLEAN.replace("\n", "\r\n"),
        "\ufeff" + CLEAN,
        "WEBVTT - Title\nKind: captions\nLanguage: en\n\nNOTE x\n\n" + CLEAN[8:],
        CLEAN.replace("Hello.", " \nword<00:01.500><c> more</c>"),
        CLEAN.replace("Hello.\n", "Hello.\n \n"),
        CLEAN + "\nNOTE the end",
    ],
)
def test_untouched_file_is_written_byte_for_byte(text):
    assert render_track(read(text)) == text.encode()


def test_a_rich_file_keeps_all_but_its_texts():
    source = (DATA / "lecture.en.vtt").read_bytes()
    track = parse_track(source, format="vtt")
    assert not track.repairs
    assert render_track(track) == source
    german = track.with_texts(["Willkommen.", "<v Ann>Ja &amp; nein.", "- Gut.\n- Schlecht."])
    assert render_track(german) == (DATA / "lecture.de.vtt").read_bytes()


def test_identifiers_and_settings_are_read():
    track = read(CLEAN)
    assert [(cue.identifier, cue.settings, cue.line) for cue in track.cues] == [
        ("", "", 3),
        ("last", "line:0", 7),
    ]


def test_a_new_text_cannot_break_the_file():
    nasty = "Eins\n\n00:09.000 --> 00:10.000\nZwei"
    again = parse_track(render_track(read(CLEAN).with_texts([nasty, "Vier"])), format="vtt")
    assert [cue.start for cue in again.cues] == [1000, 3000]


@pytest.mark.parametrize(("text", "problem"), [("", "empty"), ("Just text\n", "neither")])
def test_a_file_that_is_no_subtitles_is_refused(text, problem):
    with pytest.raises(InputFileError, match=problem) as caught:
        read(text)
    assert str(caught.value).startswith("movie.vtt:1: ")


def test_blocks_that_cannot_be_read_as_cues_are_known():
    track = read(CLEAN.replace("00:03.000", "00:xx") + "\nNo cue either.\n")
    assert [repair.line for repair in track.repairs if isinstance(repair, Unread)] == [7]


@pytest.mark.parametrize("behind", [" 00:01.000 --> 00:02.000", "\t-->", " - a --> b"])
def test_arrows_in_the_signature_are_told(behind):
    data = f"WEBVTT{behind}\n\n00:03.000 --> 00:04.000\nFine.\n".encode()
    track = parse_track(data, format="vtt")
    assert [(repair.line, type(repair)) for repair in track.repairs] == [(1, Unread)]
    assert render_track(track) == data


def test_times_that_cannot_be_read_below_the_signature_are_told():
    data = b"WEBVTT\nx 00:01.000 --> 00:02.000\nHow are you?\n\n00:03.000 --> 00:04.000\nFine.\n"
    track = parse_track(data, format="vtt")
    assert [(repair.line, type(repair)) for repair in track.repairs] == [(2, Unread)]
    assert "something before the times" in track.repairs[0].problem
    assert render_track(track) == data


def test_text_that_looks_like_a_header_stays_text_and_arrows_before_one_are_told():
    track = read(CLEAN).with_texts(["See\nWEBVTT", "Bye.\nWEBVTT"])
    again = parse_track(render_track(track), format="vtt")
    assert render_track(again, output_format="txt") == b"See WEBVTT\nBye. WEBVTT\n"
    joined = read(CLEAN.replace("Hello.", "It is 0 --> 1\nWEBVTT\nWEBVTT"))
    assert cue_rows(joined)[0] == (1000, 2000, "It is 0 --&gt; 1")
    assert [repair.line for repair in joined.repairs] == [4, 5]
