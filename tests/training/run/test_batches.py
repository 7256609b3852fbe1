"""The order of batches: every text once an epoch, however many processes share the work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.training.data.dataset import Dataset
from subfit.training.recipe.recipe import Recipe
from subfit.training.recipe.run import RunSettings
from subfit.training.run import batches as dealing
from subfit.training.run.batches import Batches, SeededBatch, drawn_epoch
from tests.tiny import PAIRS, RECIPE


@pytest.fixture(scope="module")
def dataset(tokenizer, config) -> Dataset:
    return Dataset(PAIRS, tokenizer, config, 128)


def recipe(**changes: int) -> Recipe:
    noisy = replace(RECIPE.length, noise=3)
    return replace(RECIPE, length=noisy, run=RunSettings(batch_tokens=120, **changes))


def content(each: SeededBatch) -> tuple[int, list[list[int]], list[int]]:
    return each.seed, each.batch.source.tolist(), each.batch.asked.tolist()


def dealt(batches: Batches, steps: range) -> list[list[tuple[int, list[list[int]], list[int]]]]:
    """What a process takes in each of some steps."""
    return [list(map(content, batches.take(step))) for step in steps]


@pytest.mark.parametrize("epoch", [0, 3])
def test_an_epoch_has_every_text_once(dataset, epoch):
    drawn = drawn_epoch(recipe(), dataset, epoch)
    assert len(drawn) > 3
    texts = sorted(text for batch in drawn for unit in batch for text in unit)
    assert texts == list(range(len(PAIRS)))


def test_epochs_and_seeds_have_orders_of_their_own_which_are_always_the_same(dataset):
    first, second = (drawn_epoch(recipe(seed=7), dataset, epoch) for epoch in (0, 1))
    assert first != second
    assert drawn_epoch(recipe(seed=8), dataset, 0) != first
    assert drawn_epoch(recipe(seed=7), dataset, 0) == first


@pytest.mark.parametrize("processes", [2, 3])
def test_processes_share_what_one_accumulates(dataset, processes, monkeypatch):
    alone = dealt(Batches(recipe(accumulate=2 * processes), dataset), range(4))
    monkeypatch.setattr(dealing, "process_count", lambda: processes)
    shared = []
    for rank in range(processes):
        monkeypatch.setattr(dealing, "process_rank", lambda rank=rank: rank)
        shared.append(dealt(Batches(recipe(accumulate=2), dataset), range(4)))
    for step, wanted in enumerate(alone):
        taken = [each for process in shared for each in process[step]]
        assert len(taken) == 2 * processes
        assert sorted(taken) == sorted(wanted)


def test_a_run_that_goes_on_takes_what_it_would_have_taken(dataset):
    whole = Batches(recipe(), dataset)
    before = dealt(whole, range(5))
    resumed = Batches(recipe(), dataset)
    resumed.epoch, resumed.position = whole.epoch, whole.position
    after = dealt(whole, range(5, 16))
    assert dealt(resumed, range(5, 16)) == after
    assert whole.epoch > 0  # over the end of an epoch
    seeds = [seed for step in (*before, *after) for seed, _, _ in step]
    assert len(set(seeds)) == len(seeds)
