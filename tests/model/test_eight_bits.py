"""Weights stored in eight bits."""

import pytest
import torch
from safetensors.torch import load_file, save_file

from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint, save_checkpoint
from subfit.model.weights import FEWEST_ROWS, LARGEST, SCALES, packed, unpacked

ROWS = FEWEST_ROWS


def test_no_weight_is_off_by_more_than_half_a_step_of_its_row():
    matrix = torch.randn(ROWS, 7, generator=torch.Generator().manual_seed(1))
    matrix[3] *= 1000
    steps = matrix.abs().amax(dim=1, keepdim=True) / LARGEST
    found = unpacked(packed({"w": matrix}))["w"]
    assert ((found - matrix).abs() <= steps * 0.5001).all()


@pytest.mark.parametrize("shape", [(ROWS, 2), (ROWS,), (1, ROWS), (ROWS - 1, 1)])
def test_factors_that_are_not_one_for_each_row_are_refused(shape):
    stored = {"w": torch.ones(ROWS, 2, dtype=torch.int8), "w" + SCALES: torch.ones(shape)}
    with pytest.raises(ModelError, match="one number for each of its rows"):
        unpacked(stored)


@pytest.fixture
def eight_bits(tiny_model_folder, tmp_path):
    model = load_checkpoint(str(tiny_model_folder))
    save_checkpoint(tmp_path / "model", model.model, model.tokenizer, {}, dtype=torch.int8)
    return tmp_path / "model"


def test_a_model_in_eight_bits_is_read_as_float32(tiny_model_folder, eight_bits):
    former = dict(load_checkpoint(str(tiny_model_folder)).model.named_parameters())
    used = dict(load_checkpoint(str(eight_bits)).model.named_parameters())
    for name, weight in used.items():
        assert weight.dtype == torch.float32
        assert torch.allclose(
            weight, former[name], atol=0.005 * former[name].detach().abs().max().item()
        )


def test_matrices_of_whole_numbers_without_factors_are_refused(eight_bits):
    path = eight_bits / "model.safetensors"
    weights = load_file(path)
    del weights["model.encoder.layers.0.fc1.weight" + SCALES]
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(ModelError, match="type I8"):
        load_checkpoint(str(eight_bits))
