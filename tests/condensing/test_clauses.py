"""A text as words and marks, and its sentences."""

from __future__ import annotations

from subfit.condensing.clauses import tokens_of
from tests.condensing.shortened import shortened


def test_abbreviations_times_and_possessives_are_words() -> None:
    tokens = tokens_of("Mr. Finch's boat left at 9:45 a.m., he said...")
    assert [token.text for token in tokens] == (
        ["Mr.", "Finch's", "boat", "left", "at", "9:45", "a.m.", ",", "he", "said", "..."]
    )
    assert [token.is_word for token in tokens[-4:]] == [False, True, True, False]


def test_abbreviations_do_not_end_sentences() -> None:
    assert "Mr. Finch lives here." in shortened("Mr. Finch lives here with Dr. Owl.")
    assert all("Dr." in each or "Owl" not in each for each in shortened("He met Dr. Owl. We left."))
