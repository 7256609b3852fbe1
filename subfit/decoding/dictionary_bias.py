"""Dictionary bias: hypotheses are rewarded for saying what translates the rare words of a source.

A model that has met a word a few times spells another one in its place; the dictionary that comes
with it (`subfit.model.dictionary`) knows better. As Arthur et al. 2016 (EMNLP, "Incorporating
Discrete Translation Lexicons into Neural Machine Translation", equation 8) do, the probability of
its translations is raised; where they may stand is left to the model. As in contextual biasing of
speech recognisers (Zhao et al. 2019), what a hypothesis earned for the beginning of a translation
is taken back if it does not go on with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor

from subfit.decoding.packing import NEVER
from subfit.decoding.pieces import Choices
from subfit.decoding.search_types import RareWord

FIRST = 1.5
"""What the first piece of a translation is worth, in nats. (docs/methods.md)"""
NEXT = 1.5
"""What each piece after it is worth, in nats."""

_Path = tuple[int, tuple[int, ...]]
"""A rare word, by its number, and what is left to say of one of its translations, in columns."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What a hypothesis has said of the rare words of its source."""

    open: frozenset[int]
    """The words that it has not said, by their numbers."""
    paths: tuple[_Path, ...] = ()
    """The translations that it is in the middle of."""
    pending: float = 0.0
    """What it was given for their beginnings, in nats."""
    earned: float = 0.0
    """What it was given for what it has said whole, in nats."""
    begins: bool = True
    """Whether it is empty."""


class _Words:
    """The rare words of one request, in columns."""

    def __init__(self, words: Sequence[RareWord], choices: Choices) -> None:
        paths = (path for word in words for path in (*word.within, *word.opening))
        self._columns = choices.column_by_piece(chain.from_iterable(paths))
        self._within = [self._in_columns(word.within) for word in words]
        self._opening = [self._in_columns(word.opening) for word in words]

    def _in_columns(self, paths: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        return [
            tuple(self._columns[piece] for piece in path)
            for path in paths
            if all(piece in self._columns for piece in path)
        ]

    @property
    def start(self) -> _Said:
        """What the empty hypothesis has said."""
        return _Said(frozenset(range(len(self._within))))

    def rewards(self, said: _Said) -> dict[int, float]:
        """What the next piece is given, by its column; what goes on gets back what is pending."""
        rewards = {path[0]: FIRST for _, path in self._openings(said)}
        rewards |= {path[0]: NEXT + said.pending for _, path in said.paths}
        return rewards

    def _openings(self, said: _Said) -> Iterator[_Path]:
        paths = self._opening if said.begins else self._within
        for number in said.open:
            for path in paths[number]:
                yield number, path

    def after(self, said: _Said, column: int) -> _Said:
        """Return what a hypothesis has said with one piece more."""
        going_on = [(number, path[1:]) for number, path in said.paths if path[0] == column]
        pending = said.pending + NEXT
        if not going_on:
            openings = self._openings(said)
            going_on = [(number, path[1:]) for number, path in openings if path[0] == column]
            pending = FIRST if going_on else 0.0
        whole = {number for number, left in going_on if not left}
        if whole:
            return _Said(said.open - whole, (), 0.0, said.earned + pending, False)
        return _Said(said.open, tuple(going_on), pending, said.earned, False)


class DictionaryBias:
    """What the hypotheses of a running search say of the rare words of their sources.

    Args:
        choices: The pieces to choose among.
        rows: Sentences at once.
        beams: Hypotheses of each.
    """

    def __init__(self, choices: Choices, rows: int, beams: int) -> None:
        self._choices, self._beams = choices, beams
        self._words: list[_Words | None] = [None] * rows
        self._said: list[list[_Said]] = [[] for _ in range(rows)]

    def admit(self, row: int, words: Sequence[RareWord]) -> None:
        """Let a sentence into a row, or none; it has one hypothesis, the empty one."""
        own = _Words(words, self._choices) if words else None
        self._words[row] = own
        self._said[row] = [] if own is None else [own.start] * self._beams

    def reward(self, log_probs: Tensor, scores: Tensor) -> None:
        """Raise, in place, the log-probabilities of pieces that say a rare word.

        Where a hypothesis leaves a translation that it has begun, all others are lowered by what
        it was given for the beginning.

        Args:
            log_probs: (rows, beams, pieces)
            scores: (rows, beams) of the hypotheses, `NEVER` where there is none.
        """
        biased = [row for row, words in enumerate(self._words) if words is not None]
        if not biased:
            return
        alive = (scores > NEVER).tolist()
        size = log_probs.shape[2]
        places: list[int] = []
        values: list[float] = []
        for row in biased:
            words = self._words[row]
            assert words is not None
            for beam, said in enumerate(self._said[row]):
                if not alive[row][beam]:
                    continue
                if said.pending:
                    log_probs[row, beam] -= said.pending
                start = (row * self._beams + beam) * size
                for column, value in words.rewards(said).items():
                    places.append(start + column)
                    values.append(value)
        at = torch.tensor(places, dtype=torch.int64, device=log_probs.device)
        added = torch.tensor(values, dtype=log_probs.dtype, device=log_probs.device)
        log_probs.view(-1).index_add_(0, at, added)

    def follow(self, parents: Tensor, columns: Tensor) -> None:
        """Take note of the hypotheses that run on.

        Args:
            parents: (rows, beams) the beams that they come from.
            columns: (rows, beams) of their new pieces.
        """
        for row, words in enumerate(self._words):
            if words is None:
                continue
            said = self._said[row]
            pairs = zip(parents[row].tolist(), columns[row].tolist(), strict=True)
            self._said[row] = [
                # A piece that all begin with says nothing: the beginning is still to come.
                said[beam] if column == self._choices.first else words.after(said[beam], column)
                for beam, column in pairs
            ]

    def earned(self, row: int, beam: int) -> float:
        """Return what a hypothesis is given, in nats, if it ends now."""
        return self._said[row][beam].earned if self._said[row] else 0.0

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only these rows."""
        self._words = [self._words[row] for row in rows]
        self._said = [self._said[row] for row in rows]
