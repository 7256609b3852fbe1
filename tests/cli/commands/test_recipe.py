"""Recipes on the command line: listing, showing, copying, checking, training by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from subfit.training.recipe import load_recipe
from tests.cli.conftest import Cli

GOOD = """\
# Two ways to fit.
extends: en-de
name: good
variants:
  token: {length: {encodings: [], noise: 0}}
  token+rel: {length: {encodings: [rel]}}
"""
BAD = """\
extends: en-de
name: bad
shedule: {steps: 3}
run: {seed: soon}
variants:
  wide: {model: {width: 321}}
"""


@pytest.fixture
def recipes(tmp_path: Path) -> Path:
    """Write a good recipe and a bad one where commands run."""
    (tmp_path / "good.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text(BAD, encoding="utf-8")
    return tmp_path


def test_bundled_recipes_are_listed_with_their_purpose(cli: Cli) -> None:
    outcome = cli("recipe", "ls")
    assert outcome.code == 0
    purposes = dict(re.split(r"  +", line, maxsplit=1) for line in outcome.out.splitlines())
    assert purposes["en-de"] == "A starter model for subtitles, English to German."
    listed = {each["name"]: each for each in cli("recipe", "ls", "--json").json["recipes"]}
    assert listed["en-de"]["variants"] == []
    assert all(each["purpose"].endswith(".") for each in listed.values())


def test_a_recipe_is_shown_as_it_is(cli: Cli, project_root: Path) -> None:
    text = (project_root / "recipes" / "en-de.yaml").read_text(encoding="utf-8")
    assert cli("recipe", "cat", "en-de").out == text


@pytest.mark.parametrize(
    ("options", "present", "absent"),
    [
        (["--variant", "token+rel"], ["name: good-token+rel", "- rel", "pieces: 8000"], ["betas"]),
        (["--resolved"], ["name: good\n", "- abs", "betas"], ["variants"]),
        (["--resolved", "--variant", "token"], ["name: good-token\n", "betas"], ["- abs"]),
    ],
)
def test_a_recipe_is_shown_as_it_is_trained(options, present, absent, cli, recipes):
    outcome = cli("recipe", "cat", "good.yaml", *options)
    assert outcome.code == 0, outcome.err
    assert all(part in outcome.out for part in present)
    assert not any(part in outcome.out for part in ["extends", *absent])
    (recipes / "shown.yaml").write_text(outcome.out, encoding="utf-8")
    variant = options[-1] if "--variant" in options else None
    shown = load_recipe(recipes / "shown.yaml")
    assert shown == load_recipe(recipes / "good.yaml", variant=variant)


def test_a_copy_is_of_the_same_bytes_and_replaces_nothing_unasked(cli, tmp_path, project_root):
    original = (project_root / "recipes" / "en-de.yaml").read_bytes()
    assert cli("recipe", "cp", "en-de").code == 0
    assert (tmp_path / "en-de.yaml").read_bytes() == original
    (tmp_path / "folder").mkdir()
    assert cli("recipe", "cp", "en-de", "folder").out == "folder/en-de.yaml written\n"
    (tmp_path / "mine.yaml").write_text("mine", encoding="utf-8")
    refused = cli("recipe", "cp", "en-de", "mine.yaml")
    assert refused.code == 1
    assert refused.err.startswith("subfit: error: mine.yaml: the file exists already")
    assert (tmp_path / "mine.yaml").read_text(encoding="utf-8") == "mine"
    assert cli("recipe", "cp", "en-de", "mine.yaml", "--overwrite").code == 0
    assert (tmp_path / "mine.yaml").read_bytes() == original


def test_valid_recipes_are_told_and_exit_code_is_0(cli: Cli, recipes: Path) -> None:
    outcome = cli("recipe", "validate", "good.yaml", "en-de")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "good.yaml: valid, with the variants token, token+rel",
        "en-de: valid",
    ]


def test_all_problems_of_all_files_and_variants_are_told(cli: Cli, recipes: Path) -> None:
    outcome = cli("recipe", "validate", "bad.yaml", "no.yaml", "good.yaml", "en-dee")
    assert outcome.code == 1
    assert [line[:70] for line in outcome.out.splitlines()] == [
        "bad.yaml:3: unknown key shedule (did you mean schedule? known: name, s"[:70],
        'bad.yaml:4: run.seed must be an integer, not "soon"',
        "bad.yaml:6: model.width=321 must be even and a multiple of model.heads"[:70],
        "no.yaml: cannot be read (no such file or directory)",
        "good.yaml: valid, with the variants token, token+rel",
        "en-dee: no recipe here; did you mean en-de? recipes that come with sub"[:70],
    ]
    verdicts: list[Any] = cli("recipe", "validate", "bad.yaml", "good.yaml", "--json").json[
        "recipes"
    ]
    assert [each["valid"] for each in verdicts] == [False, True]
    assert verdicts[0]["problems"][1] == {
        "path": "bad.yaml",
        "line": 4,
        "problem": 'run.seed must be an integer, not "soon"',
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ["recipe", "cat", "en-dee"],
        ["recipe", "cat", "no.yaml"],
        ["recipe", "cat", "en-de", "--variant", "token"],
        ["recipe", "cat", "bad.yaml", "--resolved"],
        ["recipe", "cp", "en-dee"],
        ["recipe", "cp", "en-de", "no/folder/a.yaml"],
        ["train", "en-dee"],
        ["train", "bad.yaml"],
        ["train", "good.yaml", "--variant", "tokn"],
    ],
)
def test_failures_are_one_line(arguments: list[str], cli: Cli, recipes: Path) -> None:
    outcome = cli(*arguments)
    assert outcome.code == (2 if "en-dee" in arguments else 1)
    assert outcome.err.startswith("subfit: error: ") and outcome.err.count("\n") == 1
    assert outcome.out == ""


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["en-de"], "en-de"),
        (["good.yaml"], "good"),
        (["good.yaml", "--variant", "token+rel"], "good-token+rel"),
    ],
)
def test_training_takes_a_name_and_a_variant(arguments, name, cli, recipes, monkeypatch):
    trained: list[Any] = []
    monkeypatch.setattr("subfit.cli.commands.train._train", lambda *given: trained.append(given))
    outcome = cli("train", *arguments, "run.seed=5")
    assert outcome.code == 0, outcome.err
    ((stages, folder, _),) = trained
    recipe = stages[-1]
    assert (recipe.name, recipe.run.seed, folder) == (name, 5, Path("runs") / name)
