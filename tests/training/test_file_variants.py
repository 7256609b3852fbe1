"""Recipes that extend others, and tables of variants."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.errors import RecipeError
from subfit.training.recipe import (
    dump_merged,
    load_recipe,
    load_stages,
    recipe_problems,
    recipe_variants,
)
from tests.training.recipes import RECIPES, WHOLE

TABLE = """\
extends: base.yaml
name: table
schedule: {steps: 50}
variants:
  baseline:
  token:
    length:
      classes: {short: 0.95, long: null}
  token+rel:
    length:
      classes: {short: 0.95, long: null}
      encodings: [rel]
"""


@pytest.fixture
def table(tmp_path):
    """Write a recipe of three variants beside the one it extends; return a file's writer."""

    def write(text: str = TABLE, base: str = WHOLE) -> Path:
        (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
        path = tmp_path / "table.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def told(path: Path) -> list[str]:
    """Return a recipe's problems without their folder."""
    return [str(each).replace(f"{path.parent}/", "") for each in recipe_problems(path)]


def test_a_recipe_changes_what_it_extends_value_by_value(table):
    base = load_recipe(table().with_name("base.yaml"))
    recipe = load_recipe(
        table(
            "extends: base.yaml\nname: b\ndata: {train: [c.tsv], weights: {games: 1}}\n"
            "run:\n  seed: 3"
        )
    )
    assert recipe.data.train == ("c.tsv",)
    assert recipe.data.weights == {"games": 1.0, "parliament": 0.3}
    assert recipe.run.seed == 3
    assert (recipe.data.dev, recipe.length) == (base.data.dev, base.length)


def test_recipes_extend_one_another_over_several_files(table, tmp_path):
    path = tmp_path / "more" / "top.yaml"
    path.parent.mkdir()
    table()
    path.write_text("extends: ../table.yaml\nname: top\nrun: {seed: 9}\n", encoding="utf-8")
    recipe = load_recipe(path, variant="token+rel")
    assert (recipe.name, recipe.run.seed, recipe.schedule.steps) == ("top-token+rel", 9, 50)
    assert recipe.length.encodings == ("rel",)


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_bundled_recipe_is_extended_by_name(path, written):
    recipe = load_recipe(written(f"extends: {path.stem}\nname: mine\nrun: {{log_steps: 77}}\n"))
    assert (recipe.name, recipe.run.log_steps) == ("mine", 77)
    start = recipe.model.start.replace("/mine/", f"/{path.stem}/")
    assert replace(recipe.model, start=start) == load_recipe(path).model


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {"table": "name: a\nextends: no.yaml\n"},
            "table.yaml:2: extends: there is no file no.yaml",
        ),
        ({"table": "extends: en-dee\n"}, "table.yaml:1: extends: there is no file en-dee, nor one"),
        ({"table": "extends: en-dee\n"}, "did you mean en-de?"),
        ({"table": "extends: [a, b]\n"}, "table.yaml:1: extends: ['a', 'b'] is not a file"),
        ({"table": "extends: table.yaml\n"}, "goes round in a circle: table.yaml > table.yaml"),
        (
            {"table": "extends: base.yaml\n", "base": "name: b\nextends: ./table.yaml\n"},
            "base.yaml:2: extends: goes round in a circle: table.yaml > base.yaml > table.yaml",
        ),
        ({"table": TABLE, "base": "name: a\nrun: [\n"}, "base.yaml:3: not YAML"),
        ({"table": TABLE, "base": "- a\n"}, "base.yaml:1: must be a mapping"),
    ],
)
def test_what_cannot_be_extended_is_told_where_it_is_named(files, problem, tmp_path):
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    path = tmp_path / "table.yaml"
    assert problem in "".join(told(path))
    with pytest.raises(RecipeError) as caught:
        load_recipe(path)
    message = str(caught.value).replace(f"{tmp_path}/", "")
    assert problem in message and "\n" not in message
    assert "missing" not in message, "what the absent recipe says is not known"


def test_variants_make_a_table(table):
    path = table()
    assert recipe_variants(path) == ("baseline", "token", "token+rel")
    made = {name: load_recipe(path, variant=name) for name in (None, *recipe_variants(path))}
    names = {name: recipe.name for name, recipe in made.items()}
    assert names == {
        None: "table",
        "baseline": "table-baseline",
        "token": "table-token",
        "token+rel": "table-token+rel",
    }
    assert made[None].length == made["baseline"].length
    assert made["token"].length.classes == {"short": 0.95, "long": None}
    assert made["token"].length.encodings == ("abs", "rel")
    assert made["token+rel"].length.encodings == ("rel",)
    assert {each.schedule.steps for each in made.values()} == {50}


