"""Weights stored in eight bits."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint, load_trainable, save_checkpoint
from subfit.model.weights import FEWEST_ROWS, LARGEST, SCALES, packed, unpacked

ROWS = FEWEST_ROWS


def test_no_weight_is_off_by_more_than_half_a_step_of_its_row():
    matrix = torch.randn(ROWS, 7, generator=torch.Generator().manual_seed(1))
    matrix[3] *= 1000
    steps = matrix.abs().amax(dim=1, keepdim=True) / LARGEST
    found = unpacked(packed({"w": matrix}))["w"]
    assert ((found - matrix).abs() <= steps * 0.5001).all()


def test_the_largest_of_a_row_is_kept_and_rows_of_zeros_stay_so():
    matrix = torch.zeros(ROWS, 3)
    matrix[1, 2] = -5.0
    assert torch.allclose(unpacked(packed({"w": matrix}))["w"], matrix)


def test_vectors_small_matrices_and_counts_are_stored_as_they_are():
    weights = {
        "bias": torch.randn(40),
        "row": torch.randn(1, 40),
        "characters": torch.arange(40),
        "leads": torch.ones(ROWS, 2, dtype=torch.bool),
    }
    stored = packed(weights)
    assert stored.keys() == weights.keys()
    assert all(torch.equal(stored[name], value) for name, value in weights.items())


@pytest.mark.parametrize("shape", [(ROWS, 2), (ROWS,), (1, ROWS), (ROWS - 1, 1)])
def test_factors_that_are_not_one_for_each_row_are_refused(shape):
    stored = {"w": torch.ones(ROWS, 2, dtype=torch.int8), "w" + SCALES: torch.ones(shape)}
    with pytest.raises(ModelError, match="one number for each of its rows"):
        unpacked(stored)


@pytest.fixture
def eight_bits(tiny_model_folder, tmp_path):
    model = load_trainable(str(tiny_model_folder))
    save_checkpoint(tmp_path / "model", model.model, model.tokenizer, {}, dtype=torch.int8)
    return tmp_path / "model"


def test_a_model_in_eight_bits_is_read_alike_to_translate_and_to_train(
    tiny_model_folder, eight_bits
):
    former = dict(load_checkpoint(str(tiny_model_folder)).model.named_parameters())
    used = dict(load_checkpoint(str(eight_bits)).model.named_parameters())
    trained = dict(load_trainable(str(eight_bits)).model.named_parameters())
    for name, weight in used.items():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, trained[name])
        assert torch.allclose(
            weight, former[name], atol=0.005 * former[name].detach().abs().max().item()
        )


def test_it_is_smaller_than_one_in_half_precision(tiny_model_folder, eight_bits, tmp_path):
    model = load_trainable(str(tiny_model_folder))
    save_checkpoint(tmp_path / "half", model.model, model.tokenizer, {})
    sizes = [
        (folder / "model.safetensors").stat().st_size for folder in (eight_bits, tmp_path / "half")
    ]
    assert sizes[0] < 0.75 * sizes[1]


def test_its_configuration_names_a_type_that_libraries_know(eight_bits):
    assert json.loads((eight_bits / "config.json").read_text())["dtype"] == "float32"


@pytest.mark.parametrize("load", [load_checkpoint, load_trainable])
def test_matrices_of_whole_numbers_without_factors_are_refused(eight_bits, load):
    path = eight_bits / "model.safetensors"
    weights = load_file(path)
    del weights["model.encoder.layers.0.fc1.weight" + SCALES]
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(ModelError, match="type I8"):
        load(str(eight_bits))


@pytest.mark.parametrize("load", [load_checkpoint, load_trainable])
def test_a_lacking_matrix_is_told(eight_bits, load):
    path = eight_bits / "model.safetensors"
    weights = load_file(path)
    del weights["model.encoder.layers.0.fc1.weight"]
    del weights["model.encoder.layers.0.fc1.weight" + SCALES]
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(ModelError):
        load(str(eight_bits))
