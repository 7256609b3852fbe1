"""``subfit tracks``: subtitles of videos listed, taken out and added."""

import io
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from subfit.subtitles.formats import read_track
from tests.cli.conftest import SCENE, Cli

av = pytest.importorskip("av")

ASS = """\
[Script Info]
ScriptType: v4.00+
PlayResX: 640

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic
Style: Sign,Arial,20,&H00FFFFFF,0,0

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:03.00,Sign,,0,0,0,,{\\i1}Wo{\\i0} ist\\Nder Leuchtturm?
"""
ITALIC = """\
1
00:00:01,000 --> 00:00:02,500
<i>Überall</i>
Nebel

2
00:00:06,000 --> 00:00:07,000
Ja.
"""


def make(path: Path, *tracks: tuple[str, str, str, str]) -> Path:
    """Write two seconds of grey, with subtitle tracks: format, text, language, title."""
    with av.open(str(path), "w") as file:
        picture: Any = file.add_stream("mpeg4", rate=5)
        picture.width, picture.height, picture.pix_fmt = 32, 32, "yuv420p"
        file.metadata["title"] = "Fog"
        chapter = {"id": 1, "start": 0, "end": 900, "time_base": Fraction(1, 1000)}
        file.set_chapters([{**chapter, "metadata": {"title": "One"}}])
        packets = []
        for format, text, language, title in tracks:
            read = av.open(io.BytesIO(text.encode()), "r", format=format)
            stream = file.add_stream_from_template(read.streams[0], opaque=True)
            stream.metadata.update(language=language, title=title)
            for packet in read.demux():
                if packet.size:
                    packet.stream = stream
                    packets.append(packet)
        for number in range(10):
            frame = av.VideoFrame(32, 32, "yuv420p")
            frame.pts = number
            file.mux(picture.encode(frame))
        file.mux(picture.encode(None))
        for packet in packets:
            file.mux(packet)
    return path


@pytest.fixture
def movie(tmp_path: Path) -> Path:
    tracks = ("srt", SCENE, "eng", "Full"), ("ass", ASS, "ger", "Signs")
    return make(tmp_path / "movie.mkv", *tracks)


def pictures_of(path: Path) -> list[bytes]:
    with av.open(str(path)) as file:
        return [bytes(packet) for packet in file.demux(video=0) if packet.size]


def test_tracks_are_listed_with_what_the_file_tells_of_them(cli: Cli, movie: Path) -> None:
    rows = [line.split() for line in cli("tracks", "movie.mkv").out.splitlines()]
    assert rows[1][:4] == ["1", "en", "subrip", "Full"]
    assert rows[1][-1] == "3"
    assert rows[2][:4] == ["2", "de", "ass", "Signs"]
    listed = cli("tracks", "movie.mkv", "--json").json["tracks"]
    assert [(track["number"], track["cues"]) for track in listed] == [(1, 3), (2, 1)]


@pytest.mark.parametrize("track", ["1", "en", "eng", "en-GB"])
def test_a_track_is_taken_out_under_the_name_of_its_language(track, cli, movie):
    assert cli("tracks", "movie.mkv", "--track", track).code == 0
    assert movie.with_name("movie.en.srt").read_text().split() == SCENE.split()
    again = cli("tracks", "movie.mkv", "--track", track)
    assert (again.code, "exists already" in again.err) == (1, True)
    assert cli("tracks", "movie.mkv", "--track", track, "--overwrite").code == 0


def test_styles_stay_and_the_suffix_chooses_another_format(cli: Cli, movie: Path) -> None:
    cli("tracks", "movie.mkv", "--track", "de")
    text = movie.with_name("movie.de.ass").read_text(encoding="utf-8")
    assert "Style: Sign,Arial,20" in text
    assert r"{\i1}Wo{\i0} ist\Nder Leuchtturm?" in text
    cli("tracks", "movie.mkv", "--track", "2", "-o", "x.vtt")
    assert "<i>Wo</i> ist\nder Leuchtturm?" in movie.with_name("x.vtt").read_text()


@pytest.mark.parametrize("suffix", ["mkv", "mp4"])
def test_added_subtitles_come_back_and_all_else_is_copied(suffix, cli, tmp_path):
    movie = make(tmp_path / f"movie.{suffix}")
    (tmp_path / "movie.de.forced.srt").write_bytes(ITALIC.encode("cp1252"))
    added = ("--add", "movie.de.forced.srt", "--add", "scene.en.srt")
    first = cli("tracks", movie, *added, "-o", f"one.{suffix}")
    assert (first.code, first.err) == (0, "")
    # And once more, so that subtitles are among the streams that are copied.
    second = cli("tracks", f"one.{suffix}", "--add", "scene.en.srt", "-o", f"out.{suffix}")
    assert second.code == 0, second.err
    listed = cli("tracks", f"out.{suffix}", "--json").json["tracks"]
    assert [(each["language"], each["cues"]) for each in listed] == [
        ("de", 2),
        ("en", 3),
        ("en", 3),
    ]
    assert listed[0]["marks"] == ["forced"]
    assert pictures_of(tmp_path / f"out.{suffix}") == pictures_of(movie)
    with av.open(str(tmp_path / f"out.{suffix}")) as file:
        assert [each["metadata"]["title"] for each in file.chapters()] == ["One"]
        assert {key.lower(): text for key, text in file.metadata.items()}["title"] == "Fog"
    assert cli("tracks", f"out.{suffix}", "--track", "de").code == 0
    assert (tmp_path / "out.de.forced.srt").read_text(encoding="utf-8").strip() == ITALIC.strip()


