"""Weights that no model has, or not this one: found by their header, with nothing allocated."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from subfit.errors import ModelError
from subfit.model import checkpoint
from subfit.model.checkpoint import load_checkpoint

SHARED, FC1 = "model.shared.weight", "model.encoder.layers.0.fc1.weight"


@pytest.fixture(params=["own", "marian"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    fixture = {"own": "tiny_model_folder", "marian": "tiny_marian_folder"}[request.param]
    return Path(shutil.copytree(request.getfixturevalue(fixture), tmp_path / "model"))


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load_checkpoint(str(folder))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def change(folder: Path, **values: object) -> None:
    path = folder / "config.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**known, **values}), encoding="utf-8")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf"), 1e30])
def test_a_weight_that_is_no_number_is_refused_by_its_name(folder, number):
    path = folder / "model.safetensors"
    weights = {name: value.float() for name, value in load_file(path).items()}
    weights = {n: v.long() if n.endswith("piece_characters") else v for n, v in weights.items()}
    weights = {n: v.bool() if n.endswith("piece_leads") else v for n, v in weights.items()}
    weights[FC1][3, 5] = number
    save_file(weights, path, metadata={"format": "pt"})
    assert refusal(folder).startswith(f"{folder}: {FC1} holds numbers that are not finite")


@pytest.mark.parametrize("dtype", [torch.complex64, torch.int32, torch.bool])
def test_weights_of_another_type_are_refused(folder, dtype):
    path = folder / "model.safetensors"
    weights = load_file(path)
    save_file({**weights, FC1: weights[FC1].to(dtype)}, path, metadata={"format": "pt"})
    assert refusal(folder).startswith(f"{path}: {FC1} is of the type ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("max_position_embeddings", 1_000_000_000),
        ("encoder_layers", 5000),
        ("decoder_layers", 100_000),
        ("d_model", 2_000_000),
        ("encoder_ffn_dim", 2**30),
        ("decoder_ffn_dim", 2**30),
        ("vocab_size", 2**30),
    ],
)
def test_sizes_are_refused_before_a_model_is_made(folder, key, value, monkeypatch):
    def made(*_: object, **__: object) -> nn.Module:
        raise AssertionError("a model was made")

    monkeypatch.setattr(checkpoint, "load_weights", made)
    monkeypatch.setattr("subfit.model.pretrained.load_whole", made)
    change(folder, **{key: value})
    assert refusal(folder).startswith(f"{folder / 'config.json'}: {key} is {value}, ")
