"""Reading and writing whole files, as the command line does."""

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.errors import InputFileError, OutputFileError, SubfitError, UsageError
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.encoding import decode
from subfit.subtitles.formats import format_of, is_timed, parse_track, read_track, render_track
from subfit.subtitles.formats.naming import named_language, output_path
from subfit.subtitles.markup.payload import kind_of
from subfit.subtitles.repairs import mend_texts
from tests.places import ROOT

SHARED = ROOT.parent / "shared" / "subtitles"
FILMS = sorted((SHARED / "timed").glob("*.[sv]*"))[::9]
"""All would take minutes."""
REAL_FILES = [*sorted((SHARED / "fixtures").glob("*.[sv]*")), *FILMS]
SRT = b"1\n00:00:01,000 --> 00:00:02,000\nHello.\n"
VTT = b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n"


@pytest.mark.parametrize(
    ("name", "explicit", "expected"),
    [
        ("a.srt", None, "srt"),
        ("a.SRT", None, "srt"),
        ("dir.srt/a.vtt", None, "vtt"),
        ("a.webvtt", None, "vtt"),
        ("a.txt", None, "txt"),
        ("a.txt", "srt", "srt"),
        ("-", "vtt", "vtt"),
    ],
)
def test_format_by_suffix(name, explicit, expected):
    assert format_of(name, explicit) == expected


@pytest.mark.parametrize(
    ("name", "timed"),
    [
        ("a.SRT", True), ("a.smi", True), ("a.lrc", True), ("a.tsv", False), ("a.txt", False),
        ("a.xml", False), ("a.tsv.xz", False), ("a", False),  # IWSLT's test sets are .xml
    ],
)  # fmt: skip
def test_cues_are_measured_as_cues_and_sentence_pairs_as_pairs(name, timed):
    assert is_timed(name) is timed


@pytest.mark.parametrize("name", ["movie.pdf", "movie", "-"])
def test_unknown_suffix_names_the_remedy(name):
    with pytest.raises(InputFileError, match="--input-format"):
        format_of(name, None)


@pytest.mark.parametrize(("data", "expected"), [(SRT, "srt"), (VTT, "vtt"), (b"\n" + SRT, "srt")])
def test_standard_input_is_sniffed(monkeypatch, data, expected):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    assert read_track("-").format == expected


def test_webvtt_that_is_named_srt_is_told_by_its_content(tmp_path):
    path = tmp_path / "movie.srt"
    path.write_text("WEBVTT\n\n00:01.000 --> 00:02.000 line:0\n<v Ann>Q&amp;A\n")
    track = read_track(path)
    assert (track.format, [cue.text for cue in track.cues]) == ("vtt", ["<v Ann>Q&amp;A"])
    assert [repair.problem for repair in track.repairs] == [
        "it begins as WebVTT: read so, not as SubRip"
    ]
    assert read_track(path, input_format="srt").format == "srt"
    path.write_text("WEBVTT\n\nNOTE no cue\n")
    with pytest.raises(InputFileError, match="it is WebVTT"):
        read_track(path)


def test_subrip_that_is_named_otherwise_is_told_by_its_content(tmp_path):
    for name in ("movie.txt", "movie.sbv"):
        (tmp_path / name).write_bytes(SRT)
        track = read_track(tmp_path / name)
        assert track.format == "srt"
        assert "it begins as SubRip" in track.repairs[0].problem


def test_files_that_cannot_be_read_are_named(tmp_path):
    (tmp_path / "folder.srt").mkdir()
    for name in ("none.srt", "folder.srt", "a\0b.srt"):
        with pytest.raises(InputFileError, match="cannot be read"):
            read_track(tmp_path / name)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-8"])
def test_output_is_utf8_with_the_mark_and_line_ends_of_the_input(encoding):
    data = ("\ufeff" + SRT.decode().replace("\n", "\r\n")).encode(encoding)
    written = render_track(parse_track(data, format="srt"))
    assert written == ("\ufeff" + SRT.decode().replace("\n", "\r\n")).encode()
    unmarked = data[2 if encoding == "utf-16-le" else 3 :]
    assert render_track(parse_track(unmarked, format="srt")) == written[3:]


