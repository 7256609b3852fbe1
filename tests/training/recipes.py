"""Recipes that tests read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from subfit.errors import RecipeError
from subfit.training.recipe import load_recipe
from tests.places import ROOT

RECIPES = sorted((ROOT / "recipes").glob("*.yaml"))

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


def refusal(written: Callable[[str], Path], override: str) -> str:
    """Return the line that is told of a value in a recipe that is sound without it."""
    path = written(WHOLE.replace("  encodings: [abs, rel]\n", ""))
    load_recipe(path)
    with pytest.raises(RecipeError) as caught:
        load_recipe(path, [override])
    message = str(caught.value)
    assert "\n" not in message
    return message
