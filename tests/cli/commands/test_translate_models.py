"""``subfit translate`` with models of others: what they can do, and what they cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

FILM = """\
1
00:00:01,000 --> 00:00:03,000
<i>Wo ist der alte Leuchtturm?</i>

2
00:00:03,200 --> 00:00:05,000
Er schreibt seiner Mutter

3
00:00:05,100 --> 00:00:07,000
einen langen Brief.

4
00:00:08,000 --> 00:00:08,600
- Wer ist da?
- Anna, um 18:30!
"""
OPTIONS = (
    *("--glossary", "terms.csv", "--keep", "Anna", "--alternatives", "2", "--timing", "extend"),
    *("--out-slack", "1", "--bilingual", "source-first", "--strict-budget", "--bottom-heavy"),
    *("--length-ratio", "0.5:1.5", "--beam", "2"),
)


@pytest.fixture(params=["marian", "nllb"])
def folder(
    request: pytest.FixtureRequest,
    tiny_marian_folder: Path,
    family_folder: Callable[[str, int], Path],
) -> Path:
    """A model of each kind."""
    own = request.param == "marian"
    return tiny_marian_folder if own else family_folder(request.param, 60)


def test_a_german_film_goes_through_every_option(cli: Cli, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "film.de.srt").write_text(FILM, encoding="utf-8")
    (tmp_path / "terms.csv").write_text("de,en\nLeuchtturm,lighthouse\n", encoding="utf-8")
    paths = ("--report", "report.json", "-o", "film.en.srt")
    done = cli(
        "translate", "film.de.srt", "-s", "de", "-t", "en", "--model", str(folder), *OPTIONS, *paths
    )
    assert done.code in (0, 3), done.err
    note = f"note: {folder.name} takes no lengths, so that only a hard limit shortens"
    assert (done.out + done.err).count(note) == 1
    text = (tmp_path / "film.en.srt").read_text(encoding="utf-8")
    assert "Wo ist der alte Leuchtturm?" in text and text.count(" --> ") == 4
    report = json.dumps(json.loads((tmp_path / "report.json").read_text(encoding="utf-8")))
    assert report.count("takes no lengths, so that only a hard limit") == 1


def test_an_unknown_pair_is_one_line(cli: Cli, family_folder: Callable[[str, int], Path]) -> None:
    folder = family_folder("nllb", 60)
    asked = cli("translate", "scene.en.srt", "-t", "sw", "--model", str(folder), "-q")
    assert (asked.code, asked.err.strip().count("\n")) == (2, 0)
    assert "does not know sw; it knows 2 languages: deu_Latn, eng_Latn" in asked.err
