"""``subfit translate`` with models of others: what they can do, and what they cannot."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from subfit.subtitles.formats import read_track
from tests.cli.conftest import Cli
from tests.tiny import PAIRS

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


TALK = "".join(
    f"{number}\n00:00:{4 * number:02},000 --> 00:00:{4 * number + 3:02},000\n{pair.source}\n\n"
    for number, pair in enumerate(PAIRS[:4], start=1)
)


@pytest.fixture
def model(talking_folder: Path) -> str:
    Path("film.en.srt").write_text(TALK, encoding="utf-8")
    return str(shutil.copytree(talking_folder, "toy-llama"))


COMMON = ("-t", "de", "--beam", "2", "--overwrite", "--precision", "fp32", "--model")


def test_a_film_is_translated_within_its_budgets(cli: Cli, model: str) -> None:
    done = cli("translate", "film.en.srt", *COMMON, model, "--scene", "0", "--json")
    assert done.code == 0, done.err
    (file,) = done.json["files"]
    said = [cue["target"] for cue in file["cues"]]
    assert sum(text == pair.target for text, pair in zip(said, PAIRS, strict=False)) >= 3
    assert file["settings"]["scene"] == 0
    assert (file["settings"]["model"], file["settings"]["precision"]) == ("toy-llama", "fp32")


def test_tight_budgets_are_kept_or_told(cli: Cli, model: str) -> None:
    options = ("--cps", "5", "--strict-budget", "--json")
    done = cli("translate", "film.en.srt", *COMMON, model, *options)
    (file,) = done.json["files"]
    for cue in file["cues"]:
        assert cue["characters"] <= 15 or cue["status"] == "overflow"
    assert any(cue["status"] == "fits" for cue in file["cues"])


@pytest.mark.slow
def test_every_option_goes_with_it(cli: Cli, model: str) -> None:
    Path("terms.csv").write_text("source,target\nlighthouse,Leuchtturm\n", encoding="utf-8")
    options = "--glossary terms.csv --keep Nora --formality informal --alternatives 3"
    options += " --timing extend --bilingual source-first"
    options += " --no-join --scene 3 --prompt chat --length-ratio 0.5:1.5 --report film.json"
    done = cli("translate", "film.en.srt", *COMMON, model, *options.split())
    assert done.code in (0, 3), done.err
    (file,) = json.loads(Path("film.json").read_text(encoding="utf-8"))["files"]
    assert file["totals"]["address"]["taken"] == "informal"
    assert file["settings"]["prompt"]["description"].startswith("Any model")


def test_voting_is_refused(cli: Cli, model: str) -> None:
    done = cli("translate", "film.en.srt", *COMMON, model, "--model", model)
    assert done.code == 2
    assert "cannot translate together" in done.err


FILMS = {
    "de": ("Johann: Ich weiß es nicht.", "[Tür knallt]", "MANN (AM TELEFON): Wer ist da?"),
    "es": ("Juan: No lo sé.", "[SUSPIRA]", "HOMBRE (AL TELÉFONO): ¿Quién es?"),
    "fr": ("Jean : Je ne sais pas.", "[SOUPIRE]", "HOMME (AU TÉLÉPHONE) : Qui est là ?"),
    "it": ("Giovanni: Non lo so.", "[SOSPIRA]", "UOMO (AL TELEFONO): Chi è?"),
}
NAMES = {"de": "Johann", "es": "Juan", "fr": "Jean", "it": "Giovanni"}


def write_film(folder: Path, language: str) -> Path:
    """A film of three cues, named by its language."""
    path = folder / f"film.{language}.srt"
    cues = [
        f"{n}\n00:00:0{3 * n - 2},000 --> 00:00:0{3 * n},000\n{text}\n"
        for n, text in enumerate(FILMS[language], 1)
    ]
    path.write_text("\n".join(cues), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("language", "tag"), [("de", "en"), ("es", "en-GB"), ("fr", "en-US"), ("it", "en-GB")]
)
def test_every_tag_of_english_is_a_target(cli, tiny_marian_folder, tmp_path, language, tag):
    film = write_film(tmp_path, language)
    done = cli(
        "translate", film.name, "-t", tag, "--model", tiny_marian_folder, "--sdh", "translate"
    )
    assert done.code in (0, 3), done.err
    assert f"source language: {language}, by the name of {film.name}" in done.out
    source, track = read_track(film), read_track(tmp_path / f"film.{tag}.srt")
    assert [(cue.start, cue.end) for cue in track.cues] == [
        (cue.start, cue.end) for cue in source.cues
    ]
    first, sound, last = (cue.text for cue in track.cues)
    assert first.startswith(f"{NAMES[language]}: ")
    assert sound == ("[Door slams]" if language == "de" else "[SIGHS]")
    assert last.startswith("MAN (ON PHONE): ")


def test_forms_that_cannot_be_had_are_told_in_a_line(cli, tiny_marian_folder, tmp_path):
    film = write_film(tmp_path, "de")
    addressed = cli(
        *("translate", film.name, "-t", "en", "--model", tiny_marian_folder),
        *("--formality", "formal"),
    )
    assert addressed.code == 2
    assert "knows the forms of address of de, es, fr, it, not of en" in addressed.err
