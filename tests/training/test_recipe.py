"""Recipes: what they may say, and how everything wrong with one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from subfit.errors import RecipeError
from subfit.training.recipe_file import (
    dump_given,
    dump_recipe,
    load_recipe,
    recipe_problems,
    recipe_variants,
)
from subfit.training.recipe_model import Architecture
from tests.tiny import RECIPE

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.yaml"))

WHOLE = """\
name: test
source_language: en
target_language: de
data:
  train: [a.tsv, b.tsv.xz]
  dev: dev.tsv
  weights: {games: 2, parliament: 0.3}
length:
  classes: {short: 0.9, long: null}
  encodings: [abs, rel]
optimizer:
  learning_rate: 1e-3
  betas: [0.9, 0.999]
schedule: {steps: 100, warmup: 10}
"""


@pytest.fixture
def written(tmp_path):
    def write(text: str) -> Path:
        path = tmp_path / "recipe.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


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


def test_an_empty_mapping_leaves_none_of_those_below(table):
    recipe = load_recipe(table("extends: base.yaml\nname: b\nlength: {classes: {}}\n"))
    assert recipe.length.classes == {}
    assert recipe.length.encodings == ("abs", "rel")


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
    recipe = load_recipe(written(f"extends: {path.stem}\nname: mine\nrun: {{seed: 77}}\n"))
    assert (recipe.name, recipe.run.seed) == ("mine", 77)
    assert recipe.model == load_recipe(path).model


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {"table": "name: a\nextends: no.yaml\n"},
            "table.yaml:2: extends: there is no file no.yaml",
        ),
        ({"table": "extends: en-dee\n"}, "table.yaml:1: extends: there is no file en-dee, nor a"),
        ({"table": "extends: en-dee\n"}, "did you mean en-de?"),
        ({"table": "extends: [a, b]\n"}, "table.yaml:1: extends: ['a', 'b'] is not a file"),
        ({"table": "extends: table.yaml\n"}, "goes round in a circle: table.yaml > table.yaml"),
        (
            {"table": "extends: base.yaml\n", "base": "name: b\nextends: ./table.yaml\n"},
            "base.yaml:2: extends: goes round in a circle: table.yaml > base.yaml > table.yaml",
        ),
        ({"table": TABLE, "base": "name: a\nrun: [\n"}, "base.yaml:3: not YAML"),
        ({"table": TABLE, "base": "- a\n"}, "base.yaml:1: a recipe is a mapping"),
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


def test_the_name_is_not_inherited(table):
    path = table("extends: base.yaml\nrun: {seed: 3}\n")
    assert told(path) == ["table.yaml:1: missing key name"]


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


def test_overrides_win_over_variants(table):
    recipe = load_recipe(table(), ["length.encodings=[lrpe]", "name=mine"], "token+rel")
    assert (recipe.length.encodings, recipe.name) == (("lrpe",), "mine")


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


def test_a_recipe_without_variants_has_none_to_name(written):
    with pytest.raises(RecipeError, match=r"no variant 'token' \(known: none\)"):
        load_recipe(written(WHOLE), variant="token")


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
        "base.yaml:6: data.dev: 7 is not str",
        "base.yaml:12: optimizer.learning_rate must be more than 0",
        "table.yaml:12: length.encodings: ['rell'] is not",
        "table.yaml:14: unknown key lenght (did you mean length?",
        "table.yaml:15: schedule.warmup=60 and schedule.cooldown=0 together exceed",
        "table.yaml:16: run must be a section with keys (variant broken)",
        "table.yaml:18: variants.renamed.name: a variant cannot have this key",
        "table.yaml:19: variants.nothing must be a mapping of sections",
        "table.yaml:20: name='table-a/b' must do for a folder",
    ]
    assert len(found) == len(expected), found
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(start)


def test_variants_must_be_a_mapping(table):
    assert told(table(WHOLE + "variants: [a, b]\n")) == [
        "table.yaml:15: variants must be a mapping of names to what each of them changes"
    ]


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


def test_a_contradiction_stands_where_its_last_value_was_given(table):
    path = table("extends: base.yaml\nname: b\nschedule:\n  steps: 5\n")
    assert told(path) == [
        "table.yaml:4: schedule.warmup=10 and schedule.cooldown=0 together exceed schedule.steps=5"
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


def test_what_a_variant_comes_to_is_a_recipe_of_its_own(table, written):
    path = table()
    text = dump_given(path, "token+rel")
    assert "extends" not in text and "variants" not in text and "dropout" not in text
    assert load_recipe(written(text)) == load_recipe(path, variant="token+rel")


def test_a_resolved_recipe_of_every_variant_loads_as_the_same(table, written):
    path = table()
    for variant in recipe_variants(path):
        recipe = load_recipe(path, variant=variant)
        assert load_recipe(written(dump_recipe(recipe))) == recipe
