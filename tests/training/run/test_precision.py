"""Training in bfloat16 where the machine has it, and in float32 where it would take ages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.training.run import precision
from subfit.training.train import train
from tests.tiny import RECIPE

CPU = torch.device("cpu")
HALF = replace(RECIPE, run=replace(RECIPE.run, dtype="bfloat16"))


@pytest.mark.parametrize("there", [True, False])
def test_products_are_in_bfloat16_only_where_asked_for_and_there(there, monkeypatch) -> None:
    monkeypatch.setattr(precision, "has_bfloat16", lambda _: there)
    ones = torch.ones(2, 2)
    with precision.autocast(HALF, CPU):
        assert (ones @ ones).dtype == (torch.bfloat16 if there else torch.float32)
    with precision.autocast(RECIPE, CPU):
        assert (ones @ ones).dtype == torch.float32


def test_accelerators_have_it() -> None:
    assert precision.has_bfloat16(torch.device("cuda"))


@pytest.mark.parametrize(("there", "lines"), [(True, 0), (False, 1)])
def test_a_run_says_that_it_computes_in_float32_instead(
    there: bool, lines: int, recipe, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(precision, "has_bfloat16", lambda _: there)
    said: list[str] = []
    run = replace(recipe.run, dtype="bfloat16")
    short = replace(recipe, run=run, schedule=replace(recipe.schedule, steps=2))
    train(short, tmp_path / "run", announce=said.append)
    assert said.count(precision.NO_BFLOAT16) == lines
