"""Recipes: what they may say, and how everything wrong with one is told."""

from __future__ import annotations

import re

import pytest

from subfit.errors import RecipeError
from subfit.training.recipe.file import (
    dump_recipe,
    load_recipe,
    recipe_problems,
    recipe_variants,
)
from subfit.training.recipe.model import Architecture
from tests.tiny import RECIPE
from tests.training.recipes import RECIPES, WHOLE


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


def test_there_are_recipes():
    assert RECIPES


def test_values_have_their_types(written):
    recipe = load_recipe(written(WHOLE))
    assert recipe.data.train == ("a.tsv", "b.tsv.xz")
    assert recipe.data.weights == {"games": 2.0, "parliament": 0.3}
    assert recipe.length.classes == {"short": 0.9, "long": None}
    assert recipe.optimizer.learning_rate == 0.001
    assert recipe.optimizer.betas == (0.9, 0.999)
    assert recipe.model == Architecture()


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_dumped_recipe_loads_as_the_same(path, written):
    recipe = load_recipe(path)
    assert load_recipe(written(dump_recipe(recipe))) == recipe


def test_a_dumped_toy_recipe_loads_as_the_same(written):
    assert load_recipe(written(dump_recipe(RECIPE))) == RECIPE


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
        f"{path}:6: data.dev: 7 is not str",
        f"{path}:10: length.encodings: ['abs', 'sin'] is not",
        f"{path}:14: unknown key schedule.warm (did you mean warmup?",
        "command line: run.seed: 'soon' is not int",
        "command line: 'nothing' is not of the form",
    ):
        assert part in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("override", "problem"),
    [
        ("data.train=[]", "data.train must name at least one file"),
        ("data.train=file.tsv", "data.train: 'file.tsv' is not"),
        ("data.dev=''", "data.dev must name a file"),
        ("data.weights={a: -1}", "data.weights must be 0 or more"),
        ("data.join=2", "data.join is a share"),
        ("data.variations={fragments: 0.1}", "has only unpunctuated, fragment, ellipsis"),
        ("data.variations={fragment: -0.1}", "0 or more each"),
        ("data.variations={fragment: 0.6, ellipsis: 0.6}", "1 or less together"),
        ("vocabulary.type=words", "vocabulary.type: 'words' is not"),
        ("length.classes={a: 1.2, b: 1.0, c: null}", "must ascend"),
        ("length.classes={a: 1.2}", "end with an open class"),
        ("length.noise=2", "length.noise needs length.encodings"),
        ("length.free=1", "length.free is a share"),
        ("length.predictor=bert", "length.predictor: 'bert' is not"),
        ("length.predictor_weight=0", "length.predictor_weight must be more than 0"),
        ("length.predictor_gradient=true", "need length.predictor: encoder"),
        ("length={predictor: encoder, classes: {a: 1, b: null}}", "needs length.free"),
        ("length.positions=1", "length.positions: 1 is not bool"),
        ("model.width=321", "must be even and a multiple"),
        ("model.heads=0", "model.heads=0 must be 1 or more"),
        ("model.dropout=1.5", "model.dropout is a share"),
        ("optimizer.learning_rate=0", "more than 0"),
        ("optimizer.learning_rate=fast", "'fast' is not float"),
        ("optimizer.learning_rate=.nan", "is not float"),
        ("optimizer.adam_learning_rate=0.1", "needs optimizer.name: muon"),
        ("optimizer.adam_learning_rate=-1", "adam_learning_rate must be more than 0"),
        ("optimizer.learning_rate=1e999", "is not float"),
        ("optimizer.learning_rate=1" + 400 * "0", "is not float"),
        ("schedule.steps=0", "schedule.steps=0 must be 1 or more"),
        ("schedule.warmup=-1", "schedule.warmup must be 0 or more"),
        ("schedule.warmup=200", "together exceed schedule.steps=100"),
        ("schedule.cooldown=5", "needs schedule.shape: cooldown"),
        ("run.log_steps=0", "run.log_steps=0 must be 1 or more"),
        ("run.dtype=float16", "run.dtype: 'float16' is not"),
        ("run=fast", "run must be a section"),
        ("name.first=a", "name is not a section"),
        ("data.root=[", "is not YAML"),
        ("=3", "not of the form"),
        ("name=a/b", "must do for a folder"),
        ("name=..", "must do for a folder"),
        ("name=''", "must do for a folder"),
        ("source_language=''", "source_language must not be empty"),
        ("run.seed=!!bool maybe", "is not YAML"),
        ("extends=other.yaml", "stands in recipes only"),
        ("variants.a={}", "stands in recipes only"),
    ],
)
def test_impossible_values_are_refused(written, override, problem):
    plain = WHOLE.replace("  encodings: [abs, rel]\n", "")
    load_recipe(written(plain))
    with pytest.raises(RecipeError) as caught:
        load_recipe(written(plain), [override])
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_overrides_win_and_may_open_a_section(written):
    recipe = load_recipe(
        written(WHOLE), ["run.seed=7", "data.root=/corpora", "data.train=[c.tsv]", "run.seed=8"]
    )
    assert (recipe.run.seed, recipe.data.root, recipe.data.train) == (8, "/corpora", ("c.tsv",))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- a\n- b\n", "a mapping of sections"),
        ("", "a mapping of sections"),
        ("name: [", "not YAML"),
        ("name: a\x00b", "not YAML"),
        ("name: a\nrun: [\n", ":3: not YAML"),
        (200_000 * "[", "not YAML"),
        (WHOLE + "? [a, b]\n: c\n", ":15: a key must be plain text"),
        (WHOLE + "run: &run\n  seed: *run\n", ":16: mappings are nested too deeply"),
        (WHOLE.replace("name: test", "name: !!bool maybe"), ":1: name: not a value"),
        (WHOLE + "name: again\n", ":15: name is given twice"),
        (WHOLE.replace("name: test", "name: !python/name x"), ":1: name: not a value"),
        (WHOLE.replace("name: test", "name: 2020-99-99"), "name"),
    ],
)
def test_files_that_are_no_recipes_are_refused(written, text, problem):
    with pytest.raises(RecipeError) as caught:
        load_recipe(written(text))
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_absent_file_is_told_by_name(tmp_path):
    with pytest.raises(RecipeError, match=r"no\.yaml: cannot be read"):
        load_recipe(tmp_path / "no.yaml")


def test_contradictions_are_told_beside_wrong_types_but_not_of_them(written):
    path = written(
        WHOLE.replace("warmup: 10", "warmup: soon, cooldown: 500, shape: inverse-sqrt")
        + "model: {heads: 0, width: 0, dropout: 2}\nrun: {average: 0, log_steps: 0}\n"
    )
    problems = [str(each).removeprefix(f"{path}:") for each in recipe_problems(path)]
    assert problems == [
        "14: schedule.warmup: 'soon' is not int",
        "14: schedule.cooldown needs schedule.shape: cooldown; inverse-sqrt has none",
        "15: model.width=0 must be 1 or more",
        "15: model.heads=0 must be 1 or more",
        "15: model.dropout is a share: 0 <= dropout < 1",
        "16: run.log_steps=0 must be 1 or more",
        "16: run.average=0 must be 1 or more",
    ]


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
