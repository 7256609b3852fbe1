"""REP and DROP against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from subfit.evaluation.adequacy import (
    Words,
    drop_score,
    rep_score,
    scored_words,
)


class ByName:
    """Aligns words that are spelt alike."""

    def aligned_sources(self, source: Words, target: Words) -> frozenset[int]:
        return frozenset(index for index, word in enumerate(source) if word in target)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("a b c d", "a b c d", 0.0),
        # "a b" stands twice, once in the reference: 1 of 4 words.
        ("a b a b", "a b c d", 100 * 1 / 4),
        # "a a" stands once: no bigram is there twice, but a word is repeated: 2 of 4 words.
        ("a a b c", "a b c d", 100 * 2 / 4),
        # "a a" stands three times: 3 as a bigram and 2 x 3 as a word in a row, 9 of 4 words.
        ("a a a a", "a b c d", 100 * 9 / 4),
        # The reference says it as often.
        ("no no no", "no no no", 0.0),
        # Half as long: e^(4/2 - 1) times 2 of 4 words.
        ("a a", "a b c d", math.e * 100 * 2 / 4),
        # Longer than the reference is not punished by the brevity penalty.
        ("a a b c d e f g", "a b c d", 100 * 2 / 4),
        ("", "a b", 0.0),
    ],
)
def test_rep_is_what_the_formula_gives(hypothesis: str, reference: str, expected: float) -> None:
    assert rep_score([hypothesis], [[reference]]) == pytest.approx(expected)


def test_rep_is_of_all_lines_together() -> None:
    score = rep_score(["a b a b", "c d"], [["a b x y"], ["c d"]])
    assert score == pytest.approx(100 * 1 / 6)


def test_rep_allows_what_any_reference_repeats() -> None:
    assert rep_score(["so so x"], [["so x y", "so so x"]]) == 0.0
    assert rep_score(["so so x"], [["so x y", "x y so"]]) == pytest.approx(100 * 2 / 3)


@pytest.mark.parametrize(
    ("source", "hypothesis", "reference", "expected"),
    [
        ("a b c d", "a b c d", "a b c d", 0.0),
        # The reference says four source words, the hypothesis lacks one of them.
        ("a b c d", "a b c x", "a b c d", 25.0),
        # What the reference leaves out may be left out.
        ("a b c d", "a b x x", "a b y y", 0.0),
        # Twice as long as the reference: e^(8/4 - 1) times one in four.
        ("a b c d", "a b c x x x x x", "a b c d", math.e * 25),
        # Shorter is not punished besides.
        ("a b c d", "a b", "a b c d", 50.0),
        ("a b", "x", "y", 0.0),
    ],
)
def test_drop_is_what_the_formula_gives(
    source: str, hypothesis: str, reference: str, expected: float
) -> None:
    assert drop_score([source], [hypothesis], [[reference]], ByName()) == pytest.approx(expected)


def test_drop_sums_over_lines_before_it_divides() -> None:
    score = drop_score(["a", "b c d"], ["x", "b c d"], [["a"], ["b c d"]], ByName())
    assert score == pytest.approx(100 * 1 / 4)


def test_drop_asks_for_what_any_reference_says() -> None:
    assert drop_score(["a b"], ["a x"], [["a x", "y b"]], ByName()) == pytest.approx(50.0)


def test_words_are_in_lower_case_and_without_their_marks() -> None:
    assert scored_words("Nein, Anna!") == ("nein", ",", "anna", "!")


def test_empty_references_are_refused() -> None:
    with pytest.raises(ValueError, match="no words"):
        rep_score(["a"], [[""]])
    with pytest.raises(ValueError, match="2 hypotheses"):
        rep_score(["a", "b"], [["a"]])
