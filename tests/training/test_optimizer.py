"""Optimisers: which weight moves at which rate."""

from __future__ import annotations

import pytest
import torch

from subfit.errors import RecipeError
from subfit.model.transformer import SubfitForTranslation
from subfit.training.optimizer import build_optimizers, set_rate
from subfit.training.recipe_run import Optimizer
from tests.tiny import tiny_model, tiny_tokenizer


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return tiny_tokenizer(tmp_path_factory.mktemp("tokenizer"))


def group_of(optimizers, weight):
    groups = [group for each in optimizers for group in each.param_groups]
    return [group for group in groups if any(weight is each for each in group["params"])]


@pytest.mark.parametrize("name", ["adam", "muon"])
@pytest.mark.parametrize("learned_gate", [True, False])
def test_every_trainable_weight_moves_by_one_optimizer(tokenizer, name, learned_gate):
    model = tiny_model(tokenizer, learned_gate=learned_gate)
    optimizers = build_optimizers(model, Optimizer(name=name))
    for weight in model.parameters():
        assert len(group_of(optimizers, weight)) == weight.requires_grad


def gate_group(model: SubfitForTranslation, settings: Optimizer):
    [group] = group_of(build_optimizers(model, settings), model.length_signal.gate)
    return group


class TestGate:
    """The learned gate on the length signal."""

    @pytest.mark.parametrize(
        ("settings", "rate"),
        [
            (Optimizer(learning_rate=3e-4), 0.02),
            (Optimizer(learning_rate=3e-4, gate_learning_rate=0.5), 0.5),
            (Optimizer(learning_rate=3e-4, gate_learning_rate=None), 3e-4),
            (Optimizer(name="muon", adam_learning_rate=7e-4, gate_learning_rate=None), 7e-4),
            (Optimizer(name="muon", weight_decay=0.1), 0.02),
        ],
    )
    def test_has_its_own_rate_and_no_decay(self, tokenizer, settings, rate):
        group = gate_group(tiny_model(tokenizer, learned_gate=True), settings)
        assert (group["peak"], group["weight_decay"]) == (rate, 0.0)
        assert len(group["params"]) == 1

    def test_the_first_step_of_adam_moves_it_by_its_rate(self, tokenizer):
        model = tiny_model(tokenizer, learned_gate=True)
        optimizers = build_optimizers(model, Optimizer(learning_rate=1e-3, weight_decay=0.1))
        set_rate(optimizers, 0.5)
        before = model.length_signal.gate.item()
        bias = model.model.encoder.layers[0].fc1.bias
        bias_before = bias.detach().clone()
        for weight in model.parameters():
            weight.grad = torch.full_like(weight, -3.0)
        for optimizer in optimizers:
            optimizer.step()
        assert model.length_signal.gate.item() - before == pytest.approx(0.01)
        decayed = bias_before * (1 - 0.5e-3 * 0.1)
        torch.testing.assert_close(bias.detach(), decayed + 0.5e-3, rtol=1e-5, atol=1e-7)

    def test_must_move(self):
        with pytest.raises(RecipeError, match="gate_learning_rate must be more than 0"):
            Optimizer(gate_learning_rate=0.0)
