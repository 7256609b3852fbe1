from pathlib import Path

import pytest

from tests.cli.conftest import Cli

UNEVEN = (
    "WEBVTT - kept\n\nNOTE kept too\n\nname\n00:01.000 --> 00:03.000 line:0\n"
    "<i>I told you that the\ncaptain would never come back to it.</i>\n"
)
EVEN = UNEVEN.replace("that the\ncaptain would", "that the captain\nwould")


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.en.vtt"
    path.write_bytes(b"\xef\xbb\xbf" + UNEVEN.replace("\n", "\r\n").encode())
    return path


def test_only_line_breaks_change_in_the_file(film: Path, cli: Cli) -> None:
    done = cli("reflow", film, "-o", "out.vtt")
    assert done.code == 0
    expected = b"\xef\xbb\xbf" + EVEN.replace("\n", "\r\n").encode()
    assert (film.parent / "out.vtt").read_bytes() == expected
    assert "1: 1 broken anew" in done.out


def test_the_encoding_stays(tmp_path: Path, cli: Cli) -> None:
    text = "1\n00:00:01,000 --> 00:00:03,000\nÉtait-ce là\noù ça ?\n"
    (tmp_path / "a.fr.srt").write_bytes(text.encode("cp1252"))
    assert cli("reflow", "a.fr.srt", "--overwrite", "--encoding", "cp1252").code == 0
    assert (tmp_path / "a.fr.srt").read_bytes() == text.replace("là\n", "là ").encode("cp1252")


def test_nothing_is_written_unasked(film: Path, cli: Cli) -> None:
    before = film.read_bytes()
    done = cli("reflow", film)
    assert done.code == 2 and "-o" in done.err and "--overwrite" in done.err
    assert cli("reflow", film, "--dry-run").code == 0
    assert cli("reflow", film, "-o", film).code == 2
    assert film.read_bytes() == before
    assert cli("reflow", film, "--overwrite").code == 0
    assert film.read_bytes() != before
    (film.parent / "there.vtt").write_text("mine")
    done = cli("reflow", film, "-o", "there.vtt")
    assert done.code == 1 and "exists" in done.err
    assert (film.parent / "there.vtt").read_text() == "mine"


def test_a_folder_is_mirrored_and_one_bad_file_stops_nothing(film: Path, cli: Cli) -> None:
    (film.parent / "deep").mkdir()
    film.rename(film.parent / "deep" / "film.de.vtt")
    (film.parent / "bad.srt").write_text("no cue here")
    done = cli("reflow", ".", "-o", "out/")
    assert done.code == 1 and "bad.srt" in done.err
    assert (film.parent / "out" / "deep" / "film.de.vtt").is_file()
    assert (film.parent / "out" / "scene.en.srt").is_file()


def test_what_stays_over_the_limits_is_told_in_the_exit_code_and_in_json(film, cli):
    done = cli("reflow", film, "--cpl", "20", "--dry-run", "--json")
    (entry,) = done.json["files"]
    assert done.code == done.json["exit_code"] == 3
    assert entry["totals"] == {"cues": 1, "broken": 1, "over": 1}
    (cue,) = entry["cues"]
    assert [each["kind"] for each in cue["violations"]] == ["cpl"]
    assert entry["language"] == "en" and entry["settings"]["guideline"]["cpl"] == 20


def test_standard_input_goes_to_standard_output(film: Path, cli: Cli) -> None:
    done = cli("reflow", "-", "-t", "en", stdin=film.read_bytes())
    assert done.code == 0
    assert done.stdout == b"\xef\xbb\xbf" + EVEN.replace("\n", "\r\n").encode()
    assert cli("reflow", "-", "--json", stdin=film.read_bytes()).code == 2


def test_plain_text_has_no_lines_to_break(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "a.txt").write_text("One sentence.\n")
    assert cli("reflow", "a.txt", "-o", "b.txt").code == 2
