"""Words of a language, as condensing knows them."""

from __future__ import annotations

import pytest

from subfit.condensing.words import word_classes

WORDS = word_classes("en-GB")


@pytest.mark.parametrize(
    ("word", "verb"), [("went", True), ("he'll", True), ("she's", True), ("boat", False)]
)
def test_verbs_are_known_in_their_forms_and_run_together(word: str, verb: bool) -> None:
    assert WORDS is not None and WORDS.is_verb(word) is verb


@pytest.mark.parametrize(("word", "manner"), [("quickly", True), ("only", False), ("boat", False)])
def test_adverbs_of_manner_are_told_by_their_ending(word: str, manner: bool) -> None:
    assert WORDS is not None and WORDS.is_manner(word) is manner


def test_other_languages_have_no_lists() -> None:
    assert word_classes("de") is None
