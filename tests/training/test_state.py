"""Whatever moment a run is killed at, a whole state is there."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest
import torch

from subfit.training import folder as state
from subfit.training.folder import load_state, save_state


class TestSavedState:
    """Whatever moment a run is killed at, a whole state is there."""

    @pytest.fixture
    def model(self) -> torch.nn.Linear:
        return torch.nn.Linear(2, 2)

    def save(self, folder, model, value: float) -> None:
        with torch.no_grad():
            model.weight.fill_(value)
        save_state(folder, model, [], {"step": value})

    def step(self, folder, model) -> float | None:
        progress = load_state(folder, model, [])
        assert progress is None or (model.weight == progress["step"]).all()
        return progress and progress["step"]

    @pytest.mark.parametrize("moment", range(9))
    def test_killed_while_saving(self, tmp_path, model, monkeypatch, moment):
        self.save(tmp_path, model, 1.0)
        self.kill_at(monkeypatch, moment)
        with pytest.raises(SystemExit):
            self.save(tmp_path, model, 2.0)
        monkeypatch.undo()
        assert self.step(tmp_path, model) in (1.0, 2.0)

    @pytest.mark.parametrize("first", range(9))
    @pytest.mark.parametrize("second", range(9))
    def test_killed_twice(self, tmp_path, model, monkeypatch, first, second):
        self.save(tmp_path, model, 1.0)
        for moment, value in ((first, 2.0), (second, 3.0)):
            self.kill_at(monkeypatch, moment)
            with suppress(SystemExit):  # after the first kill there may be less to do
                self.save(tmp_path, model, value)
            monkeypatch.undo()
        assert self.step(tmp_path, model) in (1.0, 2.0, 3.0)
        self.save(tmp_path, model, 4.0)
        assert self.step(tmp_path, model) == 4.0
        assert sorted(each.name for each in tmp_path.iterdir()) == ["state"]

    def kill_at(self, monkeypatch, moment: int) -> None:
        """Let the process die at a call that changes files; the last moments are past the end."""
        calls = iter(range(100))

        def dying(name, original):
            def call(*args, **kwargs):
                if next(calls) == moment:
                    raise SystemExit(name)
                return original(*args, **kwargs)

            return call

        monkeypatch.setattr(state, "save_file", dying("save", state.save_file))
        monkeypatch.setattr(shutil, "rmtree", dying("rmtree", shutil.rmtree))
        for name in ("mkdir", "rename", "write_text"):
            monkeypatch.setattr(Path, name, dying(name, getattr(Path, name)))
