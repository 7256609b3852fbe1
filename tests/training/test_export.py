"""The model of a run, in a folder of its own."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from subfit.model.checkpoint import load_checkpoint
from subfit.training.folder import average_weights, export_run
from subfit.training.recipe import load_recipe
from subfit.training.train import train
from tests.tiny import PAIRS
from tests.training.runs import weights


def test_export_averages_the_last_validations(recipe, tmp_path):
    run = replace(recipe.run, validate_steps=1, average=3)
    train(replace(recipe, run=run), tmp_path / "run")
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
