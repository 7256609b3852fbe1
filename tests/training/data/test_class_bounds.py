"""Length classes by quantiles of the training pairs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.errors import RecipeError
from subfit.evaluation.corpus import Pair
from subfit.training.data.class_bounds import with_class_bounds
from subfit.training.recipe.recipe import Recipe
from tests.tiny import RECIPE

PAIRS = [Pair("", "x" * 10, "y" * length) for length in range(1, 31)]


def recipe(classes: dict[str, float | str | None]) -> Recipe:
    return replace(RECIPE, length=replace(RECIPE.length, classes=classes))


def test_thirds_part_the_pairs_in_three_bins_of_ten():
    found = with_class_bounds(
        recipe({"short": "q0.3333", "normal": "q0.6666", "long": None}), PAIRS
    )
    assert found.length.classes == {"short": 1.0, "normal": 2.0, "long": None}
    assert not found.length.by_quantile


def test_ratios_stay_as_they_are():
    assert with_class_bounds(RECIPE, PAIRS) is RECIPE


def test_quantiles_that_fall_together_are_refused():
    same = [Pair("", "abc", "def")] * 9
    with pytest.raises(
        RecipeError, match=r"at a: 1\.0, b: 1\.0, c: None, which leaves a class empty"
    ):
        with_class_bounds(recipe({"a": "q0.3", "b": "q0.6", "c": None}), same)


@pytest.mark.parametrize(
    ("classes", "problem"),
    [
        ({"a": "q1.5", "b": None}, "quantiles from q0 to q1"),
        ({"a": "0.5x", "b": None}, "quantiles from q0 to q1"),
        ({"a": "q0.6", "b": "q0.3", "c": None}, "must ascend"),
        ({"a": "q0.6"}, "must ascend and end with an open class"),
        ({"a": "q0.3", "b": 1.2, "c": None}, "all by ratios or all by quantiles"),
    ],
)
def test_classes_that_cannot_be(classes, problem):
    with pytest.raises(RecipeError, match=problem):
        recipe(classes)
