"""A run to start others from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.training.recipe.model import Length
from subfit.training.recipe.run import Schedule
from subfit.training.train import train
from tests.tiny import RECIPE, write_pairs


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of a model without any length signal."""
    folder = tmp_path_factory.mktemp("plain")
    write_pairs(folder / "toy.tsv")
    recipe = replace(RECIPE, data=replace(RECIPE.data, root=str(folder)), length=Length())
    train(replace(recipe, schedule=Schedule(steps=8, warmup=2)), folder / "run")
    return folder
