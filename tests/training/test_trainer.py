"""Steps, what is measured and logged on the way, and what stops them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from subfit.errors import SubfitError
from subfit.training import trainer
from subfit.training.recipe import load_recipe
from subfit.training.sections import Optimizer
from subfit.training.train import train
from subfit.training.trainer import Progress
from tests.training.runs import assert_same, steps, weights


@pytest.mark.slow
def test_measuring_on_the_way_leaves_the_weights_alone(recipe, tmp_path, scores):
    often = replace(recipe.run, validate_steps=1, score_steps=2, score_lines=3, average=2)
    train(recipe, tmp_path / "plain")
    train(replace(recipe, run=often), tmp_path / "measured")
    assert_same(weights(tmp_path / "plain"), weights(tmp_path / "measured"))


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


def test_time_is_counted_over_kills(recipe, tmp_path, monkeypatch):
    """What a kill undoes is trained again: its time was spent all the same."""
    folder, clock = tmp_path / "run", [0.0]

    def tick() -> float:
        clock[0] += 1.0
        return clock[0]

    monkeypatch.setattr(trainer.time, "monotonic", tick)
    often = replace(recipe, run=replace(recipe.run, log_steps=1, save_minutes=1000))
    train(steps(often, 3), folder)
    saved = json.loads((folder / "state" / "progress.json").read_text())["seconds"]
    logged = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert saved >= max(line.get("seconds", 0) for line in logged)  # also since the last line
    with (folder / "log.jsonl").open("a") as log:  # two more steps, and then a kill
        log.write(json.dumps({"step": 5, "loss": 1.0, "seconds": saved + 200}) + "\n")
    train(steps(often, 4), folder)
    assert json.loads((folder / "state" / "progress.json").read_text())["seconds"] > saved + 200
