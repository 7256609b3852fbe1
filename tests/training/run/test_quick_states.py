"""The forward pass of training beside that of the model itself."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from subfit.training.data.batch import Batch
from subfit.training.data.dataset import Dataset
from subfit.training.run.loss import token_losses
from subfit.training.run.quick_states import has_quick_states, quick_states
from tests.tiny import PAIRS, tiny_model, tiny_tokenizer


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return tiny_tokenizer(tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture
def model(tokenizer):
    return tiny_model(tokenizer)


def given(batch: Batch) -> tuple[Tensor, ...]:
    tokens = torch.cat([batch.before, batch.labels[:, :-1].clamp(min=0)], dim=1)
    return batch.source, batch.source_mask, tokens, batch.asked


@pytest.fixture(params=["alike", "padded"])
def batch(request, tokenizer, model):
    dataset = Dataset(PAIRS, tokenizer, model.config, max_tokens=128)
    units = {"alike": [(4,), (4,)], "padded": [(0,), (13,), (5,), (19,)]}
    return dataset.batch(units[request.param], seed=3, noise=2, free=0.5)


def real(states: Tensor, mask: Tensor) -> Tensor:
    return states[mask.bool()]


def test_its_states_are_those_of_the_model(model, batch):
    source, mask, tokens, asked = given(batch)
    wanted, wanted_encoded = model.states(source, mask, tokens, asked)
    found, encoded = quick_states(model, source, mask, tokens, asked, torch.float32)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(
        real(encoded, mask), real(wanted_encoded, mask), rtol=1e-4, atol=1e-5
    )


def test_so_are_the_gradients_of_all_weights(model, batch):
    source, mask, tokens, asked = given(batch)
    weights = [
        weight
        for name, weight in model.named_parameters()
        if weight.requires_grad and "length_head" not in name
    ]

    def gradients(states: Tensor) -> tuple[Tensor, ...]:
        direction = torch.linspace(-1, 1, states.numel()).view_as(states)
        return torch.autograd.grad((states * direction).sum(), weights)

    wanted = gradients(model.states(source, mask, tokens, asked)[0])
    found = gradients(quick_states(model, source, mask, tokens, asked, torch.float32)[0])
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-3)


def test_it_drops_what_the_model_drops(tokenizer, batch):
    model = tiny_model(tokenizer, dropout=0.3).train()
    source, mask, tokens, asked = given(batch)
    torch.manual_seed(5)
    wanted, _ = model.states(source, mask, tokens, asked)
    torch.manual_seed(5)
    found, _ = quick_states(model, source, mask, tokens, asked, torch.float32)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)
    kept, _ = quick_states(model.eval(), source, mask, tokens, asked, torch.float32)
    assert not torch.allclose(kept, found, atol=1e-2)


def test_in_bfloat16_the_loss_is_about_the_same(model, batch):
    wanted = token_losses(model, batch).item()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = token_losses(model, batch).item()
    assert found != wanted
    assert found == pytest.approx(wanted, rel=0.02)


@pytest.mark.parametrize(
    "changes",
    [{"attention_dropout": 0.1}, {"activation_dropout": 0.1}, {"activation_function": "gelu"}],
    ids=lambda changes: next(iter(changes)),
)
def test_other_models_have_none(tokenizer, changes):
    assert has_quick_states(tiny_model(tokenizer))
    assert not has_quick_states(tiny_model(tokenizer, **changes))


def test_nor_has_a_model_whose_attention_remembers(tokenizer):
    assert not has_quick_states(tiny_model(tokenizer, source_attention="sparsemax"))
