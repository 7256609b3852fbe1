"""What several tests of training need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from subfit.model.config import ModelConfig, read_config
from subfit.training.recipe import Recipe
from subfit.training.sections import Length, Schedule
from subfit.training.train import train
from tests.tiny import RECIPE, write_pairs


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a recipe and returns its place."""

    def write(text: str) -> Path:
        path = tmp_path / "recipe.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="module")
def config(tiny_model_folder: Path) -> ModelConfig:
    return ModelConfig.from_dict(read_config(tiny_model_folder))


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """A toy run with everything random: joined sentences, noise, dropout."""
    write_pairs(tmp_path / "toy.tsv")
    return replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(tmp_path), join=0.3),
        length=replace(RECIPE.length, noise=2),
        model=replace(RECIPE.model, dropout=0.1),
    )


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of a model without any length signal."""
    folder = tmp_path_factory.mktemp("plain")
    write_pairs(folder / "toy.tsv")
    recipe = replace(RECIPE, data=replace(RECIPE.data, root=str(folder)), length=Length())
    train(replace(recipe, schedule=Schedule(steps=8, warmup=2)), folder / "run")
    return folder
