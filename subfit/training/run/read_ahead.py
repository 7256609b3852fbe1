"""Batches made by other processes before a step wants them, for accelerators that would wait.

An accelerator takes batches faster than one process of Python makes them, and drawing an epoch of
millions of pairs takes longer than many steps. The order and the content of the batches stay those
of `subfit.training.run.batches.Batches`, so that a run can be resumed with any number of processes.
"""

from __future__ import annotations

import signal
import warnings
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from subfit.training.data.batch import Batch
from subfit.training.data.dataset import Dataset, Unit
from subfit.training.recipe.recipe import Recipe
from subfit.training.run.batches import (
    Batches,
    SeededBatch,
    batch_seed,
    batches_per_step,
    drawn_epoch,
    made_batch,
)
from subfit.training.run.distributed import process_count, process_rank

T = TypeVar("T")

DEPTH = 4
"""Batches in the making per process."""
WORKERS = 2
"""Processes where a GPU is trained on and the recipe names no number: each makes more than 300,000
target tokens a second of plain pairs."""

Arrays = tuple[NDArray[np.int64], ...]
"""The tensors of a batch; arrays travel between processes without open files."""


class _Job(NamedTuple):
    """A batch in the making, and where the next one is."""

    epoch: int
    position: int
    seed: int
    arrays: Future[Arrays] | None
    """None of a batch that is another process's of the same training."""


def batches_of(recipe: Recipe, dataset: Dataset, *, accelerator: bool) -> Batches:
    """Return what deals the batches of a run, made ahead where an accelerator would wait for them.

    Args:
        recipe: ``run.workers`` says how many processes make them.
        dataset: The training pairs.
        accelerator: Whether the model is on one.
    """
    run = recipe.run
    workers = (WORKERS if accelerator else 0) if run.workers is None else run.workers
    if not workers:
        return Batches(recipe, dataset)
    return BatchesAhead(replace(recipe, run=replace(run, workers=workers)), dataset)


class BatchesAhead(Batches):
    """Deals the same batches as `Batches`, made by other processes beforehand.

    Args:
        recipe: Says how batches are drawn; ``run.workers`` is the number of processes.
        dataset: The training pairs; the processes share its memory, so it must not change.
    """

    def __init__(self, recipe: Recipe, dataset: Dataset) -> None:
        super().__init__(recipe, dataset)
        self._workers = recipe.run.workers or 1
        self._pool = ProcessPoolExecutor(
            self._workers, get_context("fork"), initializer=_begin, initargs=(recipe, dataset)
        )
        self._reader: _Reader | None = None
        self._jobs: deque[_Job] = deque()

    def take(self, step: int) -> list[SeededBatch]:
        """Return this process's batches of one step, and go on to the next."""
        count = batches_per_step(self.recipe.run)
        if self._reader is None:
            self._reader = _Reader(self, self._pool, step * count)
        while len(self._jobs) < count + DEPTH * self._workers:
            self._jobs.append(self._reader.submit())
        dealt = [self._jobs.popleft() for _ in range(count)]
        self.epoch, self.position = dealt[-1].epoch, dealt[-1].position
        return [
            SeededBatch(job.seed, Batch(*map(torch.from_numpy, job.arrays.result())))
            for job in dealt
            if job.arrays is not None
        ]

    def close(self) -> None:
        """End the other processes."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class _Reader(Batches):
    """Runs ahead of the batches that were dealt."""

    def __init__(self, dealt: Batches, pool: ProcessPoolExecutor, number: int) -> None:
        super().__init__(dealt.recipe, dealt.dataset)
        self.epoch, self.position = dealt.epoch, dealt.position
        self._pool, self._number = pool, number
        self._orders: dict[int, Future[list[list[Unit]]]] = {}

    def submit(self) -> _Job:
        """Have the next batch made."""
        units, number = self._next(), self._number
        self._number += 1
        mine = number % process_count() == process_rank()
        arrays = self._submit(_make, units, self.epoch, number) if mine else None
        return _Job(self.epoch, self.position, batch_seed(self.recipe, number), arrays)

    def _drawn(self, epoch: int) -> list[list[Unit]]:
        """The order of an epoch; that of the next one is drawn meanwhile."""
        for wanted in (epoch, epoch + 1):
            if wanted not in self._orders:
                self._orders[wanted] = self._submit(_draw, wanted)
        return self._orders.pop(epoch).result()

    def _submit(self, work: Callable[..., T], *arguments: object) -> Future[T]:
        with warnings.catch_warnings():
            # As data loaders do: the processes only read the pairs and never compute in threads.
            warnings.simplefilter("ignore", DeprecationWarning)
            return self._pool.submit(work, *arguments)


_shared: dict[str, tuple[Recipe, Dataset]] = {}
"""What a process of the pool works on; filled when it begins."""


def _begin(recipe: Recipe, dataset: Dataset) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the training saves its state, and then ends us
    torch.set_num_threads(1)
    _shared["run"] = recipe, dataset


def _make(units: list[Unit], epoch: int, number: int) -> Arrays:
    batch = made_batch(*_shared["run"], units, epoch, number).batch
    return tuple(tensor.numpy() for tensor in batch.tensors)


def _draw(epoch: int) -> list[list[Unit]]:
    return drawn_epoch(*_shared["run"], epoch)
