"""A text as the rules of condensation read it."""

from __future__ import annotations

import pytest

from subfit.condensing.clauses import clauses_of, tokens_of
from subfit.condensing.reading import CONTENT, FUNCTION, NAME, Reading
from subfit.condensing.words import word_classes


def reading(text: str) -> Reading:
    words = word_classes("en")
    assert words is not None
    tokens = tokens_of(text)
    return Reading(tokens, clauses_of(text, tokens, "en"), words)


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("the old lighthouse", False),
        ("we close the lighthouse", True),
        ("because it rains", True),
        ("in the garden", False),
        ("she is late", True),
    ],
)
def test_a_clause_needs_a_verb(text: str, has: bool) -> None:
    one = reading(text)
    assert one.has_verb(0, len(one.tokens)) == has


def test_names_have_a_capital_and_are_no_function_words() -> None:
    one = reading("we saw Walter and The ship")
    names = [token.text for at, token in enumerate(one.tokens) if one.is_name(at)]
    assert names == ["Walter"]


@pytest.mark.parametrize(
    ("text", "cost"),
    [("the", FUNCTION), ("ship", CONTENT), ("saw Walter", CONTENT + NAME), ("12", NAME), (",", 0)],
)
def test_what_is_lost_is_counted_by_what_words_mean(text: str, cost: float) -> None:
    one = reading(text)
    assert one.cost(0, len(one.tokens)) == pytest.approx(cost)


def test_places_beyond_the_text_are_empty() -> None:
    one = reading("we saw it")
    assert (one.low(-1), one.low(99)) == ("", "")
    assert not one.is_name(99)
    assert one.phrase(0, 3) == "we saw it"


@pytest.mark.parametrize(
    ("word", "gerund"), [("going", True), ("sing", False), ("king", False), ("asking", True)]
)
def test_gerunds_have_a_vowel_before_their_ending(word: str, gerund: bool) -> None:
    assert reading(word).is_gerund(0) == gerund


def test_negations_are_known_contracted_too() -> None:
    one = reading("I don't know, never")
    assert [token.text for at, token in enumerate(one.tokens) if one.is_negated(at)] == [
        "don't",
        "never",
    ]
