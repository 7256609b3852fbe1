"""The order of a run's batches, and other processes that make them before a step wants them.

Whatever is random in a batch depends on its number in the run alone, counted from 0 over all
processes: resuming is exact with any number of processes, and N processes do what one does that
accumulates N batches.
"""

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

from subfit.training.dataset import AnyBatch, Dataset, Shape, Unit, tensors_of
from subfit.training.distributed import process_count, process_rank
from subfit.training.recipe import Recipe
from subfit.training.sampling import epoch
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


@dataclass(frozen=True, slots=True)
class SeededBatch:
    """One batch and what its dropout depends on."""

    seed: int
    batch: AnyBatch


@dataclass(frozen=True, slots=True)
class Source:
    """What batches are made of."""

    recipe: Recipe
    dataset: Dataset
    packed: bool = False
    """Whether batches are packed."""
    shape: Shape | None = None
    """The one shape that packed batches have, if they have one."""

    def epoch(self, number: int) -> list[list[Unit]]:
        """Return which texts stand together in which batch of an epoch, in order."""
        run = self.recipe.run
        return epoch(
            self.dataset, self._seed(number), self.recipe.data, run.batch_tokens, self.shape
        )

    def batch(self, units: list[Unit], epoch_number: int, number: int) -> AnyBatch:
        """Return the batch of a number in the run, of these texts of an epoch."""
        length, drawn = self.recipe.length, self._seed(epoch_number)
        shown: dict[str, Any] = {
            "seed": self.seed_of(number),
            "drawn": drawn,
            "noise": length.noise,
            "free": length.free,
        }
        if self.packed:
            return self.dataset.packed(units, self.shape, **shown)
        return self.dataset.batch(units, **shown)

    def seed_of(self, number: int) -> int:
        """Return what is random in the batch of a number in the run."""
        return self.recipe.run.seed * 1_000_003 + number

    def _seed(self, epoch_number: int) -> int:
        return self.recipe.run.seed * 1000 + epoch_number


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
        self._ahead: _Cursor | None = None
        self._jobs: deque[_Job] = deque()
        self._pool = (
            ProcessPoolExecutor(
                workers, get_context("fork"), initializer=_begin, initargs=(source,)
            )
            if workers
            else None
        )

    def take(self, step: int) -> list[SeededBatch]:
        """Return this process's batches of one step, and go on to the next."""
        count = batches_per_step(self.source.recipe.run)
        if self._ahead is None:
            self._ahead = _Cursor(self.source, self.epoch, self.position, step * count, self._do)
        while len(self._jobs) < count + DEPTH * self.workers:
            self._jobs.append(self._ahead.next())
        dealt = [self._jobs.popleft() for _ in range(count)]
        self.epoch, self.position = dealt[-1].epoch, dealt[-1].position
        return [SeededBatch(job.seed, job.batch()) for job in dealt if job.batch is not None]

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


class _Job(NamedTuple):
    """A batch in the making, and where the next one is."""

    epoch: int
    position: int
    seed: int
    batch: Callable[[], AnyBatch] | None
    """None of a batch that is another process's of the same training."""


class _Cursor:
    """Goes through epochs, ahead of the batches that were dealt."""

    def __init__(
        self,
        source: Source,
        epoch_number: int,
        position: int,
        number: int,
        do: Callable[..., Callable[[], Any]],
    ) -> None:
        self._source, self._do = source, do
        self._epoch, self._position, self._number = epoch_number, position, number
        self._orders: dict[int, Callable[[], list[list[Unit]]]] = {}
        self._order: list[list[Unit]] = self._drawn(epoch_number)

    def next(self) -> _Job:
        """Have the next batch made."""
        while self._position >= len(self._order):
            self._epoch, self._position = self._epoch + 1, 0
            self._order = self._drawn(self._epoch)
        units, number = self._order[self._position], self._number
        self._position, self._number = self._position + 1, number + 1
        mine = number % process_count() == process_rank()
        batch = self._do(_made, units, self._epoch, number) if mine else None
        seed = self._source.seed_of(number)
        if batch is None:
            return _Job(self._epoch, self._position, seed, None)
        return _Job(self._epoch, self._position, seed, lambda: _restored(batch()))

    def _drawn(self, epoch_number: int) -> list[list[Unit]]:
        """The order of an epoch; that of the next one is drawn meanwhile."""
        for wanted in (epoch_number, epoch_number + 1):
            if wanted not in self._orders:
                self._orders[wanted] = self._do(_drawn, wanted)
        return self._orders.pop(epoch_number)()


def _drawn(source: Source, epoch_number: int) -> list[list[Unit]]:
    return source.epoch(epoch_number)


def _made(source: Source, units: list[Unit], epoch_number: int, number: int) -> Any:
    """A batch whose tensors are arrays, which travel between processes without open files."""
    batch = source.batch(units, epoch_number, number)
    arrays = {name: value.numpy() for name, value in tensors_of(batch).items()}
    rest = {} if not hasattr(batch, "longest") else {"longest": batch.longest}
    return type(batch), arrays, rest


def _restored(made: Any) -> AnyBatch:
    kind, arrays, rest = made
    batch: AnyBatch = kind(
        **{name: torch.from_numpy(value) for name, value in arrays.items()}, **rest
    )
    return batch


_source: list[Source] = []
"""What a process of the pool works on; filled when it begins."""


def _begin(source: Source) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the training saves its state, and then ends us
    torch.set_num_threads(1)
    _source.append(source)


def _in_worker(work: Callable[..., T], *arguments: object) -> T:
    return work(_source[-1], *arguments)
