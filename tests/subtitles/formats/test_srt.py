"""Every quirk of real SubRip files: read right, or mended with a warning that names the line."""

import pytest

from subfit.errors import InputFileError
from subfit.subtitles.cues import Unread
from subfit.subtitles.formats import parse_track, render_track

CLEAN = "1\n00:00:01,000 --> 00:00:02,000\nHello.\n\n2\n00:00:03,000 --> 00:00:04,500\nBye.\n"


def read(text):
    return parse_track(text.encode(), name="movie.srt", format="srt")


def unread(track):
    return [repair.line for repair in track.repairs if isinstance(repair, Unread)]


def cue_rows(track):
    return [(cue.start, cue.end, cue.text) for cue in track.cues]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("At 00:00:01,000 --> 00:00:02,000", "something before the times"),
        ("00:00:01,000 --> later", "one time"),
        ("he --> she", "no times"),
        ("00:00:01,000 or --> 00:00:02,000", "not two of minutes and seconds"),
    ],
)
def test_a_line_that_is_taken_as_text_is_told_with_the_reason(line, why):
    (told,) = read(f"1\n00:00:01,000 --> 00:00:02,000\nHello.\n{line}\n").repairs
    assert told.line == 4
    assert why in told.problem
    assert "taken as text" in told.problem


HELLO, BYE = (1000, 2000, "Hello."), (3000, 4500, "Bye.")
TIMES_1, TIMES_2 = "00:00:01,000 --> 00:00:02,000", "00:00:03,000 --> 00:00:04,500"

