"""Slots of keys and values, beside a list of every hypothesis' whole history."""

from __future__ import annotations

import random

import pytest
import torch

from subfit.decoding.cache import EVERY, Slots


class Histories:
    """Sentences whose hypotheses grow, change beams and end at random, and what each has said.

    A "key" is a number of its own for every token; the cache is one row of numbers per sentence.
    """

    def __init__(self, rows: int, beams: int, seed: int) -> None:
        self.random, self.rows, self.beams = random.Random(seed), rows, beams
        self.slots = Slots(rows, beams, 64, torch.device("cpu"))
        self.cache = torch.zeros(rows, 0, dtype=torch.int64)
        self.positions = [0] * rows
        self.origins: list[list[list[int]]] = [[[] for _ in range(beams)] for _ in range(rows)]
        self.said: list[list[list[int]]] = [[[] for _ in range(beams)] for _ in range(rows)]
        self.tokens = 0

    def advance(self) -> None:
        """Feed a token of every hypothesis; then let some win and some sentences begin anew."""
        steps = max(self.positions) + 1
        for row in range(self.rows):
            for beam in range(self.beams):
                self.tokens += 1
                self.said[row][beam].append(self.tokens)
                self.origins[row][beam].append(beam)
        kept = self.slots.feed(torch.tensor(self.positions), self._padded(steps))
        if kept is not None:
            rows, order = kept
            self.cache[rows, : order.shape[1]] = self.cache[rows].gather(1, order)
        cache = torch.full((self.rows, self.slots.count), -1)
        held = min(cache.shape[1], self.cache.shape[1])
        cache[:, :held] = self.cache[:, :held]
        newest = torch.tensor([[one[-1] for one in row] for row in self.said])
        self.cache = cache.scatter(1, self.slots.newest, newest)

    def move_on(self) -> None:
        """Choose which hypotheses go on, and end a sentence now and then."""
        for row in range(self.rows):
            if self.random.random() < 0.05:
                self.positions[row] = 0
                self.origins[row] = [[] for _ in range(self.beams)]
                self.said[row] = [[] for _ in range(self.beams)]
                continue
            parents = [self.random.choice([0, 0, beam]) for beam in range(self.beams)]
            self.positions[row] += 1
            self.origins[row] = [list(self.origins[row][parent]) for parent in parents]
            self.said[row] = [list(self.said[row][parent]) for parent in parents]

    def _padded(self, steps: int) -> torch.Tensor:
        return torch.tensor(
            [[one + [-1] * (steps - len(one)) for one in row] for row in self.origins]
        )


@pytest.mark.parametrize(("rows", "beams"), [(1, 1), (3, 1), (1, 4), (5, 3)])
def test_every_hypothesis_attends_to_just_what_it_has_said(rows, beams):
    histories = Histories(rows, beams, seed=rows * beams)
    for _ in range(6 * EVERY):
        histories.advance()
        reached = histories.slots.reached()
        fed_at = histories.slots.positions()
        for row in range(rows):
            for beam in range(beams):
                slots = reached[row, beam].nonzero().squeeze(1)
                keys = histories.cache[row, slots].tolist()
                told = sorted(zip(fed_at[row, slots].tolist(), keys, strict=True))
                assert told == list(enumerate(histories.said[row][beam]))
        histories.move_on()


def test_what_nobody_attends_to_is_given_up():
    slots, beams, steps = Slots(1, 8, 64, torch.device("cpu")), 8, 4 * EVERY
    for position in range(steps):  # all hypotheses go on from the first
        origins = torch.full((1, beams, steps), -1)
        origins[..., :position] = 0
        origins[..., position] = torch.arange(beams)
        slots.feed(torch.tensor([position]), origins)
    assert slots.count < 8 * steps / 2