def test_a_track_of_two_is_translated_and_put_beside_both(cli, translate, movie):
    assert cli("tracks", "movie.mkv", "--track", "en").code == 0
    assert translate("movie.en.srt").code in (0, 3)
    assert cli("tracks", "movie.mkv", "--add", "movie.de.srt", "-o", "out.mkv").code == 0
    listed = cli("tracks", "out.mkv", "--json").json["tracks"]
    assert [(each["language"], each["cues"]) for each in listed] == [
        ("en", 3),
        ("de", 1),
        ("de", 3),
    ]
    assert cli("tracks", "out.mkv", "--track", "3", "-o", "again.srt").code == 0
    times = [
        [(cue.start, cue.end) for cue in read_track(movie.with_name(name)).cues]
        for name in ("movie.en.srt", "again.srt")
    ]
    assert times[0] == times[1]


def test_cues_at_one_time_are_shown_together_in_mp4_where_only_one_can_be(cli, tmp_path):
    make(tmp_path / "movie.mp4")
    times = ("01,000 --> 00:00:05,000", "A"), ("03,000 --> 00:00:04,000", "B")
    blocks = [f"{i}\n00:00:{time}\n{text}\n" for i, (time, text) in enumerate(times, 1)]
    (tmp_path / "movie.en.srt").write_text("\n".join(blocks))
    assert cli("tracks", "movie.mp4", "--add", "movie.en.srt", "-o", "out.mp4").code == 0
    assert cli("tracks", "out.mp4", "--track", "en").code == 0
    found = [block.split("\n")[1:] for block in (tmp_path / "out.en.srt").read_text().split("\n\n")]
    assert found[:3] == [
        ["00:00:01,000 --> 00:00:03,000", "A"],
        ["00:00:03,000 --> 00:00:04,000", "A", "B"],
        ["00:00:04,000 --> 00:00:05,000", "A"],
    ]


def test_the_extra_that_is_missing_is_named(cli, movie, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    outcome = cli("tracks", "movie.mkv")
    assert "pip install 'subfit[video]'" in outcome.err
    assert outcome.code == 1


def test_webm_takes_subtitles_as_webvtt(cli: Cli, tmp_path: Path) -> None:
    with av.open(str(tmp_path / "a.webm"), "w") as file:
        vtt = av.open(io.BytesIO(b"WEBVTT\n\n00:01.000 --> 00:02.000\nA\n"), "r", format="webvtt")
        stream = file.add_stream_from_template(vtt.streams[0], opaque=True)
        for packet in vtt.demux():
            if packet.size:
                packet.stream = stream
                file.mux(packet)
    assert cli("tracks", "a.webm", "--add", "scene.en.srt", "-o", "b.webm").code == 0
    assert cli("tracks", "b.webm", "--track", "en").code == 0
    assert "00:06.000 --> 00:08.000" in (tmp_path / "b.en.vtt").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--track", "fr"], 2, "no subtitle track fr; give the number of one: 1 (en, Full), 2"),
        (["--track", "0"], 2, "no subtitle track 0"),
        (["--track", "en", "-o", "none/x.srt"], 1, "make it first"),
        (["-o", "x.srt"], 2, "-o needs --track or --add"),
        (["--add", "scene.en.srt"], 2, "--add needs -o"),
        (["--add", "scene.en.srt", "-o", "out.avi"], 2, "use one of .mkv"),
        (["--add", "scene.en.srt", "-o", "movie.mkv"], 1, "exists already"),
        (["--add", "scene.en.srt", "-o", "out.mp4"], 1, "give it the suffix .mkv"),
        (["--add", "lines.txt", "-o", "out.mkv"], 2, "it has no times"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_leaves_nothing(arguments, code, told, cli, movie):
    movie.with_name("lines.txt").write_text("Where is it?\n")
    before = {path.name for path in movie.parent.iterdir()} | {"scene.en.srt"}
    outcome = cli("tracks", "movie.mkv", *arguments)
    assert outcome.code == code
    assert told in outcome.err
    assert outcome.err.count("\n") == 1
    assert {path.name for path in movie.parent.iterdir()} == before


@pytest.mark.parametrize("data", [b"", b"\x1a\x45\xdf\xa3" + bytes(200), SCENE.encode()[:9]])
def test_a_damaged_video_is_one_line(data: bytes, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.mkv").write_bytes(data)
    outcome = cli("tracks", "bad.mkv")
    assert outcome.code == 1
    assert outcome.err.startswith("subfit: error: bad.mkv: cannot be read as a video file (")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("command", [("translate", "-t", "de"), ("check",), ("reflow",), ("fit",)])
def test_commands_on_subtitles_say_how_to_take_them_out(command, cli, movie):
    outcome = cli(*command, "movie.mkv")
    assert "it is a video file; 'subfit tracks movie.mkv' lists its subtitles" in outcome.err
