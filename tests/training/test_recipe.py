"""Recipes: what they may say, and how everything wrong with one is told."""

from __future__ import annotations

import re

import pytest

from subfit.errors import RecipeError
from subfit.training.recipe import (
    dump_recipe,
    load_recipe,
    recipe_problems,
    recipe_variants,
)
from subfit.training.sections import Architecture
from tests.places import ROOT
from tests.training.recipes import RECIPES, WHOLE, refusal


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_recipe_of_the_project_loads(path):
    assert recipe_problems(path) == ()
    for variant in recipe_variants(path) or (None,):
        recipe = load_recipe(path, variant=variant)
        assert recipe.name == "-".join(filter(None, (path.stem, variant)))
        assert recipe.data.root == "data"
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert f"subfit train recipes/{path.name}" in text
    # By name, and not by path, so that a copy elsewhere still finds it.
    assert not re.search(r"^extends:.*(/|\.ya?ml)", text, re.MULTILINE)


def test_values_have_their_types(written):
    recipe = load_recipe(written(WHOLE))
    assert recipe.data.train == ("a.tsv", "b.tsv.xz")
    assert recipe.data.weights == {"games": 2.0, "parliament": 0.3}
    assert recipe.length.classes == {"short": 0.9, "long": None}
    assert recipe.optimizer.learning_rate == 0.001
    assert recipe.optimizer.betas == (0.9, 0.999)
    assert recipe.model == Architecture()


def test_all_problems_are_told_at_once_with_their_lines(written):
    path = written(
        WHOLE.replace("name: test", "nmae: test")
        .replace("dev: dev.tsv", "dev: 7")
        .replace("encodings: [abs, rel]", "encodings: [abs, sin]")
        .replace("warmup: 10", "warm: 10")
    )
    with pytest.raises(RecipeError) as caught:
        load_recipe(path, ["run.seed=soon", "nothing"])
    message = str(caught.value)
    for part in (
        f"{path}:1: unknown key nmae (did you mean name?",
        f"{path}:1: missing key name",
        f"{path}:6: data.dev must be a string or a mapping, not 7",
        f"{path}:10: length.encodings must be 'abs', 'rel', 'lrpe', ",
        f"{path}:14: unknown key schedule.warm (did you mean warmup?",
        'command line: run.seed must be an integer, not "soon"',
        "command line: 'nothing' is not of the form",
    ):
        assert part in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("override", "problem"),
    [
        ("run=fast", "run must be a mapping"),
        ("data.root=[", "is not YAML"),
        ("name.first=a", "name is not a section"),
        ("=3", "not of the form"),
        ("name=a/b", "must do for a folder"),
        ("name=..", "must do for a folder"),
        ("name=''", "must do for a folder"),
        ("source_language=''", "source_language must have at least 1 character"),
        ("extends=other.yaml", "stands in recipes only"),
        ("variants.a={}", "stands in recipes only"),
        ("run.seed=!!bool maybe", "'maybe' is neither"),
    ],
)
def test_impossible_values_are_refused(written, override, problem):
    assert problem in refusal(written, override)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("steps: 3", "unknown key steps (did you mean schedule.steps?)"),
        ("seed: 3", "unknown key seed (did you mean run.seed?)"),
        ("lengths: {}", "unknown key lengths (did you mean length? known: name, "),
        ("zzz: {}", "unknown key zzz (known: name, "),
        ("run: {warmup: 3}", "unknown key run.warmup (did you mean schedule.warmup?)"),
    ],
)
def test_an_unknown_key_comes_with_the_one_that_was_meant(written, line, hint):
    path = written(f"{WHOLE}{line}\n")
    (problem,) = map(str, recipe_problems(path))
    assert problem.startswith(f"{path}:15: {hint}")


@pytest.mark.parametrize("name", ["en-multi", "multi-en"])
def test_recipes_of_shipped_models_are_read(name):
    assert recipe_problems(ROOT / "models" / name / "recipe.yaml") == ()


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_dumped_recipe_loads_as_the_same(path, written):
    recipe = load_recipe(path)
    assert load_recipe(written(dump_recipe(recipe))) == recipe


def test_overrides_win_and_may_open_a_section(written):
    recipe = load_recipe(
        written(WHOLE), ["run.seed=7", "data.root=/corpora", "data.train=[c.tsv]", "run.seed=8"]
    )
    assert (recipe.run.seed, recipe.data.root, recipe.data.train) == (8, "/corpora", ("c.tsv",))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- a\n- b\n", "a mapping of keys"),
        ("", "missing key name"),
        ("name: [", "not YAML"),
        ("name: a\x00b", "not YAML"),
        ("name: a\nrun: [\n", ":3: not YAML"),
        (200_000 * "[", "not YAML"),
        (WHOLE + "? [a, b]\n: c\n", ":15: a key must be plain text"),
        (WHOLE + "run: &run\n  seed: *run\n", ":16: mappings are nested too deeply"),
        (WHOLE.replace("name: test", "name: !!bool maybe"), ":1: name: 'maybe' is neither"),
        (WHOLE + "name: again\n", ":15: name is given twice"),
        (WHOLE.replace("name: test", "name: !python/name x"), ":1: name: 'x' is neither"),
    ],
)
def test_files_that_are_no_recipes_are_refused(written, text, problem):
    with pytest.raises(RecipeError) as caught:
        load_recipe(written(text))
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
