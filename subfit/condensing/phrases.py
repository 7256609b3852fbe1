"""What can be spared within a sentence where no comma sets it off."""

from __future__ import annotations

from collections.abc import Iterator

from subfit.condensing.clauses import Clause
from subfit.condensing.reading import Reading, SparePart

_CLOSE, _OF, _NESTED, _WITHIN = 0.3, 0.6, 0.8, 0.15
"""What is added for phrases that may belong to the verb, that say of what, that others hang on, and
that stand within a sentence."""
_MAIN_VERBS = ("do", "did", "does")
"""Auxiliaries that a phrase may stand behind: there they are none."""
_OF_NOUNS = ("with", "of")
"""What opens a phrase that most often hangs on the noun before it."""
_NOMINATIVES = ("i", "he", "she", "we", "they", "you")
_LONGEST_PHRASE = 7
_LONGEST_COMPARED = 4
"""Words from "the same" to its "as"."""


def hanging(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """Phrases that open with a preposition, relative and adverbial clauses."""
    words = reading.words
    for index in range(clause.start + 1, clause.end - 1):
        if not _may_hang(reading, index):
            continue
        low = reading.low(index)
        if _is_needed(reading, clause, index):
            continue
        more = (_CLOSE if low in words.close_prepositions else 0.0) + (_OF if low == "of" else 0.0)
        clausal = low in words.relatives or low in words.subordinators
        is_clause = clausal or reading.low(index + 1) in words.relatives
        end = None if is_clause else _phrase_end(reading, clause, index)
        if end is not None:
            behind = reading.low(end) if end < clause.end else ""
            within = _NESTED if behind in words.prepositions else _WITHIN if behind else 0.0
            if behind in _OF_NOUNS or (low == "with" and behind in words.prepositions):
                continue  # "for a man with a boat", "with a book on it"
            verb = words.is_verb(reading.low(end + 1)) or reading.has_subject(end + 1, clause.end)
            if verb or behind not in words.coordinators:  # else half of "wife and children"
                yield SparePart(index, end, reading.cost(index, end) + more + within)
        goes_on = end is not None and end < clause.end and words.is_verb(reading.low(end))
        if low != "of" and not goes_on:
            yield SparePart(index, clause.end, reading.cost(index, clause.end) + more)


def _is_needed(reading: Reading, clause: Clause, index: int) -> bool:
    """Whether what was said before needs a phrase: it says where something is put, what somebody is
    given, or what a negation is about."""
    words, low, before = reading.words, reading.low(index), range(clause.start, index)
    bound = low in words.bound_clauses or reading.low(index + 1) in words.bound_clauses
    if bound and any(map(reading.is_negated, before)):
        return True
    if low == "with" and any(reading.low(at) in words.giving for at in before):
        return True
    return low in words.prepositions and reading.places(clause.start, index)


def _may_hang(reading: Reading, index: int) -> bool:
    """Whether a phrase or clause that opens here can be taken off what stands before it."""
    words, low, before = reading.words, reading.low(index), reading.low(index - 1)
    behind = reading.tokens[index + 1]
    if not reading.tokens[index - 1].is_word or not behind.is_word:
        return False
    if before == behind.lower or any(
        reading.phrase(index, index + len(phrase.split())) == phrase
        for phrase in words.bound_phrases
    ):
        return False  # "one by one", "one at a time"
    gerund = low == "from" and reading.is_gerund(index + 1)  # "prevent her from going"
    if gerund or reading.phrase(index - 1, index + 1) in words.phrasal:
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
        name = reading.tokens[index - 1].is_capital and behind.is_capital
        counted = words.is_verb(before) or reading.is_number(index - 1)
        return before not in words.needs_of and not counted and not name
    verb = index - 1
    while reading.low(verb) in words.adverbs:
        verb -= 1
    if low in words.relatives:
        return before not in words.pronouns and not words.is_verb(reading.low(verb))
    if low == "as":
        compared = map(reading.low, range(index - _LONGEST_COMPARED, index + 2))
        pair = [at for at in range(index - _LONGEST_COMPARED, index) if reading.low(at) == low]
        return not pair and not words.needs_as.intersection(compared)
    if low in words.particles and words.is_verb(before) and before not in words.moving:
        return False  # "knocked down the wall"
    if low in words.subordinators:
        return not (low in ("when", "where") and words.is_verb(reading.low(verb)))
    is_verb = words.is_verb(behind.lower) and not reading.is_gerund(index + 1)
    openers = (words.determiners, words.pronouns, words.relatives)
    is_noun = behind.lower not in words.function or any(behind.lower in group for group in openers)
    return low in words.prepositions and is_noun and (behind.is_capital or not is_verb)


def _phrase_end(reading: Reading, clause: Clause, index: int) -> int | None:
    """Where a phrase ends that opens with a preposition: behind its noun; None if unclear."""
    words, tokens = reading.words, reading.tokens
    end = index + 1
    while end < clause.end and end - index < _LONGEST_PHRASE and tokens[end].is_word:
        low, before = reading.low(end), reading.low(end - 1)
        in_name = tokens[end].is_capital and tokens[end - 1].is_capital
        is_verb = words.is_verb(low) and before not in words.determiners and not in_name
        if end > index + 1 and is_verb and reading.is_gerund(end):
            return None  # "of the working group"
        if end > index + 1 and (low in words.function or is_verb or low in words.end_adverbs):
            break
        if end > index + 2 and low in words.numbers and reading.is_plain(end - 1):
            break  # "by a truck three days ago"
        end += 1
    else:
        if end < clause.end and tokens[end].is_word:
            return None
    last, behind = reading.low(end - 1), reading.low(end) if end < clause.end else ""
    opening, second = reading.low(index + 1), reading.low(index + 2)
    runs_on = behind in ("to", "of", "than", "that", *words.relatives) or (
        behind in words.subjects and behind != "there"
    )
    has_object = second in words.determiners or second in words.pronouns
    gerund = words.is_verb(opening) or (reading.is_gerund(index + 1) and has_object)
    named = tokens[index + 1].is_capital
    unclear = last in words.determiners or last in words.prepositions
    unclear = unclear or (last.endswith("ed") and reading.low(end - 2) in words.determiners)
    return None if end == index + 1 or runs_on or (gerund and not named) or unclear else end
