"""``--memory`` of ``subfit translate``, from files to files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from subfit.subtitles.formats import read_track
from tests.cli.conftest import SCENE, Cli

OLD = "Where is the old lighthouse?\tWo steht denn der alte Turm?\n"
LONG = f"The door is open.\tDie Tür {'sehr ' * 12}offen.\n"


def texts(path: Path) -> list[str]:
    return [cue.text for cue in read_track(path, source_language="de").cues]


def test_what_was_translated_before_stands_there_word_for_word(
    translate: Cli, tmp_path: Path
) -> None:
    (tmp_path / "old.tsv").write_text(OLD + LONG, encoding="utf-8")
    options = ("--memory", "old.tsv", "--strict-budget", "--report", "report.json")
    outcome = translate("scene.en.srt", *options)
    assert outcome.code == 0, outcome.err
    translated = texts(tmp_path / "scene.de.srt")
    assert " ".join(translated[0].split()) == "Wo steht denn der alte Turm?"
    (report,) = json.loads((tmp_path / "report.json").read_text())["files"]
    exact, music, shortened = (cue["memory"] for cue in report["cues"])
    assert (exact["used"], exact["match_class"], exact["origin"]) == ("exact", "100 %", "old.tsv")
    assert music is None
    assert shortened["match_class"] == "100 %" and shortened["used"] != "exact"
    assert report["cues"][2]["natural"] == LONG.split("\t")[1].strip()
    assert report["cues"][2]["characters"] <= report["cues"][2]["budget"]
    assert (report["totals"]["memory"]["100 %"], report["totals"]["memory"]["exact"]) == (2, 1)
    assert report["settings"]["memory"]["entries"] == 2
    assert "2 at 100 %, 0 no match; 1 cue word for word" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--memory", "none.tmx"), 1, "none.tmx: cannot be read"),
        (("--memory", "scene.en.srt:none.srt"), 1, "none.srt: there is no such file"),
        (("--memory", "bad.tmx"), 1, "bad.tmx:1: damaged XML"),
        (("--memory", "empty.tsv"), 2, "has no translations from en to de"),
        (("--memory", "scene.en.srt"), 2, "no translation memory is known for .srt"),
    ],
)
def test_what_cannot_be_is_told_before_the_work(
    translate: Cli, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    (tmp_path / "bad.tmx").write_text("<tmx><body>", encoding="utf-8")
    (tmp_path / "empty.tsv").write_text("", encoding="utf-8")
    outcome = translate("scene.en.srt", *arguments)
    assert (outcome.code, outcome.err.count("\n")) == (code, 1)
    assert message in outcome.err
    assert not (tmp_path / "scene.de.srt").exists()


def test_edits_of_the_page_are_used_by_the_next_episode(
    translate: Cli, cli: Cli, tmp_path: Path
) -> None:
    assert translate("scene.en.srt").code == 0
    pair = "scene.en.srt:scene.de.srt"
    assert cli("memory", "build", pair, "-t", "de", "-o", "season.memory").code == 0
    edited = {
        "output": "scene.de.srt",
        "languages": {"source": "en", "target": "de"},
        "edits": [{"number": 3, "after": "Die Tür steht auf."}],
        "sentences": [
            {
                "cues": [
                    {"number": 3, "source": "The door is open.", "target": "Die Tür\nsteht auf."}
                ]
            }
        ],
    }
    (tmp_path / "scene.de.srt.edits.json").write_text(json.dumps(edited), encoding="utf-8")
    added = cli("memory", "add", "season.memory", "scene.de.srt.edits.json")
    assert (added.code, added.out) == (0, "season.memory: 1 new entries\n")
    (tmp_path / "two.en.srt").write_text(SCENE.replace("Where is the old lighthouse?", "Yes."))
    assert translate("two.en.srt", "--memory", "season.memory").code == 0
    assert " ".join(texts(tmp_path / "two.de.srt")[2].split()) == "Die Tür steht auf."
