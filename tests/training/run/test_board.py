"""TensorBoard: what the log says, as events; and one line where the package is missing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from subfit.errors import RecipeError
from subfit.training.run import board
from subfit.training.train import train
from tests.tiny import RECIPE, write_pairs


@pytest.fixture
def recipe(tmp_path):
    write_pairs(tmp_path / "toy.tsv")
    return replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(tmp_path)),
        run=replace(RECIPE.run, tensorboard=True),
    )


def test_a_missing_package_is_told_before_the_work(recipe, tmp_path, monkeypatch):
    monkeypatch.setattr(board, "find_spec", lambda name: None)
    with pytest.raises(RecipeError, match=r"run\.tensorboard needs .* subfit\[tensorboard\]"):
        train(recipe, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_events_are_the_lines_of_the_log(recipe, tmp_path, monkeypatch):
    events = []

    class Writer:
        def __init__(self, folder, purge_step):
            events.append((folder, purge_step))

        def add_scalar(self, name, value, step):
            events.append((name, step, value))

        def flush(self):
            pass

        def close(self):
            events.append("closed")

    monkeypatch.setattr(board, "find_spec", lambda name: "there")
    monkeypatch.setattr(board, "_writer", Writer)
    train(recipe, tmp_path / "run")
    log = (tmp_path / "run" / "log.jsonl").read_text().splitlines()
    expected = [
        (name, entry["step"], value)
        for entry in map(json.loads, log)
        for name, value in entry.items()
        if name != "step"
    ]
    assert events[0] == (str(tmp_path / "run" / "tensorboard"), 1)
    assert events[1:-1] == expected
    assert events[-1] == "closed"
    assert {"loss", "rate", "dev_loss"} <= {name for name, _, _ in expected}


def test_tensorboard_reads_the_events(tmp_path):
    pytest.importorskip("tensorboard", reason="needs subfit[tensorboard]")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    written = board.Board(tmp_path, 0)
    written.record({"step": 3, "loss": 1.5})
    written.close()
    found = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert [(event.step, event.value) for event in found.Scalars("loss")] == [(3, 1.5)]
