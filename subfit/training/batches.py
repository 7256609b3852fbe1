"""Which texts an epoch shows, in which batches; other processes that make these ahead.

Whatever is random in a batch depends on its number in the run alone, counted from 0 over all
processes: resuming is exact with any number of processes, and N processes do what one does that
accumulates N batches.
"""

from __future__ import annotations

import os
import random
import signal
import warnings
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, NamedTuple, TypeVar

import torch

from subfit.training.dataset import (
    ENCODED_AT_ONCE,
    Batch,
    Dataset,
    Example,
    Shape,
    Unit,
    tensors_of,
)
from subfit.training.distributed import process_count, process_rank
from subfit.training.recipe import Recipe
from subfit.training.sections import Data, RunSettings


def epoch(
    dataset: Dataset, seed: int, settings: Data, batch_tokens: int, shape: Shape | None = None
) -> list[list[Unit]]:
    """Draw one epoch: which examples stand together in which batch, in order.

    `draw` says which examples; some short ones are joined to texts of two.

    Args:
        dataset: The pairs.
        seed: Determines everything.
        settings: What is drawn, and how many examples are joined.
        batch_tokens: Most target tokens of a batch, padding included.
        shape: Of all batches, which hold texts as they come; without one, texts of like length
            share a batch, and batches come in random order.

    Returns:
        Batches of units for `Dataset.batch`.
    """
    chooser = random.Random(seed)
    drawn = draw(dataset.examples, settings, chooser)
    chooser.shuffle(drawn)  # sorting is stable: other neighbours meet in every epoch
    units = list(_joined(dataset, drawn, settings, chooser))
    sizes = [_size(text) for text in _texts(dataset, units, seed)]
    if shape is not None:
        return [[units[place] for place in part] for part in _filled(sizes, shape, dataset)]
    order = sorted(range(len(units)), key=lambda place: sizes[place][0])
    lengths = [max(source, target) + 2 for _, source, target in sizes]
    batches = [[units[place] for place in part] for part in _cut(order, lengths, batch_tokens)]
    chooser.shuffle(batches)
    return batches


