"""``--glossary``, ``--keep`` and ``--bilingual`` of ``subfit translate``, from files to files."""

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
def test_both_languages_stand_in_every_cue(
    order: str, suffix: str, translate: Cli, tmp_path: Path
) -> None:
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
