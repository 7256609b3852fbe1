"""Optimisers: which weight moves at which rate."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from subfit.training import optimizer as muon
from subfit.training.optimizer import Muon, build_optimizers, orthogonal, rate_at
from subfit.training.sections import Optimizer, Schedule
from tests.tiny import tiny_model


def group_of(optimizers, weight):
    groups = [group for each in optimizers for group in each.param_groups]
    return [group for group in groups if any(weight is each for each in group["params"])]


def test_muon_takes_the_matrices_of_the_layers_at_their_own_rate(tokenizer):
    model = tiny_model(tokenizer)
    optimizers = build_optimizers(model, Optimizer(name="muon", adam_learning_rate=7e-4))
    for name, weight in model.named_parameters():
        if weight.requires_grad:
            [group] = group_of(optimizers, weight)
            of_muon = ".layers." in name and weight.ndim == 2
            assert group["peak"] == (1e-3 if of_muon else 7e-4), name


@pytest.mark.parametrize(
    ("step", "minutes", "share"),
    [(5, 0.0, 0.5), (100, 2.0, 1.0), (100, 7.5, 0.5), (100, 12.0, 0.0), (975, 1.0, 0.05)],
)
def test_the_rate_falls_by_minutes_or_steps_whichever_is_first(step, minutes, share):
    schedule = Schedule(steps=1000, warmup=10, shape="cooldown", cooldown=500, minutes=10.0)
    assert rate_at(step, schedule, minutes) == pytest.approx(share)


@pytest.mark.parametrize(("step", "rate"), [(1, 2.5e-7), (4000, 1e-3), (16000, 5e-4)])
def test_the_rate_rises_and_falls_with_the_root_as_in_lakew_2019(step, rate):
    schedule = Schedule(steps=50_000, warmup=4000, shape="inverse-sqrt")
    assert 1e-3 * rate_at(step, schedule) == pytest.approx(rate)


SHAPES = [(24, 24), (48, 24), (24, 48), (24, 24)]


def matrices(seed: int = 1) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator) for shape in SHAPES]


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("number", range(3))
def test_singular_vectors_stay_and_singular_values_come_near_one(fast, number, monkeypatch):
    monkeypatch.setattr(muon, "has_bfloat16", lambda _: fast)
    matrix = matrices()[number]
    (found,) = orthogonal([matrix])
    assert found.dtype == (torch.bfloat16 if fast else torch.float32)
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    values = left.T @ found.float() @ right.T
    off = values - torch.diag(values.diagonal())
    assert off.abs().max() < 0.05
    assert values.diagonal().max() < 1.3
    assert values.diagonal().median() > 0.6


@pytest.mark.parametrize("fast", [True, False])
def test_it_moves_weights_as_pytorch_does(fast: bool, monkeypatch) -> None:
    monkeypatch.setattr(muon, "has_bfloat16", lambda _: fast)
    ours, theirs = ([nn.Parameter(one) for one in matrices()] for _ in range(2))
    settings = {"lr": 0.02, "weight_decay": 0.1}
    mine = Muon(ours, **settings)
    other = torch.optim.Muon(theirs, **settings, adjust_lr_fn="match_rms_adamw")
    for seed in range(2, 5):
        for weights in (ours, theirs):
            for weight, gradient in zip(weights, matrices(seed), strict=True):
                weight.grad = gradient
        mine.step()
        other.step()
    for start, one, two in zip(matrices(), ours, theirs, strict=True):
        moved, expected = (one - start).flatten(), (two - start).flatten()
        assert torch.cosine_similarity(moved, expected, dim=0) > 0.999
        assert moved.norm().item() == pytest.approx(expected.norm().item(), rel=0.01)
