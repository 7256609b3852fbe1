"""Which terminology constraints a hypothesis has met, and which pieces lead to others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from subfit.decoding.pieces import PieceTable
from subfit.decoding.search_types import Spelling, TokenConstraint

_NONE: frozenset[int] = frozenset()

PartialTerm = tuple[int, int, int, float]
"""A spelling that a hypothesis ends in the midst of: term, spelling, pieces it has, credit."""


@dataclass(frozen=True, slots=True)
class ConstraintState:
    """How far a hypothesis is with the terms of its request."""

    last: int | None = None
    """Its last piece; None where it has none."""
    met: frozenset[int] = _NONE
    """Terms that it has."""
    closing: frozenset[int] = _NONE
    """Terms that it has unless letters follow."""
    begun: tuple[PartialTerm, ...] = ()
    """What may yet become a term."""
    credit_met: float = 0.0
    """Credit for the terms that it has, in nats."""
    credit_open: float = 0.0
    """Credit for those that may still be undone, by other pieces or by letters that follow."""

    @property
    def credit(self) -> float:
        """What its score has for terms that stand in for more probable words."""
        return self.credit_met + max((self.credit_open, *(credit for *_, credit in self.begun)))

    @property
    def credit_at_end(self) -> float:
        """What its score has for terms if it ends here, where one that is only begun is none."""
        return self.credit_met + self.credit_open

    @property
    def pieces_begun(self) -> int:
        """Pieces of a term that it ends in the midst of."""
        return max((length for _, _, length, _ in self.begun), default=0)

    @property
    def count(self) -> int:
        """Terms that it has if it ends here."""
        return len(self.met | self.closing)


START = ConstraintState()


class NextPiece(NamedTuple):
    """A piece that brings a hypothesis nearer to a term."""

    token_id: int
    begins: int | None = None
    """The term that it begins; None if it goes on with one."""
    credited: bool = False
    """Whether it goes on with one that was given credit."""


class ConstraintTracker:
    """The terms of one request.

    Args:
        terms: The spellings of each.
        table: What pieces print, of the whole vocabulary.
    """

    def __init__(self, terms: Sequence[TokenConstraint], table: PieceTable) -> None:
        self._terms = [term.spellings for term in terms]
        self._openers: dict[int, list[tuple[int, int]]] = {}
        self._lengths: list[list[list[float]]] = []
        """The characters of each spelling from each of its pieces on."""
        for term, spellings in enumerate(self._terms):
            self._lengths.append([])
            for number, spelling in enumerate(spellings):
                pieces = spelling.token_ids
                self._openers.setdefault(pieces[0], []).append((term, number))
                costs = table.characters[list(pieces)].tolist()
                rest = [sum(costs[begin:]) for begin in range(len(costs))]
                rest[0] -= float(table.lead[pieces[0]])
                self._lengths[-1].append(rest)
        self._groups = _sharing_pieces(self._terms)

    @property
    def count(self) -> int:
        """How many terms there are."""
        return len(self._terms)

    def after(
        self, state: ConstraintState, piece: int, *, inside_word: bool, credit: float = 0.0
    ) -> ConstraintState:
        """Return how far a hypothesis is with one piece more.

        Args:
            state: Without it.
            piece: Its token id.
            inside_word: Whether it goes on with a word.
            credit: What the piece is given as part of a term, in nats.
        """
        if not (state.closing or state.begun or piece in self._openers):
            return ConstraintState(piece, state.met, credit_met=state.credit_met)
        met, credit_met = state.met, state.credit_met
        if not inside_word:
            met, credit_met = met | state.closing, credit_met + state.credit_open
        begun, closing, kept = [], set(), 0.0
        for term, number, length, earned in self._reached(state, piece, credit):
            spelling = self._terms[term][number]
            if term in met:
                continue
            if length < len(spelling.token_ids):
                begun.append((term, number, length, earned))
            elif spelling.goes_on:
                met, credit_met = met | {term}, credit_met + earned
            else:
                closing.add(term)
                kept = max(kept, earned)
        return ConstraintState(piece, met, frozenset(closing - met), tuple(begun), credit_met, kept)

    def _reached(self, state: ConstraintState, piece: int, credit: float) -> Iterator[PartialTerm]:
        """Yield the spellings that a piece goes on with or begins."""
        for term, number, length, earned in state.begun:
            if self._terms[term][number].token_ids[length] == piece:
                yield term, number, length + 1, earned + credit
        for term, number in self._openers.get(piece, ()):
            if _may_begin(self._terms[term][number], state.last):
                yield term, number, 1, credit

    def next_pieces(self, state: ConstraintState) -> Iterator[NextPiece]:
        """Yield the pieces that go on with a term which a hypothesis lacks, or begin one."""
        for term, number, length, earned in state.begun:
            if term not in state.closing:
                piece = self._terms[term][number].token_ids[length]
                yield NextPiece(piece, credited=earned > 0)
        for term, spellings in enumerate(self._terms):
            if term not in state.met and term not in state.closing:
                for spelling in spellings:
                    if _may_begin(spelling, state.last):
                        yield NextPiece(spelling.token_ids[0], begins=term)

    def needed(self, state: ConstraintState) -> float:
        """Return the fewest characters that the terms can take which a hypothesis lacks.

        Terms that share pieces may be met in one, so of these only the longest counts.
        """
        return sum(
            max((self._rest(term, state) for term in group), default=0.0) for group in self._groups
        )

    def _rest(self, term: int, state: ConstraintState) -> float:
        """The fewest characters that a term takes; 0 of one that a hypothesis has."""
        if term in state.met or term in state.closing:
            return 0.0
        rest = [lengths[0] for lengths in self._lengths[term]]
        rest += [self._lengths[t][n][at] for t, n, at, _ in state.begun if t == term]
        return min(rest)


def _sharing_pieces(terms: Sequence[Sequence[Spelling]]) -> list[list[int]]:
    """Group terms by whether any of their spellings have a piece in common."""
    groups: list[tuple[set[int], list[int]]] = []
    for term, spellings in enumerate(terms):
        pieces, members = {piece for spelling in spellings for piece in spelling.token_ids}, [term]
        apart = []
        for other, others in groups:
            if pieces & other:
                pieces, members = pieces | other, [*others, *members]
            else:
                apart.append((other, others))
        groups = [*apart, (pieces, members)]
    return [members for _, members in groups]


def _may_begin(spelling: Spelling, last: int | None) -> bool:
    if last is None:
        return spelling.opens
    return spelling.behind is None or last in spelling.behind
