"""Runs of so many steps, and their weights."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from subfit.training.dataset import Batch
from subfit.training.recipe import Recipe


def changed(recipe: Recipe, **sections: dict[str, Any]) -> Recipe:
    """A recipe with other values in some of its sections."""
    made = {name: replace(getattr(recipe, name), **values) for name, values in sections.items()}
    return replace(recipe, **made)


def steps(recipe: Recipe, count: int) -> Recipe:
    return changed(recipe, schedule={"steps": count})


def logged(folder: Path, key: str) -> dict[int, float]:
    """A figure of the log by step."""
    lines = map(json.loads, (folder / "log.jsonl").read_text(encoding="utf-8").splitlines())
    return {line["step"]: line[key] for line in lines if key in line}


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