@pytest.mark.parametrize(
    ("variant", "parts"),
    [
        ("tokn", ("'tokn'", "did you mean token?", "baseline, token, token+rel")),
        ("x", ("'x' (known: baseline",)),
    ],
)
def test_an_unknown_variant_names_the_known_ones(table, variant, parts):
    with pytest.raises(RecipeError) as caught:
        load_recipe(table(), variant=variant)
    assert all(part in str(caught.value) for part in parts)
    assert "\n" not in str(caught.value)


def test_plain_values_may_wait_for_a_variant(table):
    path = table(
        "name: a\nsource_language: en\ntarget_language: de\nlength: {noise: 2}\nvariants:\n"
        "  abs: {data: {train: [a], dev: b}, length: {encodings: [abs]}}\n"
    )
    assert told(path) == []
    assert load_recipe(path, variant="abs").length.noise == 2
    with pytest.raises(RecipeError, match=r"missing key data; .* or name one of its variants: abs"):
        load_recipe(path)


def test_problems_of_all_variants_are_told_each_in_its_own_file(table):
    path = table(
        TABLE.replace("encodings: [rel]", "encodings: [rell]")
        + "  broken:\n    lenght: {}\n    schedule: {warmup: 60}\n    run: 3\n"
        "  renamed:\n    name: other\n  nothing: 7\n  a/b: {}\n",
        WHOLE.replace("learning_rate: 1e-3", "learning_rate: 0").replace("dev: dev.tsv", "dev: 7"),
    )
    found = told(path)
    expected = [
        "base.yaml:6: data.dev must be a string or a mapping, not 7",
        "base.yaml:12: optimizer.learning_rate must be greater than 0",
        "table.yaml:12: length.encodings must be 'abs', 'rel'",
        "table.yaml:14: unknown key lenght (did you mean length?",
        "table.yaml:15: schedule.warmup=60 and schedule.cooldown=0 together exceed",
        "table.yaml:16: run must be a mapping, not 3 (variant broken)",
        "table.yaml:18: variants.renamed.name: a variant cannot have this key",
        "table.yaml:19: variants.nothing must be a mapping of sections",
        "table.yaml:20: name must do for a folder",
    ]
    assert len(found) == len(expected), found
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(start)


def test_a_contradiction_stands_where_its_last_value_was_given(table):
    path = table("extends: base.yaml\nname: b\nschedule:\n  steps: 5\n")
    assert told(path) == [
        "table.yaml:4: schedule.warmup=10 and schedule.cooldown=0 together exceed schedule.steps=5"
    ]


def test_what_a_variant_comes_to_is_a_recipe_of_its_own(table, written):
    path = table()
    text = dump_merged(path, "token+rel")
    assert "extends" not in text and "variants" not in text and "dropout" not in text
    assert load_recipe(written(text)) == load_recipe(path, variant="token+rel")


STAGES = """\
extends: base.yaml
name: long
stages:
  broad: {schedule: {steps: 70}, run: {seed: 5}}
  near:
    data: {weights: {games: 4}}
    run: {average: 2}
"""


def test_each_stage_lies_over_the_one_before_and_starts_from_it(table):
    broad, near = load_stages(table(STAGES), ["optimizer.clip=2"])
    assert (broad.name, near.name) == ("long-broad", "long")
    assert (broad.model.start, near.model.start) == ("", "runs/long/broad")
    assert (near.schedule.steps, near.run.seed, near.run.average) == (70, 5, 2)
    assert near.data.weights == {"games": 4.0, "parliament": 0.3}
    assert broad.optimizer.clip == near.optimizer.clip == 2
    assert load_recipe(table(STAGES)).name == "long"


def test_problems_of_stages_are_told_where_they_stand(table):
    text = STAGES.replace("steps: 70", "steps: 5") + "  odd: 3\n  named: {name: x}\n"
    assert told(table(text)) == [
        "table.yaml:4: schedule.warmup=10 and schedule.cooldown=0 together exceed schedule.steps=5",
        "table.yaml:8: stages.odd must be a mapping of sections",
        "table.yaml:9: stages.named.name: a stage cannot have this key",
    ]
