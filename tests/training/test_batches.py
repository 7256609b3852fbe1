"""The order of batches: every text once an epoch, however many processes share the work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.training import batches as dealing
from subfit.training.batches import Batches, SeededBatch, Source
from subfit.training.dataset import Dataset, shape_of, tensors_of
from subfit.training.recipe import Recipe
from subfit.training.sections import RunSettings
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
    drawn = Source(recipe(), dataset).epoch(epoch)
    assert len(drawn) > 3
    texts = sorted(text for batch in drawn for unit in batch for text in unit)
    assert texts == list(range(len(PAIRS)))


def test_epochs_and_seeds_have_orders_of_their_own_which_are_always_the_same(dataset):
    first, second = (Source(recipe(seed=7), dataset).epoch(epoch) for epoch in (0, 1))
    assert first != second
    assert Source(recipe(seed=8), dataset).epoch(0) != first
    assert Source(recipe(seed=7), dataset).epoch(0) == first


@pytest.mark.parametrize("processes", [2, 3])
def test_processes_share_what_one_accumulates(dataset, processes, monkeypatch):
    alone = dealt(Batches(Source(recipe(accumulate=2 * processes), dataset)), range(4))
    monkeypatch.setattr(dealing, "process_count", lambda: processes)
    shared = []
    for rank in range(processes):
        monkeypatch.setattr(dealing, "process_rank", lambda rank=rank: rank)
        shared.append(dealt(Batches(Source(recipe(accumulate=2), dataset)), range(4)))
    for step, wanted in enumerate(alone):
        taken = [each for process in shared for each in process[step]]
        assert len(taken) == 2 * processes
        assert sorted(taken) == sorted(wanted)


def test_a_run_that_goes_on_takes_what_it_would_have_taken(dataset):
    whole = Batches(Source(recipe(), dataset))
    before = dealt(whole, range(5))
    resumed = Batches(Source(recipe(), dataset))
    resumed.epoch, resumed.position = whole.epoch, whole.position
    after = dealt(whole, range(5, 16))
    assert dealt(resumed, range(5, 16)) == after
    assert whole.epoch > 0  # over the end of an epoch
    seeds = [seed for step in (*before, *after) for seed, _, _ in step]
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("packed", [False, True])
def test_batches_made_ahead_are_the_same(dataset, workers, packed):
    def taken(workers: int, start: int = 0) -> list[list[tuple[int, object]]]:
        shape = shape_of(dataset, RECIPE.data, 400) if packed else None
        batches = Batches(Source(recipe(), dataset, shape), workers)
        batches.position = start
        steps = [batches.take(step) for step in range(start, start + 6)]
        batches.close()
        return [
            [
                (each.seed, [value.tolist() for value in tensors_of(each.batch).values()])
                for each in step
            ]
            for step in steps
        ]

    assert taken(workers) == taken(0)
    assert taken(workers, 2)[:4] == taken(0)[2:]