# name, file, cues, (line, part of the warning) of every repair
QUIRKS = [
    ("clean", CLEAN, [HELLO, BYE], []),
    (
        "a second arrow",
        f"1\n{TIMES_1} --> 3\nHello.\n",
        [HELLO],
        [(2, "text on the timing line"), (2, "not in SubRip form")],
    ),
    ("no newline at the end", CLEAN.rstrip("\n"), [HELLO, BYE], []),
    ("blank lines at the end", CLEAN + "\n\n", [HELLO, BYE], []),
    (
        "no milliseconds",
        "1\n00:00:01 --> 00:00:02\nHello.\n",
        [HELLO],
        [(2, "read as 00:00:01,000 --> 00:00:02,000")],
    ),
    (
        "blank line in text",
        f"1\n{TIMES_1}\nHello,\n\nyou.\n\n2\n{TIMES_2}\nBye.\n",
        [(1000, 2000, "Hello,\nyou."), BYE],
        [(5, "blank line inside")],
    ),
    (
        "blank line before the text",
        f"1\n{TIMES_1}\n\nHello.\n\n2\n{TIMES_2}\nBye.\n",
        [HELLO, BYE],
        [(4, "blank line inside")],
    ),
    (
        "no blank line between cues",
        f"1\n{TIMES_1}\nHello.\n2\n{TIMES_2}\nBye.\n",
        [HELLO, BYE],
        [(4, "no blank line before this cue")],
    ),
    (
        "no index",
        f"{TIMES_1}\nHello.\n\n{TIMES_2}\nBye.\n",
        [HELLO, BYE],
        [(1, "no number"), (4, "no number")],
    ),
    (
        "neither index nor blank line",
        f"{TIMES_1}\nHello.\n{TIMES_2}\nBye.\n",
        [HELLO, BYE],
        [(1, "no number"), (3, "no number"), (3, "no blank line")],
    ),
    (
        "repeated index",
        f"1\n{TIMES_1}\nHello.\n\n1\n{TIMES_2}\nBye.\n",
        [HELLO, BYE],
        [(5, "used before")],
    ),
    (
        "text before the first cue",
        f"Subtitles by Ann\n\n1\n{TIMES_1}\nHello.\n",
        [HELLO],
        [(1, "before the first cue")],
    ),
    (
        "text right above the first times",
        f"Subtitles by Ann\n{TIMES_1}\nHello.\n",
        [HELLO],
        [(1, "before the first cue"), (2, "no number")],
    ),
    ("-> arrow", "1\n00:00:01,000 -> 00:00:02,000\nHello.\n", [HELLO], [(2, "read as")]),
    ("dash arrow", "1\n00:00:01,000 –> 00:00:02,000\nHello.\n", [HELLO], [(2, "read as")]),
    ("escaped arrow", "1\n00:00:01,000 --&gt; 00:00:02,000\nHello.\n", [HELLO], [(2, "read as")]),
    ("mm:ss,mmm", "1\n00:01,000 --> 00:02,000\nHello.\n", [HELLO], [(2, "read as")]),
    (
        "one-digit fraction is tenths",
        "1\n0:0:1,5 --> 0:0:2,25\nHello.\n",
        [(1500, 2250, "Hello.")],
        [(2, "read as 00:00:01,500 --> 00:00:02,250")],
    ),
    ("dots", "1\n00:00:01.000 --> 00:00:02.000\nHello.\n", [HELLO], [(2, "read as")]),
    ("colon fraction", "1\n00:00:01:000 --> 00:00:02:000\nHello.\n", [HELLO], [(2, "read as")]),
    (
        "seconds above 59",
        "1\n00:00:59,000 --> 00:00:61,000\nHello.\n",
        [(59000, 61000, "Hello.")],
        [(2, "--> 00:01:01,000")],
    ),
    (
        "empty cue",
        f"1\n{TIMES_1}\n\n2\n{TIMES_2}\nBye.\n",
        [(1000, 2000, ""), BYE],
        [],
    ),
    ("empty cue at the end", f"1\n{TIMES_1}", [(1000, 2000, "")], []),
    (
        "coordinates",
        "1\n00:00:01,000 --> 00:00:02,000 X1:10 X2:20 Y1:30 Y2:40\nHello.\n",
        [HELLO],
        [],
    ),
    (
        "text on the timing line",
        "1\n00:00:01,000 --> 00:00:02,000 Hello.\n",
        [(1000, 2000, "")],
        [(2, "text on the timing line")],
    ),
    (
        "over 99 hours",
        "1\n100:00:01,000 --> 100:00:02,000\nHello.\n",
        [(360001000, 360002000, "Hello.")],
        [],
    ),
    (
        "zero duration",
        "1\n00:00:01,000 --> 00:00:01,000\nHello.\n",
        [(1000, 1000, "Hello.")],
        [(2, "no duration")],
    ),
    (
        "negative duration",
        "1\n00:00:02,000 --> 00:00:01,000\nHello.\n",
        [(2000, 1000, "Hello.")],
        [(2, "ends before it begins")],
    ),
    (
        "a start before zero",
        "1\n-00:00:01,000 --> 00:00:02,000\nHello.\n",
        [(0, 2000, "Hello.")],
        [(2, "“-00:00:01,000 --> 00:00:02,000” read as 00:00:00,000 --> 00:00:02,000")],
    ),
    (
        "all of it before zero",
        "1\n-0:0:2,0 --> -0:0:1,0\nHello.\n",
        [(0, 0, "Hello.")],
        [(2, "read as 00:00:00,000 --> 00:00:00,000"), (2, "no duration")],
    ),
    (
        "overlap",
        "1\n00:00:01,000 --> 00:00:04,000\nA\n\n2\n00:00:03,000 --> 00:00:04,500\nBye.\n",
        [(1000, 4000, "A"), BYE],
        [],
    ),
    (
        "U+2028 and U+0085 are no line ends",
        f"1\n{TIMES_1}\nA\u2028B\x85C\n",
        [(1000, 2000, "A\u2028B\x85C")],
        [],
    ),
    ("plain < & >", f"1\n{TIMES_1}\nA < B & C > D\n", [(1000, 2000, "A < B & C > D")], []),
    ("a number as text", f"1\n{TIMES_1}\n3\n\n2\n{TIMES_2}\nBye.\n", [(1000, 2000, "3"), BYE], []),
    (
        "an arrow in the text",
        f"1\n{TIMES_1}\nGo --> there.\n",
        [(1000, 2000, "Go --> there.")],
        [(3, "taken as text")],
    ),
    ("times in the text", f"1\n{TIMES_1}\n10:30 -> 11:30\n", [(1000, 2000, "10:30 -> 11:30")], []),
    (
        "a cue without times",
        f"1\n{TIMES_1}\nHello.\n\n2\nLost.\n\n3\n{TIMES_2}\nBye.\n",
        [HELLO, BYE],
        [(5, "cue number without times")],
    ),
    (
        "a cue with unreadable times",
        f"1\n{TIMES_1}\nHello.\n\n2\n00:0x:00,000 --> ?\nLost.\n\n3\n{TIMES_2}\nBye.\n",
        [HELLO, BYE],
        [(6, "cannot be read: “00:0x:00,000 --> ?”; the block is kept")],
    ),
    ("byte order mark inside", f"\ufeff1\n{TIMES_1}\nHello.\n", [HELLO], []),
    ("CR CR LF", CLEAN.replace("\n", "\r\r\n"), [HELLO, BYE], [(1, "doubled")]),
    ("mixed line ends", CLEAN.replace("\n", "\r\n", 2), [HELLO, BYE], [(1, "mixed")]),
    ("lone CR", CLEAN.replace("\n", "\r"), [HELLO, BYE], []),
    ("NUL", CLEAN.replace("Hello", "He\0lo"), [(1000, 2000, "He\ufffdlo."), BYE], [(3, "NUL")]),
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
def test_what_is_written_reads_the_same(text):
    track = read(text)
    again = parse_track(render_track(track), format="srt")
    assert cue_rows(again) == cue_rows(track)
    assert [cue.identifier for cue in again.cues] == [cue.identifier for cue in track.cues]


@pytest.mark.parametrize(
    "text",
    [
        CLEAN,
        CLEAN.rstrip("\n"),
        CLEAN + "\n\n\n",
        CLEAN.replace("\n", "\r\n"),
        CLEAN.replace("\n", "\r"),
        "\ufeff" + CLEAN,
        "By Ann\n\n" + CLEAN,
        CLEAN.replace("2\n00", "7\n00"),
        CLEAN.replace("\n\n2", "\n \n\n2"),
        CLEAN.replace("Hello.", "  <i>Hello</i> \t"),
        CLEAN.replace("02,000", "02,000 X1:1 X2:2 Y1:3 Y2:4"),
        CLEAN.replace("Hello.\n", ""),
    ],
)
def test_untouched_file_is_written_byte_for_byte(text):
    assert render_track(read(text)) == text.encode()


def test_new_texts_are_spliced_in_and_nothing_else_changes():
    track = read(CLEAN.replace("Hello.\n", "") + "\n3\n00:00:05,000 --> 00:00:06,000\nA\nB")
    written = render_track(track.with_texts(["Hallo.", "", "C"])).decode()
    assert written == (
        "1\n00:00:01,000 --> 00:00:02,000\nHallo.\n\n2\n00:00:03,000 --> 00:00:04,500\n"
        "\n3\n00:00:05,000 --> 00:00:06,000\nC"
    )


def test_a_new_text_cannot_break_the_file():
    track = read(CLEAN)
    nasty = "Eins\n\n2\n00:00:09,000 --> 00:00:10,000\nZwei\r\n\r\nDrei"
    again = parse_track(render_track(track.with_texts([nasty, "Vier"])), format="srt")
    assert [cue.start for cue in again.cues] == [1000, 3000]
    assert "Drei" in again.cues[0].text


def test_many_like_repairs_are_folded_into_one():
    cues = "".join(f"00:00:{at:02d},000 --> 00:00:{at + 1:02d},000\nA\n\n" for at in range(20))
    (repair,) = read(cues).repairs
    assert (repair.line, "19 more lines, to line 58" in repair.problem) == (1, True)


def test_lost_cues_are_never_folded():
    lost = "".join(f"{at}\n00:xx --> 00:{at}\nA\n\n" for at in range(2, 12))
    repairs = read(f"1\n{TIMES_1}\nHello.\n\n{lost}").repairs
    assert [repair.line for repair in repairs] == list(range(6, 46, 4))


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "empty"), (" \n\n", "empty"), ("Just\nsome text", "no cue"), ("1\ntext", "no cue")],
)
def test_a_file_without_cues_is_refused_in_one_line(text, problem):
    with pytest.raises(InputFileError, match=problem) as caught:
        read(text)
    assert str(caught.value).startswith("movie.srt:1: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (CLEAN, []),
        (CLEAN.replace("00:00:03,000", "00:00:xx"), [6]),
        (CLEAN.replace(f"{TIMES_2}\n", ""), [5]),
        (CLEAN.replace("Bye.", "10 --> 20"), []),
        (f"Subtitles --> by Ann\n\n{CLEAN}", []),
        (f"0\n00:00:0o --> 00:00:01\nHi.\n\n{CLEAN}", [2]),
    ],
)
def test_blocks_that_cannot_be_read_as_cues_are_known(text, lines):
    assert unread(read(text)) == lines