@pytest.mark.parametrize(
    ("encoding", "begins"),
    [
        ("utf-16-le", b"\xff\xfe1\0"),
        ("utf-8-sig", b"\xef\xbb\xbf1"),
        ("utf-16", b"\xff\xfe1\0"),
        ("cp1252", b"1\r\n"),
    ],
)
def test_output_encoding_writes_one_mark_at_most(encoding, begins):
    track = parse_track(b"\xef\xbb\xbf" + SRT.replace(b"\n", b"\r\n"), format="srt")
    assert render_track(track, output_encoding=encoding).startswith(begins)


def test_a_character_that_cannot_be_written_is_named_with_its_line():
    track = parse_track(SRT, format="srt").with_texts(["Привет"])
    with pytest.raises(OutputFileError) as caught:
        render_track(track, output_encoding="cp1252", name="movie.de.srt")
    assert str(caught.value).startswith("movie.de.srt:3: 'П' (U+041F) cannot be written in cp1252")
    with pytest.raises(UsageError):
        render_track(track, output_encoding="klingon")


def test_a_lone_surrogate_does_not_stop_the_writing():
    track = parse_track(SRT, format="srt").with_texts(["a\ud800b"])
    assert "a\ufffdb" in render_track(track).decode()


def test_conversion_to_webvtt_and_back():
    srt = b"1\n00:00:01,000 --> 00:00:02,000 X1:1\n{\\an8}<i>A & B</i> <font color=red>c</font>\n"
    track = parse_track(srt, format="srt")
    written = render_track(track, output_format="vtt")
    assert written == b"WEBVTT\n\n00:00:01.000 --> 00:00:02.000 line:0\n<i>A &amp; B</i> c\n"
    back = render_track(parse_track(written, format="vtt"), output_format="srt")
    assert back == b"1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>A & B</i> c\n"
    assert render_track(track, output_format="txt") == b"A & B c\n"
    with pytest.raises(UsageError, match="no times"):
        render_track(parse_track(b"a", format="txt"), output_format="srt")


def test_changed_times_are_written():
    track = parse_track(VTT, format="vtt")
    later = Track((Cue(5000, 6500, "Hello."),), "vtt", layout=track.layout)
    assert render_track(later) == VTT.replace(
        b"00:01.000 --> 00:02.000", b"00:00:05.000 --> 00:00:06.500"
    )


@pytest.mark.skipif(not REAL_FILES, reason="no ../shared/subtitles beside the project")
@pytest.mark.parametrize("path", REAL_FILES, ids=lambda path: path.name)
def test_real_file_goes_through(path):
    from tests.fuzz_formats import check

    data = path.read_bytes()
    track = check(data, format_of(path), None)
    if track is None:
        assert path.name in {"webvttpy_invalid_format2.srt", "webvttpy_invalid_format3.srt"}
    elif not track.repairs and track.encoding.name == "utf-8":
        assert render_track(track) == data


LINE = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\x85"),
    min_size=1,
    max_size=30,
).filter(
    lambda line: (
        line.strip() == line
        and "-->" not in line
        and not decode(line.encode(), name="x").repairs
        and not mend_texts([Cue(0, 1, line)], None)[1]
        and kind_of(line) != "data"
    )
)
CUES = st.lists(
    st.tuples(
        st.integers(0, 10**9), st.integers(1, 10**5), st.lists(LINE, max_size=3).map("\n".join)
    ),
    min_size=1,
    max_size=5,
)


@given(CUES, st.sampled_from(["srt", "vtt"]), st.sampled_from(["\n", "\r\n", "\r"]))
def test_what_is_written_is_what_is_read(rows, format, newline):
    cues = tuple(Cue(start, start + length, text) for start, length, text in rows)
    data = render_track(Track(cues, format)).decode().replace("\n", newline).encode()
    track = parse_track(data, format=format)
    assert not track.repairs
    assert [(c.start, c.end, c.text) for c in track.cues] == [
        (c.start, c.end, c.text) for c in cues
    ]
    assert render_track(track) == data


