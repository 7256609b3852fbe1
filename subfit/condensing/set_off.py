"""What can be spared of a text as its marks part it: sentences, and what stands between commas."""

from __future__ import annotations

from collections.abc import Iterator

from subfit.condensing.clauses import Clause, Segment
from subfit.condensing.reading import CONTENT, FUNCTION, Reading, SparePart

_FILLER, _ADDRESS = 0.1, 0.35
_FIRST_CLAUSE, _LAST, _MIDDLE, _BRACKETS = 1.3, 1.05, 1.1, 0.6
"""Multiples of what the words cost."""
_LONGEST_ADDRESS = 3


def sentence(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """One of several sentences."""
    if len(reading.clauses) > 1:
        cost = reading.cost(clause.start, clause.end)
        if reading.phrase(clause.start, clause.end) in reading.words.answers:
            cost = CONTENT
        elif reading.is_filler(clause):
            cost = _FILLER + FUNCTION
        yield SparePart(clause.opened, clause.closed, cost + FUNCTION)


def segments(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """What commas set off: fillers, addresses, what opens, closes or interrupts a sentence."""
    if len(clause.segments) < 2:
        return
    first, last = clause.segments[0], clause.segments[-1]
    for segment in clause.segments:
        cost = _cost(reading, clause, segment)
        if cost is None:
            continue
        if segment is first:
            yield SparePart(segment.start, clause.segments[1].start, cost)
        else:
            both = segment is not last and _interrupts(reading, clause, segment)
            yield SparePart(segment.start - 1, segment.end + both, cost)


def brackets(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """What stands in parentheses."""
    opened = None
    for index in range(clause.opened, clause.closed):
        if reading.tokens[index].text == "(":
            opened = index
        elif reading.tokens[index].text == ")" and opened is not None:
            yield SparePart(opened, index + 1, reading.cost(opened, index) * _BRACKETS)
            opened = None


def _cost(reading: Reading, clause: Clause, segment: Segment) -> float | None:
    """What leaving a segment out costs; None if it must stay."""
    is_first, is_last = segment is clause.segments[0], segment is clause.segments[-1]
    if is_last and ends_in_tag(reading, clause):
        return None  # goes with its question mark, or not at all
    if reading.is_filler(segment):
        return _FILLER
    if (is_first or is_last) and is_address(reading, segment):
        says = reading.has_verb(segment.end, clause.end)  # else what follows only describes them
        lists_names = reading.is_name(reading.next_word(segment.end))
        return None if is_first and (lists_names or not says) else _ADDRESS
    words, opening = reading.words, reading.low(segment.start)
    if opening in words.answers:
        return None
    cost = reading.cost(segment.start, segment.end)
    if is_first:
        factor = _factor_of_first(reading, segment)
    else:
        factor = None if _stays(reading, clause, segment) else _LAST if is_last else _MIDDLE
    return None if factor is None else cost * factor


def _factor_of_first(reading: Reading, segment: Segment) -> float | None:
    """What times its words it costs to leave out what opens a sentence; None if it must stay."""
    words, opening = reading.words, reading.low(segment.start)
    behind = reading.next_word(segment.end)
    following = reading.low(behind)
    acts = reading.has_verb(segment.start + 1, segment.end)
    if opening in words.subordinators or (opening in words.prepositions and not acts):
        return 1.0
    ordered = following in words.coordinators and reading.is_order(segment.start)
    if following == "or" or ordered:
        return None
    joined = following in words.coordinators or following in words.adversative
    ends_in = following == "so" and reading.low(behind + 1) != "that"
    return _FIRST_CLAUSE if joined or ends_in else None


def _stays(reading: Reading, clause: Clause, segment: Segment) -> bool:
    """Whether a segment behind the first one must stay."""
    words, opening = reading.words, reading.low(segment.start)
    is_last = segment is clause.segments[-1]
    if opening in ("or", "to") or (opening in words.coordinators and not is_last):
        return True
    if opening in words.adversative or opening in words.be or opening in words.auxiliaries:
        return True
    ends = (reading.low(other.end - 1) for other in clause.segments if other.end < segment.start)
    if any(word in words.auxiliaries or word in words.be for word in ends):
        return True
    return _says_first(reading, clause, segment) or _corrects(reading, clause, segment)


def _says_first(reading: Reading, clause: Clause, segment: Segment) -> bool:
    """Whether a segment is the first main clause, behind fillers or the like."""
    words, opening = reading.words, reading.low(segment.start)
    openers = (words.relatives, words.prepositions, words.subordinators, words.conditions)
    said = any(
        reading.has_verb(other.start, other.end)
        for other in clause.segments
        if other.start < segment.start and not any(reading.low(other.start) in o for o in openers)
    )
    opens = any(opening in phrases for phrases in openers)
    return not said and not opens and reading.has_verb(segment.start, segment.end)


def _interrupts(reading: Reading, clause: Clause, segment: Segment) -> bool:
    """Whether the commas on both sides of a segment belong to it."""
    words, opening = reading.words, reading.low(segment.start)
    same = reading.tokens[segment.start - 1].text == reading.tokens[segment.end].text
    first, following = clause.segments[0], reading.low(segment.end + 1)
    acts = words.is_verb(following) or following in (*words.adverbs, *words.hedges)
    if same and acts and not words.is_verb(opening):
        return True  # parts a subject from its verb
    if segment is clause.segments[1] and (reading.is_filler(first) or is_address(reading, first)):
        return False
    if not same:
        return False
    if reading.low(segment.start - 2) == reading.low(segment.end + 1):
        return False  # a stutter
    openers = (words.relatives, words.prepositions, words.subordinators)
    return reading.is_filler(segment) or any(opening in phrases for phrases in openers)


def ends_in_tag(reading: Reading, clause: Clause) -> bool:
    """Tell whether a sentence asks for assent at its end."""
    last = clause.segments[-1]
    asks = clause.closed > clause.end and reading.tokens[clause.end].text.startswith("?")
    return asks and reading.phrase(last.start, last.end) in reading.words.tags


def _corrects(reading: Reading, clause: Clause, segment: Segment) -> bool:
    """Whether a segment says what is so where the one before says what is not: "it was you"."""
    before = range(clause.start, segment.start)
    own = reading.has_subject(segment.start, segment.end)
    return own and any(map(reading.is_negated, before))


def is_address(reading: Reading, segment: Segment) -> bool:
    """Tell whether a segment is what somebody is called by."""
    tokens = reading.tokens[segment.start : segment.end]
    if len(tokens) > _LONGEST_ADDRESS or not all(token.is_word for token in tokens):
        return False
    words, behind = reading.words, reading.low(reading.next_word(segment.end))
    if behind in words.relatives or tokens[0].lower in words.determiners:
        return False
    if tokens[-1].lower in words.addresses:
        return True
    return all(reading.is_name(at) for at in range(segment.start, segment.end))
