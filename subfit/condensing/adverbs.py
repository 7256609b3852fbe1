"""Adverbs, and times said like adverbs, that a sentence can spare."""

from __future__ import annotations

from collections.abc import Iterator

from subfit.condensing.clauses import Clause
from subfit.condensing.reading import CONTENT, Reading, SparePart

_ADVERB, _MANNER = 0.25, 0.7
_LONGEST = 3
_SHORTEST_ORDER = 2
"""Words that stay of "Try again."."""


def adverbs(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """Adverbs, also of several words."""
    words = reading.words
    for index in range(clause.start, clause.end):
        for end in range(index + 1, min(index + _LONGEST, clause.end) + 1):
            at_end = end == clause.end or not reading.tokens[end].is_word
            free = _is_free_at_end if at_end else _is_free
            if not free(reading, clause, index, end):
                continue
            phrase = reading.phrase(index, end)
            approximate = phrase in words.approximate and not at_end and reading.is_number(end)
            if phrase in words.adverbs or (at_end and phrase in words.end_adverbs) or approximate:
                yield SparePart(index, end, _ADVERB)
            graded = reading.low(end - 2) in words.grading
            if words.is_manner(reading.low(end - 1)) and end == index + (2 if graded else 1):
                yield SparePart(index, end, _MANNER)


def times(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """When something is, said without a preposition: "last week"."""
    words = reading.words
    for index in range(clause.start + 1, clause.end - 1):
        is_time = reading.low(index) in words.which_times and reading.low(index + 1) in words.times
        before = reading.low(index - 1)
        ends = (before in words.pronouns and before != "one") or before in words.end_adverbs
        follows = reading.tokens[index - 1].is_word and (ends or before not in words.function)
        if is_time and follows:
            yield SparePart(index, index + 2, CONTENT)


def _is_free(reading: Reading, clause: Clause, start: int, end: int) -> bool:
    """Whether nothing leans on an adverb within a sentence: no "so that", no "rather than"."""
    words, behind = reading.words, reading.low(end)
    before = reading.low(start - 1) if start > clause.start else ""
    low = reading.low(start)
    if reading.is_negated(start - 1) and start > clause.start and low not in words.after_not:
        return False
    if low in ("kind", "sort") and before in words.determiners:
        return False
    joins = start > clause.start and not reading.tokens[start - 1].is_word
    if low == "so" and (joins or "that" in map(reading.low, range(end, clause.end))):
        return False
    pro_form = low == "so" and words.is_verb(before) and before not in words.be
    acts = (words.subjects, words.auxiliaries, words.be, words.determiners)
    if low == "so" and start > clause.start and any(behind in act for act in acts):
        return False  # "so does my family", "or so he said"
    return not pro_form and behind not in words.adverb_for and before not in words.needs_adverb


def _is_free_at_end(reading: Reading, clause: Clause, start: int, end: int) -> bool:
    """The same where a clause ends: no "I think so", no "by now", no "I'm here"."""
    words, low = reading.words, reading.low(start)
    if start < clause.start + _SHORTEST_ORDER:
        return False  # all there is between marks, or almost: "Try again."
    before = reading.low(start - 1)
    if not reading.tokens[start - 1].is_word or not reading.has_verb(clause.start, start):
        return False  # a segment of its own
    leaning = (words.prepositions, words.coordinators, words.needs_end, words.needs_adverb)
    leans = any(before in phrases for phrases in leaning) or reading.is_negated(start - 1)
    if low == "still" and not reading.is_negated(start - 1):
        return False  # "stand still"
    pro_form = low == "so" or (low == "there" and before in words.verbs)
    verb = start - 1
    while verb > clause.start and reading.low(verb) in (*words.adverbs, *words.end_adverbs):
        verb -= 1
    return not (leans or pro_form or before in words.determiners or reading.is_be(verb))