def shape_of(dataset: Dataset, settings: Data, batch_tokens: int) -> Shape:
    """Return the shape of packed batches of so many target places.

    It is estimated on a drawn epoch: sources get as many places as targets need of them, rounded
    up, and texts a fifth more than there are.
    """
    chooser = random.Random(0)
    some = draw(dataset.examples, settings, chooser)
    chooser.shuffle(some)
    units = [(index,) for index in some[:ENCODED_AT_ONCE]]
    sizes = [_size(text) for text in dataset.texts(units, 0)]
    ahead = dataset.config.most_source_tokens + 1
    source = sum(size + ahead for _, size, _ in sizes) / len(sizes)
    target = sum(size + 2 for _, _, size in sizes) / len(sizes)
    longest = dataset.max_tokens
    places = max(batch_tokens, longest + batch_tokens // longest + 2)
    sources = max(places * source / target * 1.02, longest + places // longest + 2)
    texts = int(places / target * 1.2) + 2 * (int(sources) // longest + 4)
    return Shape(-(-int(sources) // 64) * 64, -(-places // 64) * 64, texts, longest)


def draw(examples: Sequence[Example], settings: Data, chooser: random.Random) -> list[int]:
    """Draw the examples of an epoch, as ascending indices.

    A corpus of weight 0.3 gives a random 30 % of its examples, one of weight 2 gives all twice.
    """
    shown: Sequence[int] = range(len(examples))
    if settings.targets_per_source:
        shown = _few_targets(examples, settings.targets_per_source, chooser)
    weights = [
        examples[index].weight * settings.weights.get(examples[index].corpus, 1.0)
        for index in shown
    ]
    factors: Mapping[str, float] = {}
    if settings.language_shares:
        sizes: defaultdict[str, float] = defaultdict(float)
        for index, weight in zip(shown, weights, strict=True):
            sizes[examples[index].language] += weight * (len(examples[index].target) + 1)
        factors = share_factors(sizes, settings.language_shares)
    drawn: list[int] = []
    for index, weight in zip(shown, weights, strict=True):
        often = weight * factors.get(examples[index].language, 0.0) if factors else weight
        copies = int(often) + (chooser.random() < often % 1)
        drawn.extend([index] * copies)
    return drawn


def share_factors(sizes: Mapping[str, float], shares: Mapping[str, float]) -> dict[str, float]:
    """Return how often each language's examples are shown to have its share of an epoch.

    Args:
        sizes: Target tokens per language, the end of each text counted.
        shares: What each language is to have of them, in proportion to one another.

    Returns:
        By language, a factor that leaves the sum of target tokens as it is.
    """
    present = {name: size for name, size in sizes.items() if size > 0}
    scale = sum(present.values()) / max(sum(shares[name] for name in present), 1e-9)
    return {name: scale * shares[name] / size for name, size in present.items()}


def _few_targets(examples: Sequence[Example], most: int, chooser: random.Random) -> list[int]:
    """Draw at most so many examples of every source, of different lengths where there are such."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for index, example in enumerate(examples):
        groups[example.group].append(index)
    drawn: list[int] = []
    for members in groups.values():
        if len(members) > most:
            members = chooser.sample(members, len(members))
            first_of_length: dict[int, int] = {}
            for index in members:
                first_of_length.setdefault(examples[index].target_characters, index)
            # Those of lengths not drawn yet come first; sorting keeps the drawn order otherwise.
            members.sort(
                key=lambda index: first_of_length[examples[index].target_characters] != index
            )
        drawn += members[:most]
    return sorted(drawn)


def _joined(
    dataset: Dataset, drawn: Sequence[int], settings: Data, chooser: random.Random
) -> Iterator[Unit]:
    """Join a share of the short examples with the next short one drawn of their language."""
    waiting: dict[str, int] = {}
    for index in drawn:
        example = dataset.examples[index]
        longest = max(example.source_characters, example.target_characters)
        if longest > settings.join_characters or chooser.random() >= settings.join:
            yield (index,)
            continue
        other = waiting.pop(example.language, None)
        if other is None:
            waiting[example.language] = index
            continue
        text = dataset.text((other, index))
        if text.tokens < dataset.room and text.target_characters not in dataset.shown.unseen:
            yield other, index
        else:
            waiting[example.language] = other
            yield (index,)
    for index in waiting.values():
        yield (index,)


def _texts(dataset: Dataset, units: Sequence[Unit], seed: int) -> Iterator[Example]:
    for start in range(0, len(units), ENCODED_AT_ONCE):
        yield from dataset.texts(units[start : start + ENCODED_AT_ONCE], seed)


def _size(text: Example) -> tuple[tuple[int, int], int, int]:
    return text.bucket, len(text.source), len(text.target)


def _cut(order: Sequence[int], lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Cut an order of texts into batches of at most as many tokens, padding included."""
    batch: list[int] = []
    longest = 0
    for place in order:
        length = lengths[place]
        if batch and max(longest, length) * (len(batch) + 1) > batch_tokens:
            yield batch
            batch, longest = [], 0
        batch.append(place)
        longest = max(longest, length)
    if batch:
        yield batch


def _filled(
    sizes: Sequence[tuple[tuple[int, int], int, int]], shape: Shape, dataset: Dataset
) -> Iterator[list[int]]:
    """Fill batches of one shape with texts as they come."""
    ahead = dataset.config.most_source_tokens + 1
    batch: list[int] = []
    source, target = shape.source - shape.spare, shape.target - shape.spare
    left = [source, target, shape.texts - shape.spare]
    for place, (_, of_source, of_target) in enumerate(sizes):
        wanted = of_source + ahead, of_target + 2, 1
        if batch and any(want > room for want, room in zip(wanted, left, strict=True)):
            yield batch
            batch, left = [], [source, target, shape.texts - shape.spare]
        batch.append(place)
        left = [room - want for want, room in zip(wanted, left, strict=True)]
    if batch:
        yield batch


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
        run = self.recipe.run
        return epoch(
            self.dataset, self._seed(number), self.recipe.data, run.batch_tokens, self.shape
        )

    def batch(self, units: list[Unit], epoch_number: int, number: int) -> Batch:
        """Return the batch of a number in the run, of these texts of an epoch."""
        length, drawn = self.recipe.length, self._seed(epoch_number)
        seed, noise, free = self.seed_of(number), length.noise, length.free
        return self.dataset.batch(units, self.shape, seed=seed, drawn=drawn, noise=noise, free=free)

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
    batch: Callable[[], Batch] | None
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
    return {**arrays, "longest": batch.longest}


def _restored(made: Any) -> Batch:
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
