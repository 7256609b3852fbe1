"""``subfit translate`` into English, from German, Spanish, French and Italian."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.subtitles.formats import read_track
from tests.cli.conftest import Cli

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
def test_every_tag_of_english_is_a_target(
    cli: Cli, tiny_marian_folder: Path, tmp_path: Path, language: str, tag: str
) -> None:
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


def test_forms_that_cannot_be_had_are_told_in_a_line(
    cli: Cli, tiny_marian_folder: Path, tmp_path: Path
) -> None:
    film = write_film(tmp_path, "de")
    addressed = cli(
        *("translate", film.name, "-t", "en", "--model", tiny_marian_folder),
        *("--formality", "formal"),
    )
    assert addressed.code == 2
    assert "knows the forms of address of de, es, fr, it, not of en" in addressed.err
