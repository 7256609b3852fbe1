"""EBU STL: read and written here; what is written is read again by ttconv."""

import io
import math
from dataclasses import replace

import pytest
from ttconv import model
from ttconv.stl import reader

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import parse_track, render_track

ROWS = [
    ("Hello there.", b"Hello there."),
    ("One\ntwo", b"One\x8atwo"),
    ("Straße über ñandú", b"Stra\xfbe \xc8uber \xc4nand\xc2u"),
    ("Čeština, Łódź, Århus", b"\xcfCe\xcfstina, \xe8\xc2od\xc2z, \xcaArhus"),
    ("Ça va, œuvre\u00a0!", b"\xcbCa va, \xfauvre\xa0!"),
    ("“Quoted” ‘so’ — «thus»", b"\xaaQuoted\xba \xa9so\xb9 \xd0 \xabthus\xbb"),
    ("<i>All</i> of it", b"\x80All\x81 of it"),
    ("<u>One</u>", b"\x82One\x83"),
    ("♪ la la", b"\xd5 la la"),
]  # fmt: skip


def written(*texts: str, language: str = "de") -> bytes:
    """A file of cues of a second each."""
    cues = tuple(
        Cue(2000 * number, 2000 * number + 1000, text) for number, text in enumerate(texts, 1)
    )
    return render_track(Track(cues, "stl", language=language))


def seen(data: bytes) -> list[tuple[int, int, str]]:
    """Times in milliseconds and text of the subtitles of a file, as ttconv has them."""
    found = []
    for one in reader.to_model(io.BytesIO(data)).get_body().dfs_iterator():
        if isinstance(one, model.P):
            parts = (
                part.get_text() if isinstance(part, model.Text) else "\n"
                for part in one.dfs_iterator()
                if isinstance(part, model.Text | model.Br)
            )
            times = (math.floor(time * 1000) for time in (one.get_begin(), one.get_end()))
            found.append((*times, "".join(parts)))
    return found


def block(
    text: bytes, *, number: int = 1, extension: int = 255, comment: int = 0, row: int = 20
) -> bytes:
    """A block of text from second 10 to 12, at 00:00:10:05."""
    head = bytes([0, number, 0, extension, 0, 10, 0, 10, 5, 10, 0, 12, 0, row, 2, comment])
    return head + text.ljust(112, b"\x8f")


GSI = written("x")[:1024].replace(b"0000000000000200", b"1000000010001005", 1)
TELETEXT = GSI[:11] + b"1" + GSI[12:]


@pytest.mark.parametrize(("payload", "stored"), ROWS)
def test_texts_are_stored_as_the_latin_table_has_them(payload: str, stored: bytes) -> None:
    data = written(payload)
    assert data[1040:].startswith(stored + b"\x8f")
    track = parse_track(data, name="film.stl")
    assert track.format == "stl" and [cue.text for cue in track.cues] == [payload]
    assert render_track(track) == data
    plain = payload.replace("<i>", "").replace("</i>", "").replace("<u>", "").replace("</u>", "")
    ((start, end, text),) = seen(data)
    assert (start, end) == (2000, 3000)
    # ttconv has a space only for a code between two letters.
    assert text.replace(" ", "") == plain.replace(" ", "")


def test_what_is_lacking_is_written_as_what_stands_for_it_or_refused() -> None:
    assert [cue.text for cue in parse_track(written("\u201eGut\u201c \u2013 ja \u2026")).cues] == [
        "\u201cGut\u201c - ja ..."
    ]
    with pytest.raises(UsageError, match=r"'\u6f22' \(U\+6F22\) cannot be written in EBU STL"):
        written("漢")


@pytest.mark.parametrize(
    ("language", "text", "table"),
    [("ru", "Привет", b"01"), ("ar", "مرحبا", b"02"), ("el", "Γεια", b"03"), ("he", "שלום", b"04")],
)
def test_other_scripts_have_their_own_tables(language: str, text: str, table: bytes) -> None:
    data = written(text, "abc", language=language)
    assert data[12:14] == table and data[238:248] == b"0000200002"
    assert [row[2] for row in seen(data)] == [text, "abc"]
    assert reader.to_model(io.BytesIO(data)).get_lang() == language


