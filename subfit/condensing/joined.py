"""One of two things that "and" or "but" joins."""

from __future__ import annotations

from collections.abc import Iterator

from subfit.condensing.clauses import Clause
from subfit.condensing.reading import Reading, SparePart

_SECOND, _FIRST = 1.1, 1.2
"""Multiples of what the words of one of two clauses cost."""
_NOMINATIVES = ("i", "he", "she", "we", "they")


def coordinated(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """One of two clauses that "and" or "but" joins, or what "and" adds at the end."""
    words = reading.words
    for index in range(clause.start + 1, clause.end - 1):
        low = reading.low(index)
        before = index if reading.tokens[index - 1].is_word else index - 1
        joins = low in words.coordinators
        if not (joins or low in words.adversative) or not reading.has_verb(clause.start, before):
            continue
        paired = any(reading.low(at) in words.pairing for at in range(clause.start, index))
        second = next(segment for segment in clause.segments if index + 1 < segment.end)
        has_subject = reading.has_subject(index + 1, second.end)
        if paired or low == "or" or (has_subject and reading.is_order(clause.start)):
            continue  # one of two is not what both say; "do that and I will"
        if not has_subject and reading.places(clause.start, index):
            continue
        if reading.low(before - 1) in (*_NOMINATIVES, reading.low(index + 1)):
            continue  # "he and Mary had", "faster and faster"
        if joins:
            yield SparePart(before, clause.end, reading.cost(index, clause.end) * _SECOND)
        if has_subject:
            yield SparePart(clause.start, index + 1, reading.cost(clause.start, index) * _FIRST)
