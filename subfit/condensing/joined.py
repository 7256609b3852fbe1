"""One of two things that "and" or "but" joins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

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
        paired = any(reading.low(each) in words.pairing for each in range(clause.start, index))
        second = next(each for each in clause.segments if index + 1 < each.end)
        has_subject = reading.has_subject(index + 1, second.end)
        if paired or low == "or" or (has_subject and reading.is_order(clause.start)):
            continue  # one of two is not what both say; "do that and I will"
        if not has_subject and (
            reading.places(clause.start, index) or _ends_list(reading, clause, index)
        ):
            continue
        if not has_subject and _may_join_adjectives(reading, before - 1, index + 1):
            continue
        if reading.low(before - 1) in (*_NOMINATIVES, reading.low(index + 1)):
            continue  # "he and Mary had", "faster and faster"
        if joins:
            yield SparePart(before, clause.end, reading.cost(index, clause.end) * _SECOND)
        if has_subject:
            yield SparePart(clause.start, index + 1, reading.cost(clause.start, index) * _FIRST)


def _may_join_adjectives(reading: Reading, before: int, behind: int) -> bool:
    """Whether "and" may stand between two adjectives of one noun: "a good and honest man"."""
    words, following = reading.words, reading.low(behind + 1)
    first = reading.low(before - 1)
    opens = first in words.determiners or first in words.prepositions or first == "of"
    plain = reading.is_plain(before) and reading.low(behind) not in words.function
    verb = words.is_verb(reading.low(behind)) or words.is_verb(following)
    noun = bool(following) and reading.tokens[behind + 1].is_word
    return opens and plain and not verb and noun and following not in words.function


def _ends_list(reading: Reading, clause: Clause, index: int) -> bool:
    """Whether "and" stands before the last of three or more."""
    for before, segment in pairwise(clause.segments):
        if segment.start == index and before is not clause.segments[0]:
            return not reading.has_verb(before.start, before.end)
        if segment.start < index < segment.end:
            opening, words = reading.low(reading.next_word(segment.start)), reading.words
            opens = opening in words.prepositions or opening in words.subordinators
            return not opens and not reading.has_verb(segment.start, index)
    return False
