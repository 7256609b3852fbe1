"""Beams whose hypotheses have to say certain terms.

Lexically constrained decoding: beside its best next pieces every hypothesis is offered those that
begin a term it lacks or go on with one, however improbable. Hypotheses compete only with those that
have as many terms (grid beam search, Hokamp & Liu 2017), and all run in one batch of a fixed width
whose unused places go to whoever is best (dynamic beam allocation, Post & Vilar 2018). The width is
that of a free search for every number of terms that a hypothesis can have, and once more for what
is in the midst of a term. There a place is kept for every number of its pieces, so that a
hypothesis which has paid for some is not driven out by those that only begin.

A model that would say something else finds a term as improbable where it belongs as anywhere, and
so puts it behind the sentence. Therefore a term is given credit: where the model would begin a word
that the lexical table knows as a translation of the term's source, the term may begin at nearly
that word's probability.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import cast

import torch
from torch import Tensor

from subfit.decoding.beams import Beams
from subfit.decoding.constraint_state import START, ConstraintState, ConstraintTracker, NextPiece
from subfit.decoding.network import Memory, Network
from subfit.decoding.packing import NEVER
from subfit.decoding.pieces import Choices
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.decoding.top_k import top_k

STANDING_IN = 1.0
"""Nats that it costs a term to stand in for the word which the model would begin."""
GOING_ON = -0.5
"""Log-probability of the further pieces of such a term, where the model gives them less."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A hypothesis with one piece more."""

    score: float
    parent: int
    """The beam it comes from."""
    column: int
    """The column of the new piece."""
    met: int
    """Terms it has."""
    begun: int
    """Pieces it has of another; 0 if it is not in the midst of one."""
    hopeless: bool = False
    """Whether the terms it lacks cannot fit into its budget any more."""
    ends: bool = False


