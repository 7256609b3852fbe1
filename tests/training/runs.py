"""Runs of so many steps, and their weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import load_file

from subfit.training.recipe import Recipe


def steps(recipe: Recipe, count: int) -> Recipe:
    return replace(recipe, schedule=replace(recipe.schedule, steps=count))


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "state" / "model.safetensors")


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert torch.equal(value, other[name]), name
