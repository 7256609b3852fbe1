"""``--glossary``, ``--keep`` and ``--bilingual`` of ``subfit translate``, from files to files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from subfit.subtitles.formats import read_track
from tests.cli.conftest import SCENE, Cli


def test_the_report_tells_of_every_term(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text(
        "source,target\ndoor,Tür\nlighthouse,Leuchtturm\nsea,Meer\n"
    )
    outcome = translate("scene.en.srt", "--glossary", "terms.csv", "--report", "report.json")
    assert outcome.code == 0, outcome.err
    (report,) = json.loads((tmp_path / "report.json").read_text())["files"]
    uses = [term for cue in report["cues"] for term in cue["terms"]]
    assert [term["source"] for term in uses] == ["lighthouse", "door"]
    assert report["totals"]["terms"]["found"] == 2
    assert report["totals"]["terms"]["placed"] == sum(term["placed"] for term in uses)
    assert all(bool(term["reason"]) is not term["placed"] for term in uses)
    for term, cue in zip(uses, (report["cues"][0], report["cues"][2]), strict=True):
        assert term["placed"] is (term["targets"][0] in cue["target"])
    assert report["settings"]["glossary"]["terms"] == 3
    assert f"{sum(term['placed'] for term in uses)} of 2 terms placed" in outcome.out


def test_a_broken_glossary_ends_it_before_the_work(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text("door,Tür\nship\n")
    outcome = translate("scene.en.srt", "--glossary", "terms.csv")
    assert outcome.code == 1
    assert outcome.err.startswith("subfit: error: terms.csv:2: 'ship' has no target")
    assert not (tmp_path / "scene.de.srt").exists()


def test_a_changed_glossary_is_a_reason_to_translate_again(translate: Cli, tmp_path: Path) -> None:
    def states() -> list[str]:
        options = ("scene.en.srt", "-o", "out", "-t", "de-AT", "--glossary", "terms.csv", "--json")
        return [each["state"] for each in translate(*options).json["files"]]

    (tmp_path / "terms.csv").write_text("source,de\ndoor,Tür\n")
    assert states() == ["done", "done"]
    assert states() == ["earlier", "earlier"]
    (tmp_path / "terms.csv").write_text("source,de\ndoor,Pforte\n")
    assert states() == ["done", "done"]


@pytest.mark.parametrize("suffix", ["srt", "vtt"])
@pytest.mark.parametrize("order", ["source-first", "target-first"])
def test_both_languages_stand_in_every_cue(order, suffix, translate, tmp_path):
    translate("scene.en.srt", "-o", f"plain.{suffix}")
    outcome = translate("scene.en.srt", "-o", f"both.{suffix}", "--bilingual", order)
    assert outcome.code == 0, outcome.err
    source, plain, both = (
        read_track(tmp_path / each)
        for each in ("scene.en.srt", f"plain.{suffix}", f"both.{suffix}")
    )
    assert not both.repairs
    for old, new, cue in zip(source.cues, plain.cues, both.cues, strict=True):
        assert (cue.start, cue.end) == (old.start, old.end)
        if old.text == "♪":
            assert cue.text == "♪"
        elif order == "source-first":
            assert cue.text == f"{old.text}\n{new.text}"
        else:
            assert cue.text == f"{new.text}\n{old.text}"


def test_names_are_kept_track_of(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("Peter\n")
    (tmp_path / "two.srt").write_text(SCENE.replace("lighthouse", "Anna"))
    options = ("--keep", "Anna", "--keep", "@names.txt", "--report", "r.json")
    assert translate("two.srt", *options, "--strict-budget").code == 0
    (report,) = json.loads((tmp_path / "r.json").read_text())["files"]
    (use,) = report["cues"][0]["terms"]
    assert (use["source"], use["targets"][0]) == ("Anna", "Anna")
    assert report["settings"]["glossary"]["names"] == 2


OLD = "Where is the old lighthouse?\tWo steht denn der alte Turm?\n"
LONG = f"The door is open.\tDie Tür {'sehr ' * 12}offen.\n"


def texts(path: Path) -> list[str]:
    return [cue.text for cue in read_track(path, source_language="de").cues]


def test_what_was_translated_before_stands_there_word_for_word(translate, tmp_path):
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
def test_what_cannot_be_is_told_before_the_work(translate, tmp_path, arguments, code, message):
    (tmp_path / "bad.tmx").write_text("<tmx><body>", encoding="utf-8")
    (tmp_path / "empty.tsv").write_text("", encoding="utf-8")
    outcome = translate("scene.en.srt", *arguments)
    assert (outcome.code, outcome.err.count("\n")) == (code, 1)
    assert message in outcome.err
    assert not (tmp_path / "scene.de.srt").exists()


def test_edits_of_the_page_are_used_by_the_next_episode(translate, cli, tmp_path):
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
