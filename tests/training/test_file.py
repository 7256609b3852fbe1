"""Recipe files, read and written."""

from __future__ import annotations

import pytest

from subfit.errors import RecipeError
from subfit.training.recipe import (
    dump_recipe,
    load_recipe,
)
from tests.training.recipes import RECIPES, WHOLE


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
