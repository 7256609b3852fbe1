"""Guided decoding: hypotheses that say n-grams of earlier translations are rewarded.

Ferreira and Martins, section V (after Zhang et al. 2018): at every step the log-probabilities of
pieces that say a translation piece are raised (equation 17), with those before it as context, for
as long as the hypothesis has not said it. Which pieces these are and what each is worth is the
`Guide` of a request; sentences without one cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from subfit.decoding.packing import NEVER
from subfit.decoding.pieces import Choices
from subfit.decoding.processors import ScoreProcessor
from subfit.decoding.search_types import Guide, TokenRequest

Ngram = tuple[int, ...]
LONGEST = 4
"""Pieces of the longest n-grams."""
START = -1
"""Stands in n-grams for the beginning of a translation."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a hypothesis has said of its guide, in columns."""

    recent: Ngram = (START,)
    """Its last pieces, at most `LONGEST`, with the beginning before them."""
    said: frozenset[Ngram] = frozenset()
    earned: float = 0.0
    """All that it was rewarded with, in nats."""
    open_columns: tuple[int, ...] = ()
    """The unigrams that it has not said."""
    open_rewards: tuple[float, ...] = ()


class Rewards:
    """The n-grams of one request, by what stands before their last piece.

    Args:
        rewards: What each is worth, in columns.
    """

    def __init__(self, rewards: Mapping[Ngram, float]) -> None:
        self._rewards = rewards
        self._columns = frozenset(column for ngram in rewards for column in ngram)
        self._after: dict[Ngram, list[tuple[int, Ngram, float]]] = {}
        for ngram, reward in rewards.items():
            if len(ngram) > 1:
                self._after.setdefault(ngram[:-1], []).append((ngram[-1], ngram, reward))

    @property
    def start(self) -> Progress:
        """The progress of a hypothesis that says nothing."""
        return self._with_unigrams(Progress())

    def _with_unigrams(self, progress: Progress) -> Progress:
        left = {
            ngram[0]: reward
            for ngram, reward in self._rewards.items()
            if len(ngram) == 1 and ngram not in progress.said
        }
        recent, said, earned = progress.recent, progress.said, progress.earned
        return Progress(recent, said, earned, tuple(left), tuple(left.values()))

    def offers(self, progress: Progress) -> Iterator[tuple[int, float]]:
        """Yield the columns that end a longer n-gram, not said before, with its reward."""
        for size in range(1, len(progress.recent) + 1):
            for column, ngram, reward in self._after.get(progress.recent[-size:], ()):
                if ngram not in progress.said:
                    yield column, reward

    def after(self, progress: Progress, column: int) -> Progress:
        """Return the progress of a hypothesis with one piece more."""
        recent = (*progress.recent, column)
        kept = recent[-LONGEST:]
        if column not in self._columns:
            return Progress(
                kept,
                progress.said,
                progress.earned,
                progress.open_columns,
                progress.open_rewards,
            )
        # What may stand within a sentence is no reason to begin with it: its capital differs.
        least = 2 if progress.recent == (START,) else 1
        ends = (recent[-size:] for size in range(least, len(recent) + 1))
        new = [column for column in ends if column in self._rewards and column not in progress.said]
        earned = progress.earned + sum(self._rewards[column] for column in new)
        said = progress.said.union(new)
        if (column,) in new:
            return self._with_unigrams(Progress(kept, said, earned))
        return Progress(kept, said, earned, progress.open_columns, progress.open_rewards)


class MemoryGuide(ScoreProcessor):
    """Rewards hypotheses for following the guides of their sentences, once for each n-gram."""

    name = "guide"

    def __init__(self, choices: Choices, rows: int, beams: int) -> None:
        super().__init__(choices, rows, beams)
        self._guided: dict[int, tuple[Rewards, list[Progress]]] = {}
        """By row what is rewarded, and how far each hypothesis is."""

    def admit(self, row: int, request: TokenRequest | None) -> None:
        """See `ScoreProcessor.admit`."""
        self._guided.pop(row, None)
        if request is not None and request.guide is not None:
            rewards = Rewards(self._in_columns(request.guide))
            self._guided[row] = rewards, [rewards.start] * self.beams

    def _in_columns(self, guide: Guide) -> dict[Ngram, float]:
        pieces = {piece for ngram in guide.rewards for piece in ngram} - {START}
        column_of = self.choices.column_by_piece(pieces) | {START: START}
        return {
            tuple(column_of[piece] for piece in ngram): reward
            for ngram, reward in guide.rewards.items()
            if all(piece in column_of for piece in ngram)
        }

    def adjust(self, log_probs: Tensor, scores: Tensor) -> None:
        """Raise what says something of a guide."""
        if not self._guided:
            return
        alive, size = (scores > NEVER).tolist(), log_probs.shape[2]
        places: list[int] = []
        values: list[float] = []
        for row, (rewards, progresses) in self._guided.items():
            for beam, progress in enumerate(progresses):
                if alive[row][beam]:
                    start = (row * self.beams + beam) * size
                    if progress.recent != (START,):
                        places += [start + column for column in progress.open_columns]
                        values += progress.open_rewards
                    for column, value in rewards.offers(progress):
                        places.append(start + column)
                        values.append(value)
        at = torch.tensor(places, dtype=torch.int64, device=log_probs.device)
        log_probs.view(-1).index_put_((at,), log_probs.new_tensor(values), accumulate=True)

    def advance(self, parents: Tensor, columns: Tensor) -> None:
        """See `ScoreProcessor.advance`."""
        for row, (rewards, progress) in self._guided.items():
            pairs = zip(parents[row].tolist(), columns[row].tolist(), strict=True)
            progress[:] = [
                # A piece that all begin with says nothing: the beginning is still to come.
                progress[beam]
                if column == self.choices.first
                else rewards.after(progress[beam], column)
                for beam, column in pairs
            ]

    def bonus(self, row: int, beam: int) -> float:
        """What a hypothesis was rewarded with, in nats."""
        return self._guided[row][1][beam].earned if row in self._guided else 0.0

    def keep(self, rows: Sequence[int]) -> None:
        """See `ScoreProcessor.keep`."""
        self._guided = {
            new: self._guided[row] for new, row in enumerate(rows) if row in self._guided
        }
