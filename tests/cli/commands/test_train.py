"""``subfit train`` from the recipe to the exported model, and what it shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.cli.commands.train import _tell
from subfit.training.recipe import dump_recipe, load_recipe
from subfit.training.trainer import Progress
from tests.cli.conftest import Cli
from tests.tiny import PAIRS, RECIPE, write_pairs


@pytest.fixture(autouse=True)
def _recipe(tmp_path: Path) -> None:
    """``tiny.yaml`` beside its pairs."""
    write_pairs(tmp_path / "toy.tsv")
    write_pairs(tmp_path / "dev.tsv", PAIRS[:4])
    recipe = replace(RECIPE, data=replace(RECIPE.data, root=".", dev="dev.tsv"))
    (tmp_path / "tiny.yaml").write_text(dump_recipe(recipe), encoding="utf-8")


def test_a_run_is_not_put_among_other_files(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Mine.", encoding="utf-8")
    for place in (".", "tiny.yaml"):
        outcome = cli("train", "tiny.yaml", "--run-dir", place)
        assert outcome.code == 2
        assert "holds no run; give --run-dir another folder" in outcome.err
    assert (tmp_path / "README.md").read_text() == "Mine."


def test_train_resume_and_export(cli, tmp_path, monkeypatch, scores):
    outcome = cli("train", "tiny.yaml", "schedule.steps=2")
    assert outcome.code == 0, outcome.err
    assert "measuring the model on 4 lines of the dev set" in outcome.out
    run = tmp_path / "runs" / "tiny"
    names = {"recipe.yaml", "environment.json", "data.json", "log.jsonl"}
    assert names | {"metrics.json"} <= {each.name for each in run.iterdir()}

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a finished run was trained or measured again")

    monkeypatch.setattr("subfit.training.train.train", never)
    monkeypatch.setattr("subfit.training.train.finish_run", never)
    outcome = cli("train", "tiny.yaml", "schedule.steps=2", "--resume", "--export", "model")
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "model" / "metrics.json").is_file()


LINE = Progress(30, 1, 2.5, 0.001, 9000, 450.0, 20.0)


@pytest.mark.parametrize(("minutes", "left"), [(None, "0:00:40"), (0.5, "0:00:10")])
def test_progress_is_a_line_with_the_time_that_is_left(minutes, left: str, capsys) -> None:
    _tell(90, minutes, LINE)
    told = "step 30/90  epoch 2  loss 2.500  450 tokens/s  0:00:20 done"
    assert capsys.readouterr().out == f"{told}  {left} left\n"


def test_a_recipe_in_stages_is_trained_stage_by_stage(cli: Cli, tmp_path: Path) -> None:
    stages = "stages:\n  one: {schedule: {steps: 3}}\n  two: {run: {seed: 2, lexicon_pairs: 30}}\n"
    with (tmp_path / "tiny.yaml").open("a", encoding="utf-8") as file:
        file.write(stages)
    outcome = cli("train", "tiny.yaml", "schedule.warmup=1", "--export", "model")
    assert outcome.code == 0, outcome.err
    run = tmp_path / "runs" / "tiny"
    assert (run / "one" / "metrics.json").is_file() and (run / "metrics.json").is_file()
    last = load_recipe(run / "recipe.yaml")
    assert (last.model.start, last.run.seed, last.schedule.warmup) == ("runs/tiny/one", 2, 1)
    assert load_recipe(run / "one" / "recipe.yaml").schedule.steps == 3
    assert (tmp_path / "model" / "lexicon.safetensors").is_file()
    again = cli("train", "tiny.yaml", "schedule.warmup=1", "--resume")
    assert again.out.count("; the run is finished") == 2