@pytest.mark.parametrize(
    ("blocks", "texts"),
    [
        ([block(b"\x0d\x0b\x0bHello.\x0a\x0a")], ["Hello."]),
        (
            [block(b"\x0d\x03\x0b\x0bOne\x0a\x0a\x8a\x8a\x0d\x03\x0b\x0btwo\x0a\x0a")],
            ["<c.yellow>One</c>\n<c.yellow>two</c>"],
        ),
        ([block(b"\x0d\x0b\x0bOne\x06two\x07three\x0a\x0a")], ["One <c.cyan>two</c> three"]),
        ([block(b"x" * 112, extension=0), block(b"y")], ["x" * 112 + "y"]),
        ([block(b"a note", comment=1), block(b"One"), block(b"user", extension=254)], ["One"]),
        ([block(b"One"), b"rest of a block"], ["One"]),
        ([block(b"A \x26 B \x3c C")], ["A &amp; B &lt; C"]),
        ([block(b"no tag: <i>")], ["no tag: &lt;i&gt;"]),
        ([block(b"none: \xa6, \xc9, \xc2")], ["none: \ufffd, \ufffd, \ufffd"]),
        ([block(b"One", row=2), block(b"Two", number=2)], ["One", "Two"]),
    ],
)  # fmt: skip
def test_files_as_they_are_stay_so(blocks: list[bytes], texts: list[str]) -> None:
    data = TELETEXT + b"".join(blocks)
    track = parse_track(data)
    assert [cue.text for cue in track.cues] == texts
    assert (track.cues[0].start, track.cues[0].end) == (10200, 12000)  # after 10:00:00:00
    assert track.cues[0].settings == ("line:0" if len(texts) == 2 else "")
    assert render_track(track) == data
    assert len(track.repairs) == data.endswith(b"rest of a block")


def test_a_translation_keeps_boxes_colours_rows_and_codes() -> None:
    boxed = block(b"\x0d\x03\x0b\x0bOne\x0a\x0a")
    track = parse_track(TELETEXT + block(b"note", comment=1) + boxed)
    translated = replace(track.with_texts(["<c.yellow>Größe\nzwei</c>"]), language="de")
    data = render_track(translated)
    rows = b"\x0d\x0b\x0b\x03Gr\xc8o\xfbe\x0a\x0a\x8a\x8a\x0d\x0b\x0b\x03zwei\x0a\x0a"
    assert data[1024:] == block(b"note", comment=1) + block(rows, row=18)
    assert data[:1024] == TELETEXT[:14] + b"08" + TELETEXT[16:238] + b"0000200001" + TELETEXT[248:]
    later = render_track(track.with_ends([12120]))
    assert later[1024 + 128 + 9 : 1024 + 128 + 13] == bytes([10, 0, 12, 3])


def test_a_cue_without_text_is_written_too() -> None:
    data = written("Hello.", "", "Bye.")
    assert data[238:248] == b"0000300003" and len(data) == 1024 + 3 * 128
    cues = parse_track(data, name="film.stl").cues
    assert [(cue.start, cue.text) for cue in cues] == [(2000, "Hello."), (4000, ""), (6000, "Bye.")]


def test_long_texts_run_over_blocks() -> None:
    text = "\n".join(["Übergrößenträger" * 3] * 3)
    data = written(text)
    assert len(data) == 1024 + 2 * 128 and [data[1027], data[1155]] == [0, 255]
    assert seen(data)[0][2] == parse_track(data).cues[0].text == text


def test_damaged_times_and_rows_are_written_as_they_are_read() -> None:
    first = block(b"One", extension=0)
    early = block(b"One")[:5] + bytes(4) + block(b"One")[9:]
    track = parse_track(TELETEXT + first + early + block(b"Two\x8atoo\x8atoo", row=255))
    again = parse_track(render_track(track.with_texts(["One!", "Two"])))
    old, new = ([(cue.start, cue.end) for cue in each.cues] for each in (track, again))
    assert old == new


@pytest.mark.parametrize("data", [b"", b"SPRUCE", GSI, GSI[:900], b"x" * 2000])
def test_what_is_no_ebu_stl_is_refused(data: bytes) -> None:
    with pytest.raises(InputFileError, match=r"no EBU STL|no subtitle found"):
        parse_track(data, format="stl")
