"""The training loss against its formulas."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from subfit.errors import RecipeError
from subfit.training.data.dataset import Dataset
from subfit.training.run.loss import (
    Gradients,
    SummedLoss,
    symmetric_divergence,
    target_logits,
    target_states,
    token_losses,
)
from tests.tiny import PAIRS, RECIPE, tiny_model, tiny_tokenizer


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return tiny_tokenizer(tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture
def model(tokenizer):
    return tiny_model(tokenizer, dropout=0.3).train()


@pytest.fixture
def batches(tokenizer, model):
    dataset = Dataset(PAIRS, tokenizer, model.config, max_tokens=128)
    return [dataset.batch([(0,), (3,), (19,)]), dataset.batch([(5,)])]


def test_the_sum_is_the_mean_times_the_tokens(model, batches):
    model.eval()
    for smoothing in (0.0, 0.1):
        total = SummedLoss(model, smoothing)(batches[0])
        mean = token_losses(model, batches[0], smoothing=smoothing)
        torch.testing.assert_close(total, mean * batches[0].target_tokens)


def test_r_drop_is_its_formula(model, batches):
    """Wu et al. 2021, eq. 4, halved: written out with probabilities."""
    torch.manual_seed(7)
    loss = SummedLoss(model, 0.0, r_drop=5.0)(batches[0])
    torch.manual_seed(7)
    states, labels, _ = target_states(model, batches[0])
    logits = target_logits(model, states)
    others = target_logits(model, target_states(model, batches[0])[0])
    p, q = logits.double().softmax(-1), others.double().softmax(-1)
    assert not torch.allclose(p, q, atol=1e-3)  # two dropouts
    rows = torch.arange(len(labels))
    likelihood = -(p[rows, labels].log() + q[rows, labels].log()).sum()
    divergence = ((p * (p / q).log()).sum() + (q * (q / p).log()).sum()) / 2
    expected = (likelihood + 5.0 * divergence) / 2
    torch.testing.assert_close(loss.double(), expected, rtol=1e-5, atol=0)


def test_equal_predictions_do_not_diverge():
    logits = torch.randn(4, 9)
    assert symmetric_divergence(logits, logits + 3.0).item() == pytest.approx(0, abs=1e-5)


def test_r_drop_needs_dropout():
    with pytest.raises(RecipeError, match=r"r_drop compares two dropouts, but model\.dropout is 0"):
        replace(RECIPE, optimizer=replace(RECIPE.optimizer, r_drop=1.0))


def test_gradients_of_a_step_are_of_its_mean_per_token(model, batches):
    model.eval()  # the mean over all tokens, not the mean of the batches' means
    tokens = [each.target_tokens for each in batches]
    assert tokens[0] > 2 * tokens[1]
    gradients = Gradients(RECIPE, model)
    totals = [gradients.add(each, sum(tokens), last=each is batches[-1]) for each in batches]
    trained = [each for each in model.parameters() if each.requires_grad]
    added = [each.grad.clone() for each in trained]
    model.zero_grad()
    means = [token_losses(model, each) for each in batches]
    together = sum(mean * n for mean, n in zip(means, tokens, strict=True)) / sum(tokens)
    together.backward()
    assert sum(totals) / sum(tokens) == pytest.approx(together.item(), rel=1e-5)
    for weight, gradient in zip(trained, added, strict=True):
        torch.testing.assert_close(gradient, weight.grad, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the compiler's own
def test_without_a_compiler_the_recipe_is_to_blame(model, batches, monkeypatch):
    monkeypatch.setattr("torch._inductor.config.cpp.cxx", ("no-such-compiler",))
    compiled = replace(RECIPE, run=replace(RECIPE.run, compile=True))
    with pytest.raises(RecipeError, match=r"^run\.compile: .* set run\.compile: false$") as caught:
        Gradients(compiled, model).add(batches[0], 10, last=True)
    assert "\n" not in str(caught.value)
