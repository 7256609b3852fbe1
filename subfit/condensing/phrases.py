"""What can be spared within a sentence where no comma sets it off."""

from __future__ import annotations

from collections.abc import Iterator

from subfit.condensing.clauses import Clause
from subfit.condensing.reading import CONTENT, Reading, SparePart

_ADVERB, _MANNER, _MODIFIER = 0.25, 0.7, 1.1
_CLOSE, _OF, _NESTED, _WITHIN = 0.3, 0.6, 0.8, 0.15
"""What is added for phrases that may belong to the verb, that say of what, that others hang on, and
that stand within a sentence."""
_SECOND, _FIRST = 1.1, 1.2
"""Multiples of what the words of one of two clauses cost."""
_MAIN_VERBS = ("do", "did", "does")
"""Auxiliaries that a phrase may stand behind: there they are none."""
_LONGEST_ADVERB = 3
_LONGEST_PHRASE = 7


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
        if joins:
            yield SparePart(before, clause.end, reading.cost(index, clause.end) * _SECOND)
        if has_subject:
            yield SparePart(clause.start, index + 1, reading.cost(clause.start, index) * _FIRST)


def adverbs(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """Adverbs, also of several words."""
    words = reading.words
    for index in range(clause.start, clause.end):
        for end in range(index + 1, min(index + _LONGEST_ADVERB, clause.end) + 1):
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


def hanging(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """Phrases that open with a preposition, relative and adverbial clauses."""
    words = reading.words
    for index in range(clause.start + 1, clause.end - 1):
        if not _may_hang(reading, index):
            continue
        low = reading.low(index)
        if low in words.bound_clauses and any(
            reading.is_negated(each) for each in range(clause.start, index)
        ):
            continue
        if low in words.prepositions and any(
            reading.low(each) in words.placing for each in range(clause.start, index)
        ):
            continue  # where something is put
        more = (_CLOSE if low in words.close_prepositions else 0.0) + (_OF if low == "of" else 0.0)
        clausal = low in words.relatives or low in words.subordinators
        is_clause = clausal or reading.low(index + 1) in words.relatives
        end = None if is_clause else _phrase_end(reading, clause, index)
        if end is not None:
            behind = reading.low(end) if end < clause.end else ""
            nested = behind in words.prepositions or behind in words.relatives
            within = _NESTED if nested else _WITHIN if behind else 0.0
            verb = words.is_verb(reading.low(end + 1)) or reading.has_subject(end + 1, clause.end)
            if verb or behind not in words.coordinators:  # else half of "wife and children"
                yield SparePart(index, end, reading.cost(index, end) + more + within)
        goes_on = end is not None and end < clause.end and words.is_verb(reading.low(end))
        if low != "of" and not goes_on:
            yield SparePart(index, clause.end, reading.cost(index, clause.end) + more)


def modifiers(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """What stands between an article and its noun."""
    words = reading.words
    for index in range(clause.start + 1, clause.end - 1):
        article, noun = reading.low(index - 1), reading.low(index + 1)
        behind = reading.low(index + 2) if index + 2 < clause.end else ""
        noun_ends = (
            not behind
            or not reading.tokens[index + 2].is_word
            or behind in words.function
            or words.is_verb(behind)
        )
        if (
            (article in words.determiners and article not in words.not_articles and noun_ends)
            and (_is_plain(reading, index) and not reading.low(index).endswith(("s", "est")))
            and (_is_plain(reading, index + 1) and not words.is_verb(noun))
            and not (noun in words.adverbs or noun in words.end_adverbs or words.is_manner(noun))
        ):
            yield SparePart(index, index + 1, _MODIFIER)


def _is_free(reading: Reading, clause: Clause, start: int, end: int) -> bool:
    """Whether nothing leans on an adverb within a sentence: no "so that", no "rather than"."""
    words, behind = reading.words, reading.low(end)
    before = reading.low(start - 1) if start > clause.start else ""
    low = reading.low(start)
    if reading.is_negated(start - 1) and start > clause.start and low not in words.after_not:
        return False
    if low in ("kind", "sort") and before in words.determiners:
        return False
    if low == "so" and "that" in map(reading.low, range(end, clause.end)):
        return False
    pro_form = low == "so" and words.is_verb(before) and before not in words.be
    return not pro_form and behind not in words.adverb_for and before not in words.needs_adverb


def _is_free_at_end(reading: Reading, clause: Clause, start: int, end: int) -> bool:
    """The same where a clause ends: no "I think so", no "by now", no "I'm here"."""
    words, low = reading.words, reading.low(start)
    if start == clause.start:
        return False  # all there is between marks
    before = reading.low(start - 1)
    if not reading.tokens[start - 1].is_word:
        return False  # a segment of its own
    leaning = (words.prepositions, words.coordinators, words.needs_end)
    leans = any(before in each for each in leaning) or reading.is_negated(start - 1)
    pro_form = low == "so" or (low == "there" and before in words.verbs)
    return not (leans or pro_form or before in words.determiners or reading.is_be(start - 1))


def _may_hang(reading: Reading, index: int) -> bool:
    """Whether a phrase or clause that opens here can be taken off what stands before it."""
    words, low, before = reading.words, reading.low(index), reading.low(index - 1)
    behind = reading.tokens[index + 1]
    if not reading.tokens[index - 1].is_word or not behind.is_word:
        return False
    if before in words.function and before not in words.pronouns and before not in _MAIN_VERBS:
        return False
    if (
        before in words.needs_phrase
        or before in words.bound_verbs
        or reading.is_contracted(index - 1)
    ):
        return False
    if low == "to":
        is_noun = behind.lower in words.determiners or behind.lower in words.pronouns
        return before not in words.verbs_to and (is_noun or behind.is_capital)
    if low == "of":
        return before not in words.needs_of and not words.is_verb(before)
    if low in words.relatives:
        return before not in words.pronouns and not words.is_verb(before)
    if low == "as":
        return before not in words.needs_as
    if low in words.subordinators:
        return not (low in ("when", "where") and words.is_verb(before))
    is_verb = words.is_verb(behind.lower) and not behind.lower.endswith("ing")
    openers = (words.determiners, words.pronouns, words.relatives)
    is_noun = behind.lower not in words.function or any(behind.lower in each for each in openers)
    return low in words.prepositions and is_noun and (behind.is_capital or not is_verb)


def _phrase_end(reading: Reading, clause: Clause, index: int) -> int | None:
    """Where a phrase ends that opens with a preposition: behind its noun; None if unclear."""
    words, tokens = reading.words, reading.tokens
    end = index + 1
    while end < clause.end and end - index < _LONGEST_PHRASE and tokens[end].is_word:
        low, before = reading.low(end), reading.low(end - 1)
        in_name = tokens[end].is_capital and tokens[end - 1].is_capital
        is_verb = words.is_verb(low) and before not in words.determiners and not in_name
        if end > index + 1 and (low in words.function or is_verb or low in words.end_adverbs):
            break
        end += 1
    else:
        if end < clause.end and tokens[end].is_word:
            return None
    last = reading.low(end - 1)
    runs_on = end < clause.end and reading.low(end) in ("to", "of", "that")
    gerund = words.is_verb(reading.low(index + 1)) and not tokens[index + 1].is_capital
    unclear = last in words.determiners or last in words.prepositions
    return None if end == index + 1 or runs_on or gerund or unclear else end


def _is_plain(reading: Reading, index: int) -> bool:
    """Whether a word has a meaning of its own and is neither number nor name."""
    token, words = reading.tokens[index], reading.words
    closed = (words.function, words.numbers, words.telling)
    is_closed = any(token.lower in each for each in closed)
    return token.text.isalpha() and not token.is_capital and not is_closed