class ConstrainedBeams(Beams):
    """Rows of sentences that have so many terms each.

    Args:
        network: Gives the probabilities.
        choices: The pieces to choose among.
        settings: How many hypotheses, of each number of terms.
        rows: Sentences at once.
        longest: Most tokens of a hypothesis, the end token included.
        terms: Of each sentence.
    """

    def __init__(
        self,
        network: Network,
        choices: Choices,
        settings: SearchSettings,
        rows: int,
        longest: int,
        terms: int,
    ) -> None:
        self._each = max(settings.beams, 2)
        wide = replace(settings, beams=self._each * (2 * terms + 1))
        super().__init__(network, choices, wide, rows, longest, kept=settings.beams)
        self._terms = terms
        self._trackers: list[ConstraintTracker | None] = [None] * rows
        self._states: list[list[ConstraintState]] = [[] for _ in range(rows)]
        """How far each hypothesis of each row is."""
        self._rivals: list[list[Tensor]] = [[] for _ in range(rows)]
        """The columns of what each term of each row may stand in for."""
        self._credits: dict[tuple[int, int, int], float] = {}
        """What a piece is given beyond its probability, by row, beam and column."""
        self._inside_word: list[bool] = choices.table.inside_word.tolist()
        self._tokens: list[int] = choices.token_ids.tolist()

    def admit(
        self, numbers: Sequence[int], requests: Sequence[TokenRequest], memories: Sequence[Memory]
    ) -> None:
        """Let sentences into free rows; see `Beams.admit`."""
        for row, request in zip(self.free, requests, strict=False):
            self._trackers[row] = ConstraintTracker(request.terms, self._choices.whole)
            self._states[row] = [START] * self._settings.beams
            self._rivals[row] = [self._columns(term.rivals) for term in request.terms]
        super().admit(numbers, requests, memories)

    def _keep(self, kept: list[int]) -> None:
        self._trackers = [self._trackers[row] for row in kept]
        self._states = [self._states[row] for row in kept]
        self._rivals = [self._rivals[row] for row in kept]
        super()._keep(kept)

    def _terms_of(self, row: int, beam: int) -> tuple[int, float]:
        state = self._states[row][beam]
        return self._terms - state.count, state.credit_at_end

    def _best(self, log_probs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Choose for each number of terms; see `Beams._best`."""
        rows, width, _ = log_probs.shape
        best = [[NEVER] * (2 * width) for _ in range(rows)]
        parents = [[0] * (2 * width) for _ in range(rows)]
        columns = [[0] * (2 * width) for _ in range(rows)]
        for row, continuations in enumerate(self._continuations(log_probs)):
            ended, going_on = allocate(continuations, self._each, self._terms, width)
            for place, continuation in chain(enumerate(ended), enumerate(going_on, width)):
                best[row][place] = continuation.score
                parents[row][place], columns[row][place] = continuation.parent, continuation.column
        device = log_probs.device
        return (
            torch.tensor(best, device=device),
            torch.tensor(parents, device=device),
            torch.tensor(columns, device=device),
        )

    def _continuations(self, log_probs: Tensor) -> list[list[Continuation]]:
        """Return for each row its hypotheses with one piece more."""
        rows, width, size = log_probs.shape
        most = min(self._each + 1, size)
        alone = log_probs.view(rows * width, 1, size)
        sums, places = top_k(alone, torch.zeros_like(alone[:, :, 0]), most)
        totals = (sums.view(rows, width, most) + self.scores.unsqueeze(2)).tolist()
        pieces = places.view(rows, width, most).tolist()
        ends = (log_probs[..., self._choices.end] + self.scores).tolist()
        alive = (self.scores > NEVER).tolist()
        forced = self._forced(log_probs, alive)
        continuations: list[list[Continuation]] = [[] for _ in range(rows)]
        for row, running in enumerate(alive):
            if self._numbers[row] is None:
                continue
            rooms = (self.ceilings[row] - self.printed[row]).tolist()
            for beam in (beam for beam in range(width) if running[beam]):
                scores = dict(zip(pieces[row][beam], totals[row][beam], strict=True))
                scores |= forced.get((row, beam), {})
                scores[self._choices.end] = ends[row][beam]
                continuations[row] += self._continuations_of(row, beam, scores.items(), rooms[beam])
        return continuations

    def _forced(
        self, log_probs: Tensor, alive: list[list[bool]]
    ) -> dict[tuple[int, int], dict[int, float]]:
        """Return what each hypothesis is offered of its terms: scores by column, without credit."""
        wanted: list[tuple[int, int, NextPiece]] = []
        floors: dict[tuple[int, int], list[float]] = {}
        for row, tracker in enumerate(self._trackers):
            if tracker is None or self._numbers[row] is None:
                continue
            for term, columns in enumerate(self._rivals[row]):
                floors[row, term] = _best_of(log_probs[row], columns)
            for beam, state in enumerate(self._states[row]):
                if alive[row][beam]:
                    pieces = dict.fromkeys(tracker.next_pieces(state))
                    wanted += [(row, beam, piece) for piece in pieces]
        self._credits = {}
        forced: dict[tuple[int, int], dict[int, float]] = {}
        if not wanted:
            return forced
        places = [(row, beam, piece.token_id) for row, beam, piece in wanted]
        rows, beams, tokens = torch.tensor(places, device=log_probs.device).T.contiguous()
        indices = torch.searchsorted(self._choices.token_ids, tokens)
        own = log_probs[rows, beams, indices]
        sums = (own + self.scores[rows, beams]).tolist()
        for (row, beam, piece), column, score, log_prob in zip(
            wanted, indices.tolist(), sums, own.tolist(), strict=True
        ):
            forced.setdefault((row, beam), {})[column] = score
            floor = GOING_ON if piece.credited else NEVER
            if piece.begins is not None:
                floor = floors[row, piece.begins][beam] - STANDING_IN
            if NEVER < log_prob < floor:
                key = (row, beam, column)
                self._credits[key] = max(self._credits.get(key, 0.0), floor - log_prob)
        return forced

    def _columns(self, pieces: Sequence[int]) -> Tensor:
        """Where pieces stand among the choices."""
        tokens = torch.tensor(pieces, dtype=torch.int64, device=self._network.device)
        return torch.searchsorted(self._choices.token_ids, tokens)

    def _after(self, row: int, beam: int, column: int) -> ConstraintState:
        """How far a hypothesis is with one piece more."""
        if column == self._choices.first:
            return self._states[row][beam]  # nothing is printed yet
        tracker = self._trackers[row]
        assert tracker is not None
        return tracker.after(
            self._states[row][beam],
            self._tokens[column],
            inside_word=self._inside_word[column],
            credit=self._credits.get((row, beam, column), 0.0),
        )

    def _continuations_of(
        self, row: int, beam: int, scores: Iterable[tuple[int, float]], room: float
    ) -> Iterable[Continuation]:
        """Say of every next piece of a hypothesis, with its score, where it leads to."""
        tracker, state = self._trackers[row], self._states[row][beam]
        assert tracker is not None
        choices, credit = self._choices, state.credit
        costs = choices.opening_costs if state.last is None else choices.costs
        for column, score in scores:
            if score == NEVER:
                continue
            if column == choices.end:
                score += state.credit_at_end - credit
                yield Continuation(score, beam, column, state.count, begun=0, ends=True)
                continue
            then = self._after(row, beam, column)
            left = room - costs[column]
            hopeless = then.count < self._terms and tracker.needed(then) > left
            score += then.credit - credit
            yield Continuation(score, beam, column, then.count, then.pieces_begun, hopeless)

    def _continue(self, best: Tensor, parents: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
        """Let the chosen hypotheses run on, and note how far they are."""
        parents, columns = super()._continue(best, parents, columns)
        alive = (self.scores > NEVER).tolist()
        chosen = zip(alive, parents.tolist(), columns.tolist(), strict=True)
        for row, (running, from_beams, pieces) in enumerate(chosen):
            if self._numbers[row] is not None:
                self._states[row] = [
                    self._after(row, beam, column) if runs else START
                    for runs, beam, column in zip(running, from_beams, pieces, strict=True)
                ]
        return parents, columns


def _best_of(log_probs: Tensor, columns: Tensor) -> list[float]:
    """The best log-probability among some columns, for each beam."""
    if not len(columns):
        return [NEVER] * len(log_probs)
    return cast(list[float], log_probs[:, columns].amax(1).tolist())


def allocate(
    continuations: Sequence[Continuation], each: int, terms: int, width: int
) -> tuple[list[Continuation], list[Continuation]]:
    """Say which hypotheses end and which run on.

    Args:
        continuations: All there are.
        each: Places for each number of terms that a hypothesis has, and as many for those that are
            in the midst of one term more.
        terms: How many there are to be met.
        width: Places in all.

    Returns:
        What ends: the best ``each`` of what has all terms, and of what lacks some those that are
        among the best ``each`` of their kind. And what runs on, best score first, at most
        ``width``.
    """
    ordered = sorted(continuations, key=lambda one: (-one.score, one.parent, one.column))
    kinds: dict[int, list[Continuation]] = {met: [] for met in range(terms, -1, -1)}
    begun: dict[int, list[Continuation]] = {met: [] for met in range(terms - 1, -1, -1)}
    for one in ordered:
        if not one.hopeless or one.ends:
            under_way = one.begun and one.met < terms
            (begun if under_way else kinds)[one.met].append(one)
    ended = [one for one in kinds[terms] if one.ends][:each]
    for met in begun:
        ended += [one for one in kinds[met][:each] if one.ends]
    chosen: dict[tuple[int, int], Continuation] = {}
    for met, kind in kinds.items():
        running = [one for one in kind if not one.ends][:each]
        running += _farthest(begun.get(met, []))[:each]
        chosen |= {(one.parent, one.column): one for one in running}
    for one in sorted(ordered, key=lambda one: one.hopeless):
        if not one.ends and len(chosen) < width:
            chosen.setdefault((one.parent, one.column), one)
    return ended[:width], sorted(chosen.values(), key=lambda one: -one.score)[:width]


def _farthest(continuations: Sequence[Continuation]) -> list[Continuation]:
    """The best of every number of pieces begun, most pieces first; the second best; and so on."""
    ranks: dict[int, int] = {}
    ranked: list[tuple[int, int, Continuation]] = []
    for one in continuations:
        rank = ranks[one.begun] = ranks.get(one.begun, -1) + 1
        ranked.append((rank, -one.begun, one))
    return [one for *_, one in sorted(ranked, key=lambda entry: entry[:2])]
