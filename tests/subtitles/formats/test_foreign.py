"""Formats that are only read, and plain text."""

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from subfit.errors import InputFileError, MissingPackageError, SubfitError, UsageError
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import (
    parse_track,
    read_track,
    render_track,
    write_track,
    written_path,
)
from subfit.subtitles.formats.convert import conversion_losses
from subfit.subtitles.scripts.columns import ScriptReading

SCC = (
    "Scenarist_SCC V1.0\n\n"
    "00:00:01:00\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef2e 942c 942c 942f 942f\n\n"
    "00:00:03:00\t9420 9420 94ae 94ae 9470 9470 91ae 91ae c279 e5ae 942c 942c 942f 942f\n\n"
    "00:00:05:00\t942c 942c\n"
)
SCC_TEXTS = [  # codes of CEA-608 as numbers, and the text that they show
    ((0x1470, "Hello there."), "Hello there."),
    ((0x1450, "One", 0x1470, "two"), "One\ntwo"),
    ((0x1350, "One", 0x1450, "two", 0x1470, "three"), "One\ntwo\nthree"),
    ((0x1470, 0x112E, "All of it"), "<i>All of it</i>"),
    ((0x146E, "All of it"), "<i>All of it</i>"),
    ((0x1470, "not ", 0x112E, "all", 0x1120, " of it"), "not <i>all</i> of it"),
    ((0x1470, 0x1121, "under"), "<u>under</u>"),
    ((0x1470, 0x1122, "green"), "green"),
    ((0x1470, 0x1137, " la la ", 0x1137), "♪ la la ♪"),
    ((0x1150, "At the top"), "{\\an8}At the top"),
    ((0x1454, "- Who?", 0x1474, "- Me."), "- Who?\n- Me."),
    ((0x1470, "A & B < C"), "A & B < C"),
    ((0x1470, "Ni~o, \\l, *"), "Niño, él, á"),
    ((0x1470, "GrO", 0x1333, "s", 0x1334, "e"), "Größe"),
    ((0x1470, "<", 0x123E, "va>", 0x123F), "«va»"),
    ((0x1470, "20 ", 0x1131, "F"), "20 °F"),
    ((0x1470, ">> ANN: Yes."), ">> ANN: Yes."),
    ((0x1470, "[music]"), "[music]"),
    ((0x1470, '"So", 50%'), '"So", 50%'),
    ((0x1470, "x", 0x122E, "So x", 0x122F), "“So ”"),
]


def scc(*parts: int | str) -> str:
    """A caption that is shown from the first second to the third, and the end of a second one."""

    def line(at: int, *parts: int | str) -> str:
        codes = [
            part.to_bytes(2) if isinstance(part, int) else part.encode() + b"\0" * (len(part) % 2)
            for part in parts
        ]
        odd = bytes(code | 0x80 * (code.bit_count() % 2 == 0) for code in b"".join(codes))
        return f"00:00:{at:02}:00\t{odd.hex(' ', 2)}\n\n"

    loaded = line(1, 0x1420, 0x142E, *parts, 0x142F)
    return "Scenarist_SCC V1.0\n\n" + loaded + line(3, 0x142C)


@pytest.mark.parametrize(("parts", "expected"), SCC_TEXTS)
def test_closed_captions_become_subrip(parts: tuple[int | str, ...], expected: str) -> None:
    track = parse_track(scc(*parts).encode(), format="scc")
    (cue,) = parse_track(render_track(track, output_format="srt")).cues
    assert (cue.text, track.cues[0].line) == (expected, 3)
    assert 1000 < cue.start < 1600 and cue.end == 3003


SAMI = (
    "<SAMI><HEAD><STYLE><!-- .EN {lang: en-US;} --></STYLE></HEAD><BODY>\n"
    "<SYNC Start=1000><P Class=EN>Hello,<br>\n<i>you</i>\n"
    "<SYNC Start=2500><P Class=EN>&nbsp\n"
    "<SYNC Start=3000><P Class=EN>A &amp; B<P Class=FR>Au revoir\n</BODY></SAMI>\n"
)
FILES = [
    ("scc", SCC, [(1368, 3337, "Hello."), (3403, 5005, "<i>Bye.</i>")], None),
    ("sbv", "0:00:01.000,0:00:02.500\nHi[br]you\nthere\n\n0:00:03.000,0:00:04.000\nA < B\n",
     [(1000, 2500, "Hi\nyou\nthere"), (3000, 4000, "A < B")], None),
    ("lrc", "[ti:Song]\n[00:01.00]One\n[00:02.50][00:05.00]Two <00:03.00>words\n[00:04]\n",
     [(1000, 2500, "One"), (2500, 4000, "Two words"), (5000, 10000, "Two words")], None),
    ("lrc", "[offset:+500]\n[00:01.00]One\n[00:01.500]Two\n",
     [(500, 1000, "One"), (1000, 6000, "Two")], None),
    ("sami", SAMI, [(1000, 2500, "Hello,\n<i>you</i>"), (3000, 8000, "A & B")], None),
    ("sami", "<sami><body><sync start='1'>Bare", [(1, 5001, "Bare")], None),
    ("microdvd", "{1}{1}25\n{25}{50}Hello|{y:i}you\n", [(1000, 2000, "Hello\n<i>you</i>")], None),
    (
        "microdvd",
        "{1}{1}25\n{25}{}Hello\n{50}{75}you\n",
        [(1000, 2000, "Hello"), (2000, 3000, "you")],
        None,
    ),
    ("microdvd", "{25}{50}Hello\n", [(1000, 2000, "Hello")], 25.0),
]  # fmt: skip


