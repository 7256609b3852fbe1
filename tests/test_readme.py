"""The README's stories, command by command, with the model that comes along."""

import csv
import json
import re
import shlex
from pathlib import Path

import pytest
from openpyxl import load_workbook

from subfit.subtitles.formats import read_track

from .cli.conftest import Cli, cli, run_documented
from .places import ROOT

__all__ = ["cli"]

TERMS = "source,target\nlighthouse,Leuchtturm\nkeeper,Wärter\n"
CUES = 6
THERE = (
    "[WIND HEULT]",
    "Hallo?",
    "Ist jemand zu Hause?",
    "[TÜR SCHLÄGT ZU]",
    "Sie können die Tür auch ein wenig leiser zumachen, wissen Sie.",
    "Ich war's nicht. Es war der Wind.",
)
"""A translation that is there already; one line of it is too long."""


def blocks(text: str) -> dict[str, list[list[str]]]:
    """The commands of each story, by its bold heading."""
    stories: dict[str, list[list[str]]] = {}
    section = text.split("\n## Four stories\n")[1].split("\n## ")[0]
    for part in re.split(r"^(?=\*\*)", section, flags=re.MULTILINE)[1:]:
        name = part.split("**")[1].strip(".")
        lines = [
            line
            for block in re.findall(r"```\n(.*?)```", part, re.DOTALL)
            for line in block.replace("\\\n", " ").splitlines()
        ]
        stories[name] = [shlex.split(line, comments=True) for line in lines]
    return stories


STORIES = blocks((ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.fixture
def desk(tmp_path: Path, loaded_once: None) -> Path:
    """A folder with the files of the stories, all of them short."""
    scene = (ROOT / "examples" / "lighthouse.en.srt").read_text(encoding="utf-8")
    short = "\n\n".join(scene.split("\n\n")[:CUES]) + "\n"
    (tmp_path / "season1" / "extras").mkdir(parents=True)
    (tmp_path / "movie.en.srt").write_text(short, encoding="utf-8")
    for name in ("season1/e01.en.srt", "season1/extras/e02.en.srt"):
        (tmp_path / name).write_text("\n\n".join(scene.split("\n\n")[:2]), encoding="utf-8")
    script = ROOT / "examples" / "lighthouse-script.en"
    rows = script.with_suffix(".en.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "script.en.csv").write_text("".join(rows[: CUES + 2]), encoding="utf-8")
    book = load_workbook(script.with_suffix(".en.xlsx"))
    book.active.delete_rows(CUES + 6, book.active.max_row)
    book.save(tmp_path / "script.en.xlsx")
    (tmp_path / "terms.csv").write_text(TERMS, encoding="utf-8")
    return tmp_path


def write_translation(desk: Path) -> None:
    """Write a translation that is there already."""
    cues = (desk / "movie.en.srt").read_text(encoding="utf-8").strip().split("\n\n")
    there = [
        "\n".join([*cue.splitlines()[:2], text]) for cue, text in zip(cues, THERE, strict=True)
    ]
    (desk / "movie.de.srt").write_text("\n\n".join(there) + "\n", encoding="utf-8")


def test_there_are_four() -> None:
    assert list(STORIES) == [*CHECKS]
    assert all(STORIES.values())


@pytest.mark.parametrize("story", STORIES)
def test_the_commands_of_a_story_do_what_it_says(story: str, desk: Path, cli: Cli) -> None:
    if STORIES[story][0][1] == "fit":
        write_translation(desk)
    for words in STORIES[story]:
        run_documented(cli, words)
    CHECKS[story](desk)


def subtitler(desk: Path) -> None:
    source, target = (read_track(str(desk / f"movie.{tag}.srt")) for tag in ("en", "de"))
    assert [each.start for each in target.cues] == [each.start for each in source.cues]
    assert "movie.en.srt" in (desk / "movie.html").read_text(encoding="utf-8")
    narrow = read_track(str(desk / "movie.37.de.srt"))
    assert [each.text.split() for each in narrow.cues] == [
        each.text.split() for each in target.cues
    ]
    assert all(len(line) <= 37 for each in narrow.cues for line in each.text.split("\n"))


def colleague(desk: Path) -> None:
    source, fitted = (read_track(str(desk / f"movie.{tag}.srt")) for tag in ("en", "fit.de"))
    assert [each.start for each in fitted.cues] == [each.start for each in source.cues]
    texts = [each.text for each in fitted.cues]
    assert [texts[place] for place in (0, 1, 2, 3, 5)] == [
        THERE[place] for place in (0, 1, 2, 3, 5)
    ]
    assert texts[4].replace("\n", " ") == THERE[4].replace(", wissen Sie", "")
    assert all(len(line) <= 42 for line in texts[4].split("\n"))


def adapter(desk: Path) -> None:
    sheet = load_workbook(desk / "script.it.xlsx").active
    cells = [[cell.value for cell in row] for row in sheet.iter_rows()]
    head = next(number for number, row in enumerate(cells) if "Text" in row)
    report = json.loads((desk / "script.json").read_text(encoding="utf-8"))
    column = cells[head].index("Translation")
    translated = [row[column] for row in cells[head + 1 :] if row[column]]
    assert len(translated) == len(report["files"][0]["cues"])
    rows = csv.reader(
        (desk / "script.fr.csv").read_text(encoding="utf-8").splitlines(), delimiter=";"
    )
    assert "Translation" in next(rows)


def engineer(desk: Path) -> None:
    first, again = (
        json.loads((desk / f"{name}.json").read_text()) for name in ("season1", "again")
    )
    assert (first["totals"]["files"]["done"], again["totals"]["files"]["earlier"]) == (6, 6)
    for language in ("de", "it", "fr"):
        assert (desk / "out" / "extras" / f"e02.{language}.srt").is_file()


CHECKS = {
    "The subtitler": subtitler,
    "Whoever has a translation already": colleague,
    "The dubbing adapter": adapter,
    "The batch engineer": engineer,
}
