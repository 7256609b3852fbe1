"""A step in bfloat16 is the step in float32, to bfloat16's digits, on every device."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.model.tokenizer import Tokenizer
from subfit.training.run import precision
from subfit.training.run.loss import Gradients
from subfit.training.run.optimizer import build_optimizers
from subfit.training.train import dataset_of
from tests.accelerator import CUDA
from tests.tiny import PAIRS, RECIPE, tiny_model


@pytest.fixture(scope="module")
def tokenizer(tiny_model_folder: Path) -> Tokenizer:
    return Tokenizer(tiny_model_folder / "tokenizer.model")


def step(tokenizer: Tokenizer, device: str, dtype: str) -> tuple[float, dict[str, torch.Tensor]]:
    """Take one step; return its loss per token, and the weights that it leads to."""
    recipe = replace(RECIPE, run=replace(RECIPE.run, dtype=dtype))
    model = tiny_model(tokenizer, end_bias=0.0).train().to(device)
    dataset = dataset_of(PAIRS, tokenizer, model.config, recipe)
    batch = dataset.batch([(index,) for index in range(30)], seed=1, noise=2, free=0.3)
    optimizers = build_optimizers(model, recipe.optimizer)
    loss = Gradients(recipe, model).add(batch.to(model.device), batch.target_tokens, last=True)
    gradients = {
        name: weight.grad.detach().cpu().clone()
        for name, weight in model.named_parameters()
        if weight.grad is not None
    }
    for optimizer in optimizers:
        optimizer.step()
    assert all(weight.isfinite().all() for weight in model.parameters())
    return loss / batch.target_tokens, gradients


def likeness(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> float:
    """The cosine of two gradients of a whole model."""
    assert one.keys() == other.keys()
    first, second = (torch.cat([each[name].flatten() for name in one]) for each in (one, other))
    return float(torch.nn.functional.cosine_similarity(first, second, dim=0))


@pytest.mark.parametrize("device", ["cpu", CUDA])
def test_a_step_in_bfloat16_is_that_in_float32(tokenizer, device, monkeypatch):
    monkeypatch.setattr(precision, "has_bfloat16", lambda _: True)  # else it may be float32
    loss, gradients = step(tokenizer, "cpu", "float32")
    half_loss, half_gradients = step(tokenizer, device, "bfloat16")
    assert half_loss == pytest.approx(loss, rel=0.01)
    assert likeness(gradients, half_gradients) > 0.9
    assert half_loss != loss  # it was computed otherwise


@pytest.mark.parametrize("device", [CUDA])
def test_a_step_on_a_gpu_is_that_on_the_cpu(tokenizer, device):
    loss, gradients = step(tokenizer, "cpu", "float32")
    gpu_loss, gpu_gradients = step(tokenizer, device, "float32")
    assert gpu_loss == pytest.approx(loss, rel=1e-4)
    assert likeness(gradients, gpu_gradients) > 0.9999
