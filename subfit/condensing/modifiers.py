"""Adjectives that a noun can spare."""

from __future__ import annotations

from collections.abc import Iterator

from subfit.condensing.clauses import Clause
from subfit.condensing.reading import Reading, SparePart

_MODIFIER = 1.1


def modifiers(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    """Adjectives between an article and its noun, or behind "something"."""
    words = reading.words
    for index in range(clause.start + 1, clause.end):
        if not words.is_adjective(reading.low(index)) or not reading.is_plain(index):
            continue
        before = reading.low(index - 1)
        article = before in words.determiners and before not in words.not_articles
        if before in words.described and reading.low(index + 1) != "and":
            yield SparePart(index, index + 1, _MODIFIER)
        elif article and index + 1 < clause.end and _is_noun_alone(reading, clause, index + 1):
            is_news = reading.is_be(index - 2) or reading.low(index - 2) == "what"
            if not is_news:  # "She is a good cook." says how she cooks
                yield SparePart(index, index + 1, _MODIFIER)


def _is_noun_alone(reading: Reading, clause: Clause, index: int) -> bool:
    """Whether a word is a noun that says something by itself, and the last one of its phrase."""
    words, low, behind = reading.words, reading.low(index), reading.low(index + 1)
    ends = (
        index + 1 == clause.end
        or not reading.tokens[index + 1].is_word
        or behind in words.function
        or words.is_verb(behind)
    )
    has_object = behind in words.determiners or behind in words.pronouns
    adverb = low in words.adverbs or low in words.end_adverbs or words.is_manner(low)
    is_noun = reading.is_plain(index) and not (words.is_verb(low) or has_object or adverb)
    return ends and is_noun and low not in words.bare_nouns
