"""Steps, what is measured and logged on the way, and what stops them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from subfit.errors import SubfitError
from subfit.training.recipe import load_recipe
from subfit.training.sections import Optimizer
from subfit.training.train import train
from subfit.training.trainer import Progress
from tests.training.runs import assert_same, steps, weights


def test_the_log_has_losses_and_scores(recipe, tmp_path, scores):
    seen: list[Progress] = []
    said: list[str] = []
    train(recipe, tmp_path / "run", report=seen.append, announce=said.append)
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if "loss" in line] == [2, 4, 6]
    assert [line["step"] for line in lines if "dev_loss" in line] == [3, 6]
    assert [line["step"] for line in lines if "bleu" in line] == [6]
    assert {"chrf", "length_ratio"} <= {key for line in lines for key in line}
    assert [each.step for each in seen] == [2, 4, 6]
    assert seen[-1].target_tokens > 0
    assert said[0] == "30 pairs to train on, 30 to validate on"
    assert load_recipe(tmp_path / "run" / "recipe.yaml") == recipe


def test_an_exploding_loss_stops_the_run_and_spares_the_state(recipe, tmp_path):
    train(recipe, tmp_path / "run")
    before = weights(tmp_path / "run")
    wild = Optimizer(name="adam", learning_rate=1e30, clip=0)
    with pytest.raises(SubfitError, match=r"step \d+: the loss is not a number; lower"):
        train(steps(replace(recipe, optimizer=wild), 40), tmp_path / "run")
    assert_same(before, weights(tmp_path / "run"))