TEXTS = {
    # As it stands in a file, and what SubRip has of it.
    "sbv": [
        ("Hello there.", "Hello there."), ("One[br]two", "One\ntwo"), ("One\ntwo", "One\ntwo"),
        ("- Who?\n- Me.", "- Who?\n- Me."), ("A < B & C", "A < B & C"),
        (">> Ann: Yes.", ">> Ann: Yes."),
        ("[music]", "[music]"), ("♪ la la ♪", "♪ la la ♪"), ("Größe, ñandú", "Größe, ñandú"),
        ("3, 2, 1", "3, 2, 1"), ("5:30, at noon", "5:30, at noon"), ("“So”", "“So”"),
        ("Wait…", "Wait…"), ("1", "1"), ("{braces}", "{braces}"), ("50 %", "50 %"),
        ("漢字", "漢字"), ("مرحبا", "مرحبا"), ("a\\b", "a\\b"), ("#1", "#1"),
    ],
    "lrc": [
        ("One", "One"), ("<00:01.20>Two <00:01.50>words", "Two words"), ("A < B", "A < B"),
        ("- Who?", "- Who?"), ("♪ la ♪", "♪ la ♪"), ("Größe", "Größe"), ("漢字", "漢字"),
        ("(chorus)", "(chorus)"), ("Ann: Yes", "Ann: Yes"), ("5:30", "5:30"), ("50 %", "50 %"),
        ("{braces}", "{braces}"), ("“So”", "“So”"), ("Wait…", "Wait…"), ("a & b", "a & b"),
        ("مرحبا", "مرحبا"), ("1", "1"), ("a/b\\c", "a/b\\c"), ("La, la", "La, la"), ("#1", "#1"),
    ],
    "microdvd": [
        ("Hello there.", "Hello there."), ("One|two", "One\ntwo"), ("{y:i}All", "<i>All</i>"),
        ("{y:b}All", "<b>All</b>"), ("{y:u}All", "<u>All</u>"), ("- Who?|- Me.", "- Who?\n- Me."),
        ("Größe", "Größe"), ("♪ la ♪", "♪ la ♪"), ("A & B", "A & B"), ("5:30", "5:30"),
        ("[music]", "[music]"), ("“So”", "“So”"), ("Wait…", "Wait…"), ("50 %", "50 %"),
        ("#1", "#1"), ("漢字", "漢字"), ("3, 2, 1", "3, 2, 1"), ("Ann: Yes", "Ann: Yes"),
        ("(low)", "(low)"),
        ("One|two|three", "One\ntwo\nthree"),
    ],
    "sami": [
        ("Hello there.", "Hello there."), ("One<br>two", "One\ntwo"), ("One<BR/>two", "One\ntwo"),
        ("<i>All</i>", "<i>All</i>"), ("<b>All</b>", "<b>All</b>"), ("A &amp; B", "A & B"),
        ("A &lt; B", "A < B"), ("&quot;So&quot;", '"So"'), ("&#9834; la", "♪ la"),
        ("Größe", "Größe"),
        ("Gr&ouml;&szlig;e", "Größe"), ("One\n  two", "One two"),
        ("- Who?<br>- Me.", "- Who?\n- Me."),
        ("50 %", "50 %"), ("漢字", "漢字"), ("<!-- a note -->Yes.", "Yes."), ("[music]", "[music]"),
        ("<font color=red>Red</font>", None), ("5:30", "5:30"), ("<u>All</u>", "<u>All</u>"),
    ],
}  # fmt: skip
AROUND = {
    "sbv": "0:00:01.000,0:00:02.000\n{}\n\n0:00:03.000,0:00:04.000\nEnd\n",
    "lrc": "[00:01.00]{}\n[00:02.00]\n[00:03.00]End\n[00:04.00]\n",
    "microdvd": "{{1}}{{1}}25\n{{25}}{{50}}{}\n{{75}}{{100}}End\n",
    "sami": "<SAMI><BODY><SYNC Start=1000><P>{}<SYNC Start=2000><P>&nbsp;<SYNC Start=3000><P>End"
    "<SYNC Start=4000><P>&nbsp;</BODY></SAMI>",
}


