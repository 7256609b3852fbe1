"""Language models as Hugging Face has them: what cannot be is refused, naming file and key."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from subfit.errors import ModelError
from subfit.model import pretrained
from subfit.model.pretrained import load_causal
from tests.tiny_causal import save_tiny_causal

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_causal(tmp_path_factory.mktemp("causal") / "qwen", "qwen2")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "qwen"))


def change(folder: Path, **values: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}), encoding="utf-8")


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load_causal(str(folder), CPU, "fp32")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hidden_size", 10**9),
        ("num_hidden_layers", 100_000),
        ("vocab_size", 2**40),
        ("intermediate_size", -7),
    ],
)
@pytest.mark.parametrize("within", [False, True])
def test_absurd_sizes_are_refused_before_a_model_is_made(folder, key, value, within, monkeypatch):
    def made(*_: object, **__: object) -> None:
        raise AssertionError("a model was made")

    monkeypatch.setattr(pretrained.AutoModelForCausalLM, "from_pretrained", made)
    change(folder, **({"text_config": {key: value}} if within else {key: value}))
    name = f"text_config.{key}" if within else key
    assert refusal(folder).startswith(f"{folder / 'config.json'}: {name} is {value}, ")


def test_weights_that_are_no_numbers_are_refused_by_their_name(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    weights["model.norm.weight"][3] = float("nan")
    save_file(weights, path, metadata={"format": "pt"})
    assert refusal(folder).startswith(f"{folder}: model.norm.weight holds numbers that are not")


def test_sliding_layers_without_a_window_are_refused_by_their_keys(folder: Path) -> None:
    layers = json.loads((folder / "config.json").read_text())["num_hidden_layers"]
    change(folder, layer_types=["sliding_attention"] * layers, sliding_window=None)
    told = refusal(folder)
    assert "config.json: layer_types has sliding_attention, and no sliding_window" in told
