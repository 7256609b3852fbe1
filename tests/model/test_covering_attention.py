"""Attention that covers, in the place of Marian's."""

from __future__ import annotations

import pytest
import torch

from subfit.model.transformer import CoveringAttention, SubfitConfig
from tests.tiny import tiny_marian

SIZE = 40


def states() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of targets and of sources, and which of the sources' are no padding."""
    torch.manual_seed(1)
    real = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    return torch.randn(2, 5, 32), torch.randn(2, 6, 32), real[:, None, None, :].expand(-1, 1, 5, -1)


def covering(**settings) -> CoveringAttention:
    former = tiny_marian(SIZE).model.decoder.layers[-1].encoder_attn
    return CoveringAttention(former, SubfitConfig(**settings)).eval()


@torch.inference_mode()
@pytest.mark.parametrize("vector", [False, True])
def test_before_it_is_trained_it_attends_as_marian_does(vector):
    marian = tiny_marian(SIZE).model.decoder.layers[-1].encoder_attn.eval()
    targets, sources, real = states()
    added = torch.zeros(real.shape).masked_fill(~real, torch.finfo(torch.float32).min)
    theirs, _ = marian(targets, sources, attention_mask=added)
    for mask in (real, added):
        ours, shares = covering(coverage_vector=vector)(targets, sources, attention_mask=mask)
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)
        assert not shares[1, :, :, 4:].any()


@torch.inference_mode()
def test_what_a_source_token_is_given_is_bounded():
    targets, sources, real = states()
    bounds = torch.full((2, 6), 0.9)
    bounds[0, 5] = bounds[1, 3] = float("inf")
    attention = covering(source_attention="csoftmax")
    _, shares = attention(targets, sources, attention_mask=real, source_bounds=bounds)
    assert (shares.mean(1).sum(1) <= bounds + 1e-5).all()


def test_its_weights_have_the_names_of_marians():
    former = tiny_marian(SIZE).model.decoder.layers[-1].encoder_attn
    names = set(former.state_dict())
    assert set(covering(source_attention="sparsemax").state_dict()) == names
    assert set(covering(coverage_vector=True).state_dict()) == {*names, "coverage_vector"}


def test_a_cache_is_refused_since_a_step_depends_on_all_before_it():
    targets, sources, _ = states()
    with pytest.raises(ValueError, match="pass use_cache=False"):
        covering(coverage_vector=True)(targets, sources, past_key_values=())
