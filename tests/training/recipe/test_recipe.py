"""Recipes: what they may say, and how everything wrong with one is told."""

from __future__ import annotations

import re

import pytest

from subfit.errors import RecipeError
from subfit.training.recipe.file import (
    load_recipe,
    recipe_problems,
    recipe_variants,
)
from subfit.training.recipe.model import Architecture
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
        ("data.train=[]", "data.train must name at least one file"),
        ("data.train=file.tsv", 'data.train must be a list or a mapping, not "file.tsv"'),
        ("data.dev=''", "data.dev must name a file"),
        ("data.weights={a: -1}", "data.weights.a must be greater than or equal to 0, not -1"),
        ("data.short_weight=0.5", "data.short_weight must be greater than or equal to 1"),
        ("data.short_ratio=0", "data.short_ratio must be greater than 0"),
        ("data.join=2", "data.join must be less than or equal to 1, not 2"),
        (
            "data.variations={fragments: 0.1}",
            "data.variations.fragments must be 'unpunctuated', 'fragment', 'ellipsis'",
        ),
        ("data.variations={fragment: -0.1}", "greater than or equal to 0"),
        ("data.variations={fragment: 0.6, ellipsis: 0.6}", "1 or less together"),
        ("vocabulary.type=words", "vocabulary.type must be 'unigram', 'bpe' or 'char'"),
        ("length.classes={a: 1.2, b: 1.0, c: null}", "must ascend"),
        ("length.classes={a: 1.2}", "end with an open class"),
        ("length.noise=2", "length.noise needs length.encodings"),
        ("length.free=1", "length.free must be less than 1"),
        ("length.predictor=bert", "length.predictor must be 'encoder'"),
        ("length.predictor_weight=0", "length.predictor_weight must be greater than 0"),
        ("length.predictor_gradient=true", "need length.predictor: encoder"),
        ("length={predictor: encoder, classes: {a: 1, b: null}}", "needs length.free"),
        ("length.positions=1", "length.positions must be a boolean, not 1"),
        ("model.width=321", "must be even and a multiple"),
        ("model.heads=0", "model.heads must be greater than or equal to 1"),
        ("model.dropout=1.5", "model.dropout must be less than 1"),
        ("optimizer.learning_rate=0", "greater than 0"),
        ("optimizer.learning_rate=fast", 'must be a number, not "fast"'),
        ("optimizer.learning_rate=.nan", "a finite number"),
        ("optimizer.adam_learning_rate=0.1", "needs optimizer.name: muon"),
        ("optimizer.adam_learning_rate=-1", "adam_learning_rate must be greater than 0"),
        ("optimizer.learning_rate=1e999", "a finite number"),
        ("optimizer.learning_rate=1" + 400 * "0", "a finite number"),
        ("schedule.steps=0", "schedule.steps must be greater than or equal to 1"),
        ("schedule.warmup=-1", "schedule.warmup must be greater than or equal to 0"),
        ("schedule.warmup=200", "together exceed schedule.steps=100"),
        ("schedule.cooldown=5", "needs schedule.shape: cooldown"),
        ("run.log_steps=0", "run.log_steps must be greater than or equal to 1"),
        ("run.dtype=float16", "run.dtype must be 'float32' or 'bfloat16'"),
        ("run=fast", "run must be a mapping"),
        ("name.first=a", "name is not a section"),
        ("data.root=[", "is not YAML"),
        ("=3", "not of the form"),
        ("name=a/b", "must do for a folder"),
        ("name=..", "must do for a folder"),
        ("name=''", "must do for a folder"),
        ("source_language=''", "source_language must have at least 1 character"),
        ("run.seed=!!bool maybe", "'maybe' is neither"),
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


def test_contradictions_are_told_beside_wrong_types_but_not_of_them(written):
    path = written(
        WHOLE.replace("warmup: 10", "warmup: soon, cooldown: 500, shape: inverse-sqrt")
        + "model: {heads: 0, width: 0, dropout: 2}\nrun: {average: 0, log_steps: 0}\n"
    )
    problems = [str(each).removeprefix(f"{path}:") for each in recipe_problems(path)]
    assert problems == [
        '14: schedule.warmup must be an integer, not "soon"',
        "14: schedule.cooldown needs schedule.shape: cooldown; inverse-sqrt has none",
        "15: model.width must be greater than or equal to 1, not 0",
        "15: model.heads must be greater than or equal to 1, not 0",
        "15: model.dropout must be less than 1, not 2",
        "16: run.log_steps must be greater than or equal to 1, not 0",
        "16: run.average must be greater than or equal to 1, not 0",
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
