"""Weights stored in eight bits."""

import pytest
import torch

from subfit.model.checkpoint import load_checkpoint, save_checkpoint
from subfit.model.weights import FEWEST_ROWS, LARGEST, packed, unpacked

ROWS = FEWEST_ROWS


def test_no_weight_is_off_by_more_than_half_a_step_of_its_row():
    matrix = torch.randn(ROWS, 7, generator=torch.Generator().manual_seed(1))
    matrix[3] *= 1000
    steps = matrix.abs().amax(dim=1, keepdim=True) / LARGEST
    found = unpacked(packed({"w": matrix}))["w"]
    assert ((found - matrix).abs() <= steps * 0.5001).all()


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
