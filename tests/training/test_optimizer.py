"""Optimisers: which weight moves at which rate."""

from __future__ import annotations

import pytest

from subfit.training.optimizer import build_optimizers, rate_at
from subfit.training.sections import Optimizer, Schedule
from tests.tiny import tiny_model, tiny_tokenizer


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return tiny_tokenizer(tmp_path_factory.mktemp("tokenizer"))


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
