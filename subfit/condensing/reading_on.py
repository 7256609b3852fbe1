"""Whether a reader goes on where something was left out, without stumbling.

A translator finds the translation of a broken sentence less likely, and takes another
condensation. Where the text itself is read nothing does that; so what the rules leave out is looked
at once more.
"""

from __future__ import annotations

from subfit.condensing.reading import Reading, SparePart

_OBJECTS = ("it", "me", "him", "her", "us", "them")
_LET = ("let", "let's", "lets")
_FAR = 3
"""Words from a determiner to the end of what it opens."""


def reads_on(reading: Reading, part: SparePart) -> bool:
    """Tell whether what stands around a part can follow each other."""
    before, after = reading.low(part.start - 1), reading.low(part.end)
    if part.end == part.start + 1 and "-" in reading.low(part.start):
        return False  # "read-only" is no adverb
    words = reading.words
    acts = words.is_verb(after) and after not in words.auxiliaries and after not in words.be
    if acts and (before in _OBJECTS or _is_full_verb(reading, part.start - 1)):
        return False  # "go to a folder called X", "tune it on your data set"
    begins = after in _LET or reading.has_subject(part.end, part.end + 2)
    if reading.low(part.start) == "so" and begins and reading.tokens[part.end - 1].is_word:
        return False  # "we are so happy so let's go"
    if _is_passive(reading, part.start - 1) and reading.low(part.start) in words.prepositions:
        return False  # "is shown by a line"
    if words.is_manner(before) and reading.low(part.start) in words.prepositions:
        return False  # "strictly in one direction"
    return not (_opens_with_relative(reading, part) or _opens_with_verb(reading, part))


def is_apposition(reading: Reading, start: int) -> bool:
    """Tell whether a name between commas says who is meant: "my brother, Tom".

    Args:
        reading: The text.
        start: The name's first token.
    """
    clause = reading.clause_at(start)
    if clause is None or start == clause.start:
        return False
    if not reading.has_verb(clause.start, start):
        return True
    if start + 1 == clause.end and reading.low(start) in reading.words.addresses:
        return False  # "It is not my fault, Captain."
    noun = range(max(clause.start, start - 1 - _FAR), start - 1)
    return any(reading.low(index) in reading.words.determiners for index in noun)


def _is_full_verb(reading: Reading, index: int) -> bool:
    low, words = reading.low(index), reading.words
    after_article = reading.low(index - 1) in words.determiners
    return low in words.verbs and not after_article


def _is_passive(reading: Reading, index: int) -> bool:
    """Whether a token is a participle behind a form of "be"."""
    low, words = reading.low(index), reading.words
    before = reading.low(index - 1)
    if before in words.adverbs or words.is_manner(before):
        before = reading.low(index - 2)
    is_form = low.endswith(("ed", "en", "wn")) or (low in words.verbs and not low.endswith("ing"))
    return is_form and (before in words.be or reading.is_contracted(index - 1))


def _opens_with_relative(reading: Reading, part: SparePart) -> bool:
    """Whether nothing is left before a clause that tells of it: "who lives in Spain, is ill"."""
    words, after = reading.words, reading.low(part.end)
    clause = reading.clause_at(part.start)
    if clause is None or after not in words.relatives:
        return False
    return part.start <= clause.start or not reading.has_verb(clause.start, part.start)


def _opens_with_verb(reading: Reading, part: SparePart) -> bool:
    """Whether a statement would begin with its verb: "are linked to it"."""
    words, after = reading.words, reading.low(part.end)
    clause = next((clause for clause in reading.clauses if clause.start == part.start), None)
    if clause is None or part.end >= clause.end:
        return False
    asks = any(token.text.startswith("?") for token in reading.tokens[clause.end : clause.closed])
    return not asks and (after in words.be or after in words.auxiliaries) and after != "do"
