"""``subfit model`` against a hub on this machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.cli.commands import doctor
from subfit.limits.guideline import Guideline, list_guidelines
from tests.cli.conftest import SCENE, Cli
from tests.hub.conftest import REVISION, FakeHub, hub

__all__ = ["hub"]
NAME = "Helsinki-NLP/opus-mt-en-de"


def test_a_model_is_fetched_shown_used_and_removed(cli, hub, tiny_marian_folder):
    hub.add(NAME, tiny_marian_folder)
    hub.models[NAME]["README.md"] = b"---\nlicense: cc-by-4.0\n---\n"
    fetched = cli("model", "get", "opus-mt", "-t", "de", "--json").json
    assert (fetched["name"], fetched["revision"]) == (NAME, REVISION)
    assert NAME in cli("model", "ls").out
    assert "licence: cc-by-4.0" in cli("model", "show", NAME).out
    hub.models.clear()
    translated = cli("translate", "scene.en.srt", "-t", "de", "--model", NAME, "--beam", "2")
    assert translated.code in (0, 3), translated.err
    assert cli("model", "rm", NAME).out == f"{NAME}: deleted\n"
    assert cli("model", "show", NAME).code == 1


def test_what_comes_with_subfit_is_listed_and_stays(cli: Cli, hub: FakeHub) -> None:
    listed = cli("model", "ls", "--json").json
    families = [family["name"] for family in listed["families"]]
    assert families == ["opus-mt", "nllb", "m2m100", "mbart50", "madlad"]
    names = [each["name"] for each in listed["models"]]
    assert "en-multi" in names
    refused = cli("model", "rm", "en-multi")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert cli("model", "show", "en-multi", "--json").json["target_languages"]


def test_a_family_needs_a_pair(cli: Cli, hub: FakeHub) -> None:
    assert cli("model", "get", "opus-mt").code == 2
    unknown = cli("model", "get", "nobody/nothing")
    assert unknown.code == 1
    assert unknown.err.count("\n") == 1


def test_models_devices_and_defaults_are_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "subfit.toml").write_text("[translate]\ncps = 12\n", encoding="utf-8")
    found = cli("doctor", "--json").json
    assert "en-multi" in found["models"] and found["devices"][0].startswith("cpu")
    assert found["options"] == {"translate.cps": "subfit.toml:2"}
    assert cli("doctor").code == 0


def test_what_is_missing_is_told_with_what_needs_it(cli, monkeypatch):
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    outcome = cli("doctor")
    assert outcome.code == 1
    assert "torch: translate, train, evaluate and compare" in outcome.out
    assert "av: tracks" in outcome.out


def test_where_there_is_no_model_it_is_told_how_to_get_one(cli, monkeypatch):
    monkeypatch.setattr(doctor, "bundled_models", dict)
    monkeypatch.setattr(doctor, "kept_models", tuple)
    outcome = cli("doctor")
    assert outcome.code == 1 and "'subfit model get'" in outcome.out


def test_guidelines_are_listed_and_shown_for_a_language(cli: Cli) -> None:
    assert "netflix-children" in cli("guidelines").out
    assert "cps: 12" in cli("guidelines", "netflix", "-t", "ko").out
    assert cli("guidelines", "netflix", "-t", "ko", "--json").json["cpl"] == 16


LANGUAGES = ("und", "en", "de", "es-419", "pt", "pt-BR", "ja", "ko", "ar", "zh-Hant", "tlh")


@pytest.mark.parametrize("name", list_guidelines())
def test_what_is_printed_of_a_guideline_is_a_guideline_file_that_says_the_same(name, cli, tmp_path):
    (tmp_path / "my.yaml").write_bytes(cli("guidelines", name).stdout)
    for language in LANGUAGES:
        preset, mine = Guideline.load(name, language), Guideline.load("my.yaml", language)
        assert replace(mine, name=name) == preset, language
    (tmp_path / "ko.yaml").write_bytes(cli("guidelines", name, "-t", "ko").stdout)
    korean = Guideline.load(name, "ko")
    assert replace(Guideline.load("ko.yaml", "ko"), name=name, exact=korean.exact) == korean
    assert cli("budget", "scene.en.srt", "--guideline", "my.yaml", "-t", "de").code == 0


TRANSLATED = SCENE.replace("Where is the old lighthouse?", "Wo ist der alte Leuchtturm?").replace(
    "The door is open.", "Die Tür ist offen."
)


@pytest.fixture
def season(cli: Cli, tmp_path: Path) -> Cli:
    """The command line, in a folder with a memory of one scene."""
    (tmp_path / "scene.de.srt").write_text(TRANSLATED, encoding="utf-8")
    made = cli("memory", "build", "scene.en.srt:scene.de.srt", "-t", "de", "-o", "season.memory")
    assert (made.code, made.out) == (0, "season.memory: 2 new entries\n")
    return cli


def test_a_memory_is_listed_and_searched(season: Cli) -> None:
    assert season("memory", "ls").out == "season.memory: en to de, 2 entries\n"
    found = season("memory", "search", "season.memory", "The door is closed.", "--json").json
    assert found["matches"] == [
        {
            "similarity": 0.8,
            "match_class": "75–84 %",
            "source": "The door is open.",
            "target": "Die Tür ist offen.",
            "origin": "scene.de.srt",
        }
    ]
    assert season("memory", "search", "season.memory", "Quite another").out == "no match\n"


def test_an_edited_translation_comes_back(season: Cli, tmp_path: Path) -> None:
    edited = TRANSLATED.replace("offen", "auf")
    (tmp_path / "edited.srt").write_text(edited, encoding="utf-8")
    added = season("memory", "add", "season.memory", "scene.en.srt:edited.srt")
    assert added.out == "season.memory: 1 new entries, 1 stood there already\n"
    found = season("memory", "search", "season.memory", "The door is open.").out
    assert found.index("Die Tür ist auf.") < found.index("Die Tür ist offen.")


@pytest.mark.parametrize("name", ["season.tmx", "season.tsv"])
def test_an_exported_memory_builds_the_same_one(season: Cli, name: str) -> None:
    assert season("memory", "export", "season.memory", "-o", name).code == 0
    assert season("memory", "build", name, "-t", "de", "-o", "again.memory").code == 0
    again = season("memory", "search", "again.memory", "The door is open.", "--json").json
    assert again["matches"][0]["target"] == "Die Tür ist offen."
    assert season("memory", "export", "season.memory", "-o", name).code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("build", "none.tmx", "-t", "de", "-o", "a.memory"), 1, "none.tmx: cannot be read"),
        (("build", "a.docx", "-t", "de", "-o", "a.memory"), 2, "use one of .tmx"),
        (("build", "scene.en.srt:scene.de.srt", "-o", "a.memory"), 2, "with -t"),
        (("build", "scene.en.srt:scene.de.srt", "-t", "de", "-o", "season.memory"), 1, "exists"),
        (("search", "scene.en.srt", "text"), 1, "is no translation memory"),
        (("search", "none.memory", "text"), 1, "there is no such"),
        (("export", "season.memory", "-o", "out.docx"), 2, "written as .tmx or .tsv"),
    ],
)
def test_what_cannot_be_is_one_line(season, arguments, code, message):
    outcome = season("memory", *arguments)
    assert outcome.code == code
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
