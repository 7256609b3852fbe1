"""Runs of so many steps, and their weights."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import torch
from safetensors.torch import load_file

from subfit.training.dataset import Batch
from subfit.training.recipe import Recipe


def steps(recipe: Recipe, count: int) -> Recipe:
    return replace(recipe, schedule=replace(recipe.schedule, steps=count))


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "state" / "model.safetensors")


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert torch.equal(value, other[name]), name


def sides(batch: Batch) -> tuple[list[list[int]], list[list[int]]]:
    """The tokens of each source, and the labels of each target."""
    return tuple(
        [row[a:b].tolist() for a, b in pairwise(bounds.tolist())]
        for row, bounds in (
            (batch.source, batch.source_bounds),
            (batch.labels, batch.target_bounds),
        )
    )
