"""``subfit fit``: a translation made to fit, in its file."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.servers.fake import Payload, Reply, fake_server, says

FILM = (
    "WEBVTT\n\nNOTE stays\n\n00:01.000 --> 00:04.000 line:0\nSie  kommt heute.\n\n"
    "00:10.000 --> 00:12.000\nNa ja, <i>wir</i> warten eben bis morgen früh.\n"
)
SHORTER = FILM.replace("Na ja, <i>wir</i>", "<i>Wir</i>")


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.de.vtt"
    path.write_bytes(FILM.replace("\n", "\r\n").encode())
    return path


def test_nothing_but_the_cue_over_its_limits_changes_in_the_file(film: Path, cli: Cli) -> None:
    done = cli("fit", film, "-o", "out.vtt")
    assert done.code == 0
    assert (film.parent / "out.vtt").read_bytes() == SHORTER.replace("\n", "\r\n").encode()
    assert "2: 1 over their limits" in done.out and "wording 1" in done.out
    assert "Na ja, wir warten" in done.out and "Wir warten eben" in done.out


def test_nothing_is_written_unasked(film: Path, cli: Cli) -> None:
    before = film.read_bytes()
    done = cli("fit", film)
    assert done.code == 2 and "--overwrite" in done.err
    assert cli("fit", film, "--dry-run").code == 0
    assert film.read_bytes() == before
    assert cli("fit", film, "--overwrite").code == 0
    assert film.read_bytes() != before


def test_json_has_old_and_new_and_what_was_spared(film: Path, cli: Cli) -> None:
    done = cli("fit", film, "--json", "--dry-run", "--timing", "keep")
    (file,) = done.json["files"]
    changed = file["cues"][1]
    assert changed["natural"] == "Na ja, wir warten eben bis morgen früh."
    assert changed["target"] == "Wir warten eben bis morgen früh."
    assert changed["omitted"] == ["Na ja"]
    assert file["totals"]["fit"]["wording"] == 1


def test_what_cannot_fit_is_left_and_marked(film: Path, cli: Cli) -> None:
    film.write_text(FILM.replace("00:12.000", "00:11.000"), encoding="utf-8")
    before = film.read_bytes()
    done = cli("fit", film, "-o", "out.vtt", "--report", "report.html")
    assert done.code == 3 and "1 cue" in done.out
    assert (film.parent / "out.vtt").read_bytes() == before
    assert "morgen fr" in (film.parent / "report.html").read_text(encoding="utf-8")


def test_only_says_which_cues_may_change(film: Path, cli: Cli) -> None:
    assert cli("fit", film, "--dry-run", "--only", "1").code == 3
    assert cli("fit", film, "--dry-run", "--only", "1-2").code == 0
    done = cli("fit", film, "--dry-run", "--only", "2-1")
    assert done.code == 2 and "'2-1'" in done.err


def test_a_folder_of_films_finds_their_sources(tmp_path: Path, cli: Cli) -> None:
    for name, text in {"a": SHORTER, "b": FILM}.items():
        (tmp_path / f"{name}.sv.vtt").write_text(text, encoding="utf-8")
        (tmp_path / f"{name}.en.vtt").write_text(text, encoding="utf-8")
    done = cli("fit", "a.sv.vtt", "b.sv.vtt", "--source", ".", "-o", "out/", "--json")
    files = json.loads(done.stdout)["files"]
    assert done.code == 3
    assert [file["totals"]["fit"]["over"] for file in files] == [0, 1]
    done = cli("fit", "b.sv.vtt", "--dry-run")
    assert "lines and times alone" in done.out  # no lists for Swedish


def test_a_model_that_translates_needs_the_source(film: Path, cli: Cli) -> None:
    film.write_text(FILM.replace("00:12.000", "00:11.000"), encoding="utf-8")
    done = cli("fit", film, "--dry-run", "--model", "en-multi")
    assert done.code == 2 and "--source" in done.err
    (film.parent / "film.de.csv").write_text("source\nhello\n", encoding="utf-8")
    assert "no screen" in cli("fit", "film.de.csv", "--dry-run").err


def test_a_server_is_asked_to_say_the_same_in_so_many_characters(film, cli, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    film.write_text(
        "WEBVTT\n\n00:01.000 --> 00:03.000\nNiemand hat 1953 das Licht gesehen.\n"
        "\n00:04.000 --> 00:05.500\nAnna wartet am Strand auf das Boot.\n",
        encoding="utf-8",
    )

    def answer(payload: Payload) -> Reply:
        whole = payload["messages"][0]["content"]
        return says(
            "Keiner sah das Licht." if whole.endswith("gesehen.") else "Anna wartet am Strand."
        )

    with fake_server() as server:
        server.answer = answer
        done = cli("fit", film, "--model", server.model, "-o", "out.vtt", "--json")
    assert done.code == 3, done.err
    first, second = done.json["files"][0]["cues"]
    assert (first["status"], first["withheld"]) == ("overflow", ["number"])
    assert second["target"] == "Anna wartet am Strand."