@given(st.binary(max_size=300), st.sampled_from(["srt", "vtt", "txt", None]))
def test_any_bytes_are_read_or_refused(data, format):
    try:
        track = parse_track(data, format=format)
    except SubfitError as error:
        assert "\n" not in str(error)
    else:
        render_track(track)


def test_damaged_files_lose_no_cue():
    import itertools

    from tests.fuzz_formats import cases, check

    for _, data, format_name, language in itertools.islice(cases(seed=2026), 40):
        check(data, format_name, language)


# Marks that lie or stand within, a byte too many, text that reads like times, much markup.
@pytest.mark.parametrize(
    "seed",
    [
        *(416, 1000947, 100925, 102092, 104287, 112490, 200118, 200136, 201167, 302006, 310108),
        *(3020951, 674123955),
    ],
)
def test_what_was_lost_once_is_kept(seed):
    from tests.fuzz_formats import cases, check

    _, data, format_name, language = next(cases(seed))
    check(data, format_name, language)


NAMES = [
    ("movie.srt", "de", None, "movie.de.srt"),
    ("movie.en.srt", "de", None, "movie.de.srt"),
    ("movie.en.srt", "de", "en", "movie.de.srt"),
    ("movie.eng.srt", "de", "en", "movie.de.srt"),
    ("movie.EN.vtt", "de", "en", "movie.de.vtt"),
    ("movie.en-US.srt", "de", "en", "movie.de.srt"),
    ("movie.pt-BR.srt", "de", None, "movie.de.srt"),
    ("movie.zh-Hans.srt", "en", None, "movie.en.srt"),
    ("movie.zh_Hant_TW.srt", "en", "zh", "movie.en.srt"),
    ("movie.es-419.srt", "pt-BR", "es", "movie.pt-BR.srt"),
    ("movie.en.sdh.srt", "de", "en", "movie.de.sdh.srt"),
    ("movie.en.forced.default.srt", "de", "en", "movie.de.forced.default.srt"),
    ("movie.forced.srt", "de", "en", "movie.de.forced.srt"),
    ("movie.part1.srt", "de", None, "movie.part1.de.srt"),
    ("movie.2024.1080p.srt", "de", "en", "movie.2024.1080p.de.srt"),
    ("Doing.It.srt", "de", "en", "Doing.It.de.srt"),
    ("it.srt", "de", "en", "it.de.srt"),
    ("it.srt", "de", None, "it.de.srt"),
    ("en.srt", "de", "en", "de.srt"),
    ("movie.hi.srt", "de", None, "movie.de.srt"),
    ("movie.xyz.srt", "de", None, "movie.xyz.de.srt"),
    ("movie", "de", "en", "movie.de"),
    ("Show.S01E02.en.hi.srt", "de", None, "Show.S01E02.de.hi.srt"),
    ("Show.en.cc.2.srt", "fr", "en", "Show.fr.cc.2.srt"),
    ("Show.English.SDH.srt", "de", "en", "Show.de.SDH.srt"),
    ("Show.en(sdh).srt", "it", None, "Show.it(sdh).srt"),
    ("Show.pt-BR.forced.srt", "es", None, "Show.es.forced.srt"),
    ("Show.en-sdh.srt", "es", None, "Show.es-sdh.srt"),
    (".en.srt", "de", "en", ".de.srt"),
]


@pytest.mark.parametrize(("name", "target", "source", "expected"), NAMES)
def test_name_of_the_translation(name, target, source, expected):
    assert output_path(Path("films") / name, target, source) == Path("films") / expected


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Show.en.hi.srt", "en"),
        ("Show.hi.srt", "hi"),
        ("Show.English.SDH.srt", "en"),
        ("Show.de.forced.2.srt", "de"),
        ("Kill.It.srt", None),
        ("Show.2019.1080p.srt", None),
        ("Show.srt", None),
    ],
)
def test_hi_behind_a_language_is_no_hindi(name: str, language: str | None) -> None:
    assert named_language(Path(name)) == language
