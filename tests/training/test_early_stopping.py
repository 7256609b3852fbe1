"""Early stopping: when a run ends, and which weights it leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.training.folder import Patience, export_run, keep_weights
from subfit.training.recipe import Recipe
from subfit.training.sections import RunSettings, Schedule
from subfit.training.train import train
from subfit.training.trainer import Trainer
from tests.tiny import RECIPE, write_pairs


@pytest.mark.parametrize(
    ("limit", "losses", "stops_after"),
    [
        (2, [3.0, 2.0, 2.5, 2.5, 1.0], 4),
        (2, [3.0, 2.0, 2.5, 1.9, 2.0, 2.0], 6),
        (2, [3.0, 3.0, 3.0], 3),  # as good is not better
        (1, [3.0, 2.0, 1.0], None),
        (0, [3.0, 4.0, 5.0, 6.0], None),
    ],
)
def test_patience_counts_validations_without_a_lower_loss(limit, losses, stops_after):
    patience = Patience(limit, warmup=-1)
    exhausted = []
    for step, loss in enumerate(losses):
        patience.see(loss, step)
        exhausted.append(patience.exhausted)
    assert (exhausted.index(True) + 1 if any(exhausted) else None) == stops_after


@pytest.mark.parametrize(
    ("run", "kept"),
    [
        (RunSettings(keep="best"), [20]),
        (RunSettings(keep="best", average=2), [20, 50]),
        (RunSettings(average=2), [50, 60]),
        (RunSettings(patience=3), [20]),
        (RunSettings(patience=3, keep="last", average=3), [40, 50, 60]),
        (RunSettings(), []),
    ],
)
def test_the_last_or_the_best_weights_are_kept(tmp_path, run, kept):
    model = torch.nn.Linear(1, 1)
    for step, loss in zip(range(10, 70, 10), [5.0, 1.0, 4.0, 3.0, 2.0, 6.0], strict=True):
        keep_weights(tmp_path, model, run, step, loss)
    assert sorted(int(path.stem) for path in tmp_path.glob("validated/*")) == kept


LOSSES = {2: 5.0, 4: 3.0, 6: 4.0, 8: 4.0, 10: 2.0}


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch) -> Recipe:
    """Validates every two steps; the dev loss has its minimum at step 4."""
    write_pairs(tmp_path / "toy.tsv")
    monkeypatch.setattr(Trainer, "validate", lambda self: {"dev_loss": LOSSES[self.step]})
    return replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(tmp_path)),
        schedule=Schedule(steps=10, warmup=2),
        run=replace(RECIPE.run, validate_steps=2, log_steps=3, score_lines=2, patience=2),
    )


def stored(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "state" / "model.safetensors")


def test_a_run_out_of_patience_ends_like_any_other(recipe, tmp_path):
    said: list[str] = []
    train(recipe, tmp_path / "run", announce=said.append)
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if "loss" in line] == [3, 6, 8]
    assert [line["step"] for line in lines if "bleu" in line] == [8]
    assert json.loads((tmp_path / "run" / "state" / "progress.json").read_text())["step"] == 8
    assert "step 8: stopped early; no dev loss below 3.000 in 2 validations" in said
    train(replace(recipe, schedule=Schedule(steps=4, warmup=2)), tmp_path / "best")
    exported = export_run(tmp_path / "run", tmp_path / "model", dtype=torch.float32)
    expected = stored(tmp_path / "best")
    for name, value in exported.named_parameters():
        assert torch.equal(value, expected[name]), name
