"""The batches of each step, dealt to the processes of a training and made ahead by others."""

from __future__ import annotations

import os
import signal
import warnings
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, NamedTuple, TypeVar

import torch

from subfit.training.dataset import Batch, Dataset, Shape, Unit, epoch, tensors_of
from subfit.training.distributed import process_count, process_rank
from subfit.training.recipe import Recipe
from subfit.training.sections import RunSettings

T = TypeVar("T")
DEPTH = 4
"""Batches in the making per process."""
MOST_WORKERS = 14
"""Processes for a GPU where the recipe names no number."""


def batches_per_step(run: RunSettings) -> int:
    """How many batches all processes together take in one step."""
    return run.accumulate * process_count()


def workers_of(run: RunSettings, *, accelerator: bool) -> int:
    """Return how many processes make batches ahead."""
    if run.workers is not None:
        return run.workers
    cores = (os.cpu_count() or 1) // process_count()
    return max(1, min(MOST_WORKERS, cores - 2)) if accelerator else 0


class SeededBatch(NamedTuple):
    """One batch and what its dropout depends on."""

    seed: int
    batch: Batch


@dataclass(frozen=True, slots=True)
class Source:
    """What batches are made of."""

    recipe: Recipe
    dataset: Dataset
    shape: Shape | None = None
    """The one shape that batches have, if they have one."""

    def epoch(self, number: int) -> list[list[Unit]]:
        """Return which texts stand together in which batch of an epoch, in order."""
        most, drawn = self.recipe.run.batch_tokens, self._seed(number)
        return epoch(self.dataset, drawn, self.recipe.data, most, self.shape)

    def arrays(self, units: list[Unit], epoch_number: int, number: int) -> dict[str, Any]:
        """Return the batch of a number in the run, of these texts of an epoch.

        Its tensors are arrays, which travel between processes without open files.
        """
        length, seed, drawn = self.recipe.length, self.seed_of(number), self._seed(epoch_number)
        asked: dict[str, Any] = {"noise": length.noise, "free": length.free}
        batch = self.dataset.batch(units, self.shape, seed=seed, drawn=drawn, **asked)
        made = {name: value.numpy() for name, value in tensors_of(batch).items()}
        return {**made, "longest": batch.longest}

    def seed_of(self, number: int) -> int:
        """Return what is random in the batch of a number in the run."""
        return self.recipe.run.seed * 1_000_003 + number

    def _seed(self, epoch_number: int) -> int:
        return self.recipe.run.seed * 1000 + epoch_number


class _Job(NamedTuple):
    """A batch in the making, and where the next one is."""

    epoch: int
    position: int
    seed: int
    batch: Callable[[], dict[str, Any]] | None
    """None of a batch that is another process's of the same training."""


class Batches:
    """Deals the batches of each step to the processes.

    Args:
        source: What they are made of.
        workers: Processes that make batches ahead and share the memory of the pairs, which must
            not change; 0 makes each here when it is wanted.
    """

    def __init__(self, source: Source, workers: int = 0) -> None:
        self.source, self.workers = source, workers
        self.epoch = self.position = 0
        """Where the next batch is; position counts the batches of the epoch."""
        self._jobs: deque[_Job] = deque()
        self._next: tuple[int, int, int] | None = None
        """Epoch, position and number of the next batch to be begun, ahead of those dealt."""
        self._drawn: dict[int, Callable[[], list[list[Unit]]]] = {}
        self._order: tuple[int, list[list[Unit]]] = (-1, [])
        """An epoch, and its order."""
        self._pool = None
        if workers:
            fork = get_context("fork")
            self._pool = ProcessPoolExecutor(workers, fork, initializer=_begin, initargs=(source,))

    def take(self, step: int) -> list[SeededBatch]:
        """Return this process's batches of one step, and go on to the next."""
        count = batches_per_step(self.source.recipe.run)
        self._next = self._next or (self.epoch, self.position, step * count)
        while len(self._jobs) < count + DEPTH * self.workers:
            self._jobs.append(self._begun(*self._next))
            self._next = *self._jobs[-1][:2], self._next[2] + 1
        dealt = [self._jobs.popleft() for _ in range(count)]
        self.epoch, self.position = dealt[-1][:2]
        return [SeededBatch(job.seed, _batch_of(job.batch())) for job in dealt if job.batch]

    def _begun(self, epoch_number: int, position: int, number: int) -> _Job:
        """Have a batch made."""
        while position >= len(self._order_of(epoch_number)):
            epoch_number, position = epoch_number + 1, 0
        units = self._order_of(epoch_number)[position]
        mine = number % process_count() == process_rank()
        batch = self._do(Source.arrays, units, epoch_number, number) if mine else None
        return _Job(epoch_number, position + 1, self.source.seed_of(number), batch)

    def _order_of(self, epoch_number: int) -> list[list[Unit]]:
        """The order of an epoch; that of the next one is drawn meanwhile."""
        if self._order[0] != epoch_number:
            for wanted in (epoch_number, epoch_number + 1):
                if wanted not in self._drawn:
                    self._drawn[wanted] = self._do(Source.epoch, wanted)
            self._order = epoch_number, self._drawn.pop(epoch_number)()
        return self._order[1]

    def _do(self, work: Callable[..., T], *arguments: object) -> Callable[[], T]:
        """Have something done in another process, or here when it is asked for."""
        if self._pool is None:
            return lambda: work(self.source, *arguments)
        with warnings.catch_warnings():
            # As data loaders do: the processes only read the pairs and never compute in threads.
            warnings.simplefilter("ignore", DeprecationWarning)
            future: Future[T] = self._pool.submit(_in_worker, work, *arguments)
        return future.result

    def close(self) -> None:
        """End the other processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


def _batch_of(made: dict[str, Any]) -> Batch:
    tensors = {name: torch.from_numpy(value) for name, value in made.items() if name != "longest"}
    return Batch(**tensors, longest=made["longest"])


_source: list[Source] = []
"""What a process of the pool works on; filled when it begins."""


def _begin(source: Source) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the training saves its state, and then ends us
    torch.set_num_threads(1)
    _source.append(source)


def _in_worker(work: Callable[..., T], *arguments: object) -> T:
    return work(_source[-1], *arguments)
