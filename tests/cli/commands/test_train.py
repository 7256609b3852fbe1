"""``subfit train`` from the recipe to the exported model, and what it shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.training.recipe.file import dump_recipe
from tests.cli.conftest import Cli
from tests.tiny import RECIPE, write_pairs


def test_a_run_is_not_put_among_other_files(cli: Cli, tmp_path: Path) -> None:
    write_pairs(tmp_path / "toy.tsv")
    recipe = replace(RECIPE, data=replace(RECIPE.data, root="."))
    (tmp_path / "tiny.yaml").write_text(dump_recipe(recipe), encoding="utf-8")
    (tmp_path / "README.md").write_text("Mine.", encoding="utf-8")
    for place in (".", "tiny.yaml"):
        outcome = cli("train", "tiny.yaml", "--run-dir", place)
        assert outcome.code == 2
        assert "holds no run; give --run-dir another folder" in outcome.err
    assert (tmp_path / "README.md").read_text() == "Mine."


def test_train_resume_and_export(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scores: None
) -> None:
    write_pairs(tmp_path / "toy.tsv")
    recipe = replace(RECIPE, data=replace(RECIPE.data, root="."))
    (tmp_path / "tiny.yaml").write_text(dump_recipe(recipe), encoding="utf-8")
    outcome = cli("train", "tiny.yaml", "schedule.steps=2")
    assert outcome.code == 0, outcome.err
    assert "measuring the model on 30 lines of the dev set" in outcome.out
    run = tmp_path / "runs" / "tiny"
    names = {"recipe.yaml", "environment.json", "data.json", "log.jsonl", "curves.png"}
    assert names | {"metrics.json", "README.md"} <= {each.name for each in run.iterdir()}

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a finished run was trained or measured again")

    monkeypatch.setattr("subfit.training.train.train", never)
    monkeypatch.setattr("subfit.training.release.finish.finish_run", never)
    outcome = cli("train", "tiny.yaml", "schedule.steps=2", "--resume", "--export", "model")
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "model" / "README.md").read_bytes() == (run / "README.md").read_bytes()
    assert (tmp_path / "model" / "metrics.json").is_file()
