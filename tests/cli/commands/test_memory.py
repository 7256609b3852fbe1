"""``subfit memory`` as its users run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import SCENE, Cli

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
def test_what_cannot_be_is_one_line(
    season: Cli, arguments: tuple[str, ...], code: int, message: str
) -> None:
    outcome = season("memory", *arguments)
    assert outcome.code == code
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
