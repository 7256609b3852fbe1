"""What a hypothesis still has to say: how far it is with the terms of its query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from subfit.decoding.pieces import PieceTable
from subfit.decoding.queries import Demand, Wording

_NONE: frozenset[int] = frozenset()

Begun = tuple[int, int, int, float]
"""A wording that a hypothesis ends in the midst of: term, wording, pieces it has, credit."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a hypothesis is."""

    last: int | None = None
    """Its last piece; None where it has none."""
    said: frozenset[int] = _NONE
    """Terms that it has."""
    closing: frozenset[int] = _NONE
    """Terms that it has unless letters follow."""
    begun: tuple[Begun, ...] = ()
    settled: float = 0.0
    """Credit for the terms that it has, in nats."""
    open: float = 0.0
    """Credit for those that may still be undone, by other pieces or by letters that follow."""

    @property
    def credit(self) -> float:
        """What its score has for terms that stand in for more probable words."""
        return self.settled + max((self.open, *(credit for *_, credit in self.begun)))

    @property
    def credit_at_end(self) -> float:
        """The same if it ends here, where a term that is only begun is none."""
        return self.settled + self.open

    @property
    def pieces_begun(self) -> int:
        """Pieces of a term that it ends in the midst of."""
        return max((length for _, _, length, _ in self.begun), default=0)

    @property
    def count(self) -> int:
        """Terms that it has if it ends here."""
        return len(self.said | self.closing)


START = Progress()


class NextPiece(NamedTuple):
    """A piece that brings a hypothesis nearer to a term."""

    token_id: int
    begins: int | None = None
    """The term that it begins; None if it goes on with one."""
    credited: bool = False
    """Whether it goes on with one that was given credit."""


class Agenda:
    """The terms of one query.

    Args:
        terms: The wordings of each.
        table: What pieces print, of the whole vocabulary.
    """

    def __init__(self, terms: Sequence[Demand], table: PieceTable) -> None:
        self._terms = [each.wordings for each in terms]
        self._openers: dict[int, list[tuple[int, int]]] = {}
        self._lengths: list[list[list[float]]] = []
        """Of each wording the characters from each of its pieces on."""
        for term, wordings in enumerate(self._terms):
            self._lengths.append([])
            for number, wording in enumerate(wordings):
                pieces = wording.token_ids
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
        self, progress: Progress, piece: int, *, inside_word: bool, credit: float = 0.0
    ) -> Progress:
        """Return how far a hypothesis is with one piece more.

        Args:
            progress: Without it.
            piece: Its token id.
            inside_word: Whether it goes on with a word.
            credit: What the piece is given as part of a term, in nats.
        """
        if not (progress.closing or progress.begun or piece in self._openers):
            return Progress(piece, progress.said, settled=progress.settled)
        said, settled = progress.said, progress.settled
        if not inside_word:
            said, settled = said | progress.closing, settled + progress.open
        begun, closing, kept = [], set(), 0.0
        for term, number, length, earned in self._reached(progress, piece, credit):
            wording = self._terms[term][number]
            if term in said:
                continue
            if length < len(wording.token_ids):
                begun.append((term, number, length, earned))
            elif wording.goes_on:
                said, settled = said | {term}, settled + earned
            else:
                closing.add(term)
                kept = max(kept, earned)
        return Progress(piece, said, frozenset(closing - said), tuple(begun), settled, kept)

    def _reached(self, progress: Progress, piece: int, credit: float) -> Iterator[Begun]:
        """Yield the wordings that a piece goes on with or begins."""
        for term, number, length, earned in progress.begun:
            if self._terms[term][number].token_ids[length] == piece:
                yield term, number, length + 1, earned + credit
        for term, number in self._openers.get(piece, ()):
            if _may_begin(self._terms[term][number], progress.last):
                yield term, number, 1, credit

    def next_pieces(self, progress: Progress) -> Iterator[NextPiece]:
        """Yield the pieces that go on with a term which a hypothesis lacks, or begin one."""
        for term, number, length, earned in progress.begun:
            if term not in progress.closing:
                piece = self._terms[term][number].token_ids[length]
                yield NextPiece(piece, credited=earned > 0)
        for term, wordings in enumerate(self._terms):
            if term not in progress.said and term not in progress.closing:
                for wording in wordings:
                    if _may_begin(wording, progress.last):
                        yield NextPiece(wording.token_ids[0], begins=term)

    def needed(self, progress: Progress) -> float:
        """Return the fewest characters that the terms can take which a hypothesis lacks.

        Terms that share pieces may be said in one, so of these only the longest counts.
        """
        return sum(
            max((self._rest(term, progress) for term in group), default=0.0)
            for group in self._groups
        )

    def _rest(self, term: int, progress: Progress) -> float:
        """The fewest characters that a term takes; 0 of one that a hypothesis has."""
        if term in progress.said or term in progress.closing:
            return 0.0
        rest = [lengths[0] for lengths in self._lengths[term]]
        rest += [self._lengths[t][n][at] for t, n, at, _ in progress.begun if t == term]
        return min(rest)


def _sharing_pieces(terms: Sequence[Sequence[Wording]]) -> list[list[int]]:
    """Group terms by whether any of their wordings have a piece in common."""
    groups: list[tuple[set[int], list[int]]] = []
    for term, wordings in enumerate(terms):
        pieces, members = {each for wording in wordings for each in wording.token_ids}, [term]
        apart = []
        for other, others in groups:
            if pieces & other:
                pieces, members = pieces | other, [*others, *members]
            else:
                apart.append((other, others))
        groups = [*apart, (pieces, members)]
    return [members for _, members in groups]


def _may_begin(wording: Wording, last: int | None) -> bool:
    if last is None:
        return wording.opens
    return wording.behind is None or last in wording.behind
