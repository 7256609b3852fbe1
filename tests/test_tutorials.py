"""The tutorials, command by command, and the options that docs/ names."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from subfit.cli.main import subfit

from .cli.conftest import cli, run_documented
from .places import EXAMPLES, ROOT

__all__ = ["cli"]

CUES = 5
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TUTORIALS = {
    page.stem: page.read_text(encoding="utf-8") for page in PAGES if "tutorials" in str(page)
}
WRITTEN = {
    "subtitler": "terms.csv lighthouse.de.srt lighthouse.html delivery.37.de.srt again.de.srt",
    "dubber": "script.de.xlsx script.json lips.de.csv named.de.csv",
    "batch": "out/e01.fr.srt out/extras/e02.de.srt run.json check.xml",
    "researcher": "isometric.txt table.md mine.yaml",
}
"""What stands there at a tutorial's end."""
OTHERS = {"--build-arg", "--standalone", "--nproc-per-node"}
"""Options of other programs that docs/ names."""


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each file that a page shows, or nothing for commands, and the content."""
    for kind, name, content in re.findall(
        r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', text, re.DOTALL | re.MULTILINE
    ):
        if kind == "sh" or name:
            yield name, content


@pytest.fixture
def desk(tmp_path: Path, loaded_once: None) -> Path:
    """A folder with short files of the examples' names."""
    scene = (EXAMPLES / "lighthouse.en.srt").read_text(encoding="utf-8").split("\n\n")[:CUES]
    (tmp_path / "season1" / "extras").mkdir(parents=True)
    for name in ("lighthouse.en.srt", "season1/e01.en.srt", "season1/extras/e02.en.srt"):
        (tmp_path / name).write_text("\n\n".join(scene) + "\n", encoding="utf-8")
    shutil.copy(EXAMPLES / "lighthouse-script.en.xlsx", tmp_path)
    script = (EXAMPLES / "lighthouse-script.en.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "lighthouse-script.en.csv").write_text("\n".join(script[:CUES]), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_commands_of_a_tutorial_run(name, desk, cli, tiny_model_folder, monkeypatch):
    if name != "batch":  # which needs a model of three languages
        monkeypatch.setenv("SUBFIT_TRANSLATE_MODEL", str(tiny_model_folder))
    for file, content in blocks(TUTORIALS[name].replace("en-multi", str(tiny_model_folder))):
        if file:
            (desk / file).write_text(content, encoding="utf-8")
            continue
        for line in content.splitlines():
            run_documented(cli, shlex.split(line))
    assert [each for each in WRITTEN[name].split() if not (desk / each).stat().st_size] == []


def commands(command: click.Command, name: str) -> Iterator[tuple[str, set[str]]]:
    """Yield all commands below one, by all their words, with their options."""
    own = [each for each in command.params if isinstance(each, click.Option)]
    yield name, {"-h", "--help"}.union(*(set(each.opts + each.secondary_opts) for each in own))
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from commands(found, f"{name} {each}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_docs_name_options_that_there_are(page: Path) -> None:
    known, text = dict(commands(subfit, "subfit")), page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    assert named - set().union(*known.values()) - OTHERS == set()
    for line in re.findall(r"(?:^|`)(subfit [a-z][^`\n]*)", text, re.MULTILINE):
        words = re.split(r" [#|>] ?", line)[0].split()
        name = " ".join(words[: 3 if " ".join(words[:3]) in known else 2])
        used = {each.split("=")[0] for each in words if re.match("--?[a-z]", each)}
        assert name not in known or used <= known[name], line
        assert not used or name in known, line


def test_the_page_of_the_command_line_lists_all_commands() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `subfit ([a-z]+)", text, re.MULTILINE)) == set(
        subfit.list_commands(click.Context(subfit))
    )