@pytest.mark.parametrize(
    ("format", "text", "expected"), [(name, *one) for name, all in TEXTS.items() for one in all]
)
def test_texts_of_each_kind_become_subrip(format: str, text: str, expected: str | None) -> None:
    track = parse_track(AROUND[format].format(text).encode(), format=format)
    srt = parse_track(render_track(track, output_format="srt"))
    assert [(cue.start, cue.end) for cue in srt.cues] == [(1000, 2000), (3000, 4000)]
    assert srt.cues[0].text == expected or (expected is None and "Red" in srt.cues[0].text)
    assert srt.cues[1].text == "End"


def read(text: str, fps: float | None = None) -> Track:
    """A track of what nothing but its beginning tells of."""
    return parse_track(text.encode(), name="x.srt", by_name=True, script=ScriptReading(fps=fps))


@pytest.mark.parametrize(("format", "text", "cues", "fps"), FILES)
def test_cues_are_read_and_written_as_others(format: str, text: str, cues, fps) -> None:
    track = read(text, fps)
    assert track.format == format
    srt = parse_track(render_track(track, output_format="srt"))
    assert [(cue.start, cue.end, cue.text) for cue in srt.cues] == cues
    for other, precision in (("vtt", 1), ("ttml", 1), ("ass", 10), ("stl", 40)):
        again = parse_track(render_track(track, output_format=other))
        for new, old in zip(again.cues, track.cues, strict=True):
            assert abs(new.start - old.start) < precision and abs(new.end - old.end) < precision


def test_what_is_only_read_is_written_as_subrip_and_that_is_told(tmp_path: Path) -> None:
    track = read(SAMI)
    assert written_path(Path("film.de.smi")) == Path("film.de.srt")
    assert written_path(Path("film.de.ttml")) == Path("film.de.ttml")
    losses = [loss.problem for loss in conversion_losses(track, "srt")]
    assert losses == ["SAMI is only read: written as SubRip"]
    write_track(track, tmp_path / "film")
    assert (tmp_path / "film").read_text().startswith("1\n00:00:01,000 -->")
    with pytest.raises(UsageError, match="read and not written"):
        render_track(track)


def test_other_languages_in_a_file_are_told() -> None:
    assert any("class EN is read, not FR" in repair.problem for repair in read(SAMI).repairs)


@pytest.mark.parametrize(
    ("format", "text", "problem"),
    [
        ("microdvd", "{25}{50}Hello\n", "pass --fps"),
        ("scc", "Scenarist_SCC V1.0\n\n00:00:01:00\t94\n", "ttconv cannot read it"),
        ("sbv", "no times", "no cue found"),
        ("lrc", "[ti:only a title]", "no cue found"),
        ("sami", "<SAMI></SAMI>", "no cue found"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(format: str, text: str, problem: str) -> None:
    with pytest.raises(SubfitError, match=problem) as caught:
        parse_track(text.encode(), format=format)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, InputFileError | UsageError)


@pytest.mark.parametrize(("format", "text"), [("scc", SCC), ("microdvd", "{1}{2}x")])
def test_a_library_that_is_missing_is_named_with_its_extra(monkeypatch, format, text) -> None:
    def refuse(name: str, package: str | None = None) -> object:
        raise ImportError(name)

    monkeypatch.setattr("subfit.subtitles.formats.foreign.import_module", refuse)
    with pytest.raises(MissingPackageError, match=r"pip install 'subfit\[formats\]'"):
        parse_track(text.encode(), format=format)


def test_plain_text_on_standard_input_must_be_said(monkeypatch):
    stream = io.BytesIO(b"How are you?\n")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
    with pytest.raises(UsageError, match="--input-format"):
        read_track("-")
    stream.seek(0)
    assert [cue.text for cue in read_track("-", input_format="txt").cues] == ["How are you?"]


@pytest.mark.parametrize("text", ["one\ntwo\n", "one\n\ntwo", "one\r\n\r\n", "\n\none\u2028two\n"])
def test_plain_text_is_written_as_it_was(text):
    track = parse_track(text.encode(), format="txt")
    assert not track.timed
    assert render_track(track) == text.encode()


def test_plain_text_keeps_one_sentence_a_line():
    track = parse_track(b"one\n\ntwo\n", format="txt")
    assert [(cue.text, cue.line) for cue in track.cues] == [("one", 1), ("", 2), ("two", 3)]
    assert render_track(track.with_texts(["eins\neins", "", "zwei"])) == b"eins eins\n\nzwei\n"
    with pytest.raises(InputFileError, match="empty"):
        parse_track(b"\n", format="txt")
