"""Batches that other processes make ahead are those that one process makes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from subfit.training.data.dataset import Dataset
from subfit.training.recipe.recipe import Recipe
from subfit.training.recipe.run import RunSettings, Schedule
from subfit.training.run.batches import Batches
from subfit.training.run.read_ahead import BatchesAhead, batches_of
from subfit.training.train import train
from tests.tiny import PAIRS, RECIPE, write_pairs

STEPS = 9


@pytest.fixture(scope="module")
def dataset(tokenizer, config):
    return Dataset(PAIRS, tokenizer, config, 128)


def recipe(**changes) -> Recipe:
    return replace(RECIPE, run=RunSettings(batch_tokens=120, **changes))


def dealt(batches: Batches, steps: range) -> list:
    return [
        (each.seed, each.batch.source.tolist(), each.batch.asked.tolist(), batches.position)
        for step in steps
        for each in batches.take(step)
    ]


@pytest.mark.parametrize("accumulate", [1, 3])
def test_the_same_batches_in_the_same_order(dataset, accumulate):
    wanted = dealt(Batches(recipe(accumulate=accumulate), dataset), range(STEPS))
    ahead = BatchesAhead(recipe(accumulate=accumulate, workers=2), dataset)
    try:
        assert dealt(ahead, range(STEPS)) == wanted
        assert ahead.epoch > 0  # over the end of an epoch
    finally:
        ahead.close()


def test_a_run_goes_on_where_it_was(dataset):
    plain = Batches(recipe(), dataset)
    dealt(plain, range(4))
    ahead = BatchesAhead(recipe(workers=2), dataset)
    ahead.epoch, ahead.position = plain.epoch, plain.position
    try:
        assert dealt(ahead, range(4, STEPS)) == dealt(plain, range(4, STEPS))
    finally:
        ahead.close()


@pytest.mark.parametrize(
    ("workers", "accelerator", "ahead"),
    [(None, True, 2), (None, False, 0), (0, True, 0), (1, False, 1), (3, True, 3)],
)
def test_an_accelerator_is_fed_unless_the_recipe_says_otherwise(
    dataset, workers, accelerator, ahead
):
    batches = batches_of(recipe(workers=workers), dataset, accelerator=accelerator)
    assert isinstance(batches, BatchesAhead) == (ahead > 0)
    assert getattr(batches, "_workers", 0) == ahead
    batches.close()


@pytest.mark.filterwarnings("ignore:Detected no accelerator")
def test_training_with_processes_ends_as_without(tmp_path):
    write_pairs(tmp_path / "toy.tsv")
    data = replace(RECIPE.data, root=str(tmp_path))
    short = replace(RECIPE, data=data, schedule=Schedule(steps=3, warmup=1))
    one = train(short, tmp_path / "one")
    two = train(replace(short, run=replace(short.run, workers=2)), tmp_path / "two")
    for first, second in zip(one.parameters(), two.parameters(), strict=True):
        assert torch.equal(first, second)


def test_a_schedule_in_minutes_ends_in_time(tmp_path):
    write_pairs(tmp_path / "toy.tsv")
    data = replace(RECIPE.data, root=str(tmp_path))
    schedule = Schedule(steps=100_000, warmup=1, shape="cooldown", cooldown=50_000, minutes=0.02)
    lines = []
    train(replace(RECIPE, data=data, schedule=schedule), tmp_path / "run", report=lines.append)
    assert 1 <= lines[-1].step < 5000
    assert lines[-1].rate == pytest.approx(0.0, abs=0.001)
    assert lines[0].rate > lines[-1].rate
