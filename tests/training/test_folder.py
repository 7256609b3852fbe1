"""A run's folder: its state at any moment, where it was trained, and the model that comes of it."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

import subfit
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import load_checkpoint
from subfit.training import folder as state
from subfit.training.folder import (
    Patience,
    average_weights,
    environments,
    export_run,
    keep_weights,
    load_state,
    record_data,
    record_environment,
    save_state,
)
from subfit.training.pairs import Corpus
from subfit.training.recipe import Recipe, load_recipe
from subfit.training.sections import RunSettings
from subfit.training.train import train
from subfit.training.trainer import Trainer
from tests.tiny import PAIRS, RECIPE
from tests.training.runs import changed, logged, steps, weights


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


def test_export_averages_the_last_validations(recipe, tmp_path):
    train(changed(recipe, run={"validate_steps": 1, "average": 3}), tmp_path / "run")
    kept = sorted((tmp_path / "run" / "validated").iterdir())
    assert [each.stem for each in kept] == ["00000004", "00000005", "00000006"]
    mean = average_weights(kept)
    name = "model.encoder.layers.0.fc1.weight"
    by_hand = sum(load_file(each)[name] for each in kept) / 3
    torch.testing.assert_close(mean[name], by_hand)
    assert not torch.equal(mean[name], load_file(kept[-1])[name])
    export_run(tmp_path / "run", tmp_path / "model", dtype=torch.float32)
    exported = load_checkpoint(str(tmp_path / "model")).model.state_dict()
    for key, value in mean.items():
        assert torch.equal(exported[key], value), key


def test_export_without_averaging_takes_the_state(recipe, tmp_path):
    metrics = {"bleu": 12.5}
    train(recipe, tmp_path / "run")
    (tmp_path / "run" / "metrics.json").write_text(json.dumps(metrics))
    export_run(tmp_path / "run", tmp_path / "model")
    names = {each.name for each in (tmp_path / "model").iterdir()}
    assert names == {
        "SHA256SUMS",
        "config.json",
        "metrics.json",
        "model.safetensors",
        "recipe.yaml",
        "tokenizer.model",
    }
    assert json.loads((tmp_path / "model" / "metrics.json").read_text()) == metrics
    shipped = load_recipe(tmp_path / "model" / "recipe.yaml")
    assert shipped == replace(recipe, data=replace(recipe.data, root="data"))
    checkpoint = load_checkpoint(str(tmp_path / "model"))
    ratios = [len(pair.target) / len(pair.source) for pair in PAIRS]
    assert checkpoint.model.config.mean_length_ratio == pytest.approx(sum(ratios) / 30, abs=1e-4)
    stored = weights(tmp_path / "run")["model.shared.weight"]
    torch.testing.assert_close(
        checkpoint.model.state_dict()["model.shared.weight"], stored, atol=1e-3, rtol=1e-3
    )


class TestEnvironment:
    def test_it_names_every_version_the_machine_and_the_command(self, tmp_path, monkeypatch):
        monkeypatch.setattr("sys.argv", ["subfit", "train", "my recipe.yaml"])
        record_environment(tmp_path)
        (entry,) = json.loads((tmp_path / "environment.json").read_text())
        assert entry["subfit"] == subfit.__version__
        assert set(entry["packages"]) >= {"torch", "transformers", "sentencepiece", "sacrebleu"}
        assert all(entry["packages"].values())
        assert entry["command"] == "subfit train 'my recipe.yaml'"
        assert entry["started"].endswith("+00:00")
        assert entry["threads"] >= 1
        assert entry["platform"] and entry["device"] and entry["python"]

    def test_every_resume_adds_an_entry(self, recipe, tmp_path):
        train(recipe, tmp_path / "run")
        train(steps(recipe, 8), tmp_path / "run")
        assert len(environments(tmp_path / "run")) == 2

    @pytest.mark.parametrize("text", ["", "{}", "[1", "null"])
    def test_a_damaged_file_is_begun_anew(self, tmp_path, text):
        (tmp_path / "environment.json").write_text(text)
        record_environment(tmp_path)
        assert len(environments(tmp_path)) == 1


def test_the_data_is_counted_by_corpus(tmp_path):
    pairs = (Pair("a", "x", "y"), Pair("b", "x", "y"), Pair("b", "x", "z"))
    (tmp_path / "toy.tsv").write_text("x\ty\n")
    recipe = replace(RECIPE, data=replace(RECIPE.data, root=str(tmp_path)))
    record_data(tmp_path, recipe, Corpus(pairs, {"duplicate": 4}), [Pair("", "x", "y")])
    counts = {
        "pairs": 3,
        "corpora": {"b": 2, "a": 1},
        "left_out": {"duplicate": 4},
        "dev_pairs": 1,
        "length_classes": {"short": 0, "normal": 3, "long": 0},
        "sha256": {"toy.tsv": sha256(b"x\ty\n").hexdigest()},
    }
    assert counts.items() <= json.loads((tmp_path / "data.json").read_text()).items()


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
def impatient(recipe: Recipe, monkeypatch) -> Recipe:
    """Validates every two steps; the dev loss has its minimum at step 4."""
    monkeypatch.setattr(Trainer, "validate", lambda self: {"dev_loss": LOSSES[self.step]})
    run = {"validate_steps": 2, "log_steps": 3, "score_lines": 2, "patience": 2}
    return changed(steps(recipe, 10), run=run)


def test_a_run_out_of_patience_ends_like_any_other(impatient, tmp_path):
    recipe = impatient
    said: list[str] = []
    train(recipe, tmp_path / "run", announce=said.append)
    assert [*logged(tmp_path / "run", "loss")] == [3, 6, 8]
    assert [*logged(tmp_path / "run", "bleu")] == [8]
    assert json.loads((tmp_path / "run" / "state" / "progress.json").read_text())["step"] == 8
    assert "step 8: stopped early; no dev loss below 3.000 in 2 validations" in said
    train(steps(recipe, 4), tmp_path / "best")
    exported = export_run(tmp_path / "run", tmp_path / "model", dtype=torch.float32)
    expected = weights(tmp_path / "best")
    for name, value in exported.named_parameters():
        assert torch.equal(value, expected[name]), name
