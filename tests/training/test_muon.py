"""Muon: PyTorch's own, but in what the machine computes fast."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from subfit.training import optimizer as muon
from subfit.training.optimizer import Muon, orthogonal

SHAPES = [(24, 24), (48, 24), (24, 48), (24, 24)]


def matrices(seed: int = 1) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator) for shape in SHAPES]


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("number", range(3))
def test_singular_vectors_stay_and_singular_values_come_near_one(
    fast: bool, number: int, monkeypatch
) -> None:
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
