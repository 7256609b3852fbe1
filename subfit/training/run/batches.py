"""The order of a run's batches: epoch after epoch, the same however many processes share them."""

from __future__ import annotations

from dataclasses import dataclass

from subfit.training.data.batch import Batch
from subfit.training.data.dataset import Dataset, Unit
from subfit.training.recipe.recipe import Recipe
from subfit.training.recipe.run import RunSettings
from subfit.training.run.distributed import process_count, process_rank


def batches_per_step(run: RunSettings) -> int:
    """How many batches all processes together take in one step."""
    return run.accumulate * process_count()


@dataclass(frozen=True, slots=True)
class SeededBatch:
    """One batch and what its dropout depends on."""

    seed: int
    batch: Batch


class Batches:
    """Deals the batches of each step to the processes.

    Whatever is random in a batch depends on its number in the run alone, counted from 0 over all
    processes: resuming is exact, and N processes do what one does that accumulates N batches.
    """

    def __init__(self, recipe: Recipe, dataset: Dataset) -> None:
        self.recipe, self.dataset = recipe, dataset
        self.epoch = self.position = 0
        """Where the next batch is; position counts the batches of the epoch."""
        self._order: tuple[int, list[list[Unit]]] | None = None

    def take(self, step: int) -> list[SeededBatch]:
        """Return this process's batches of one step, and go on to the next."""
        count = batches_per_step(self.recipe.run)
        dealt = [(self._next(), self.epoch) for _ in range(count)]
        mine = range(process_rank(), count, process_count())
        recipe, dataset = self.recipe, self.dataset
        return [made_batch(recipe, dataset, *dealt[place], step * count + place) for place in mine]

    def _next(self) -> list[Unit]:
        while self.position >= len(self._epoch_order()):
            self.epoch, self.position = self.epoch + 1, 0
        self.position += 1
        return self._epoch_order()[self.position - 1]

    def _epoch_order(self) -> list[list[Unit]]:
        if self._order is None or self._order[0] != self.epoch:
            self._order = self.epoch, drawn_epoch(self.recipe, self.dataset, self.epoch)
        return self._order[1]

    def close(self) -> None:
        """Let go of what deals the batches; here nothing."""


def drawn_epoch(recipe: Recipe, dataset: Dataset, epoch: int) -> list[list[Unit]]:
    """Return which texts stand together in which batch of an epoch, in order."""
    return dataset.epoch(_epoch_seed(recipe, epoch), recipe.data, recipe.run.batch_tokens)


def made_batch(
    recipe: Recipe, dataset: Dataset, units: list[Unit], epoch: int, number: int
) -> SeededBatch:
    """Return the batch of a number in the run, of these texts of an epoch."""
    seed, drawn, length = batch_seed(recipe, number), _epoch_seed(recipe, epoch), recipe.length
    batch = dataset.batch(units, seed=seed, drawn=drawn, noise=length.noise, free=length.free)
    return SeededBatch(seed, batch)


def _epoch_seed(recipe: Recipe, epoch: int) -> int:
    return recipe.run.seed * 1000 + epoch


def batch_seed(recipe: Recipe, number: int) -> int:
    """Return what is random in the batch of a number in the run."""
    return recipe.run.seed * 1_000_003 + number
