"""How like two sources are."""

from __future__ import annotations

import pytest

from subfit.memory.entry import NEARLY, similarity, words_and_marks


def test_words_and_marks_are_counted_in_small_letters() -> None:
    assert words_and_marks("Don’t go, Mr. Bell!") == ["don't", "go", ",", "mr", ".", "bell", "!"]


@pytest.mark.parametrize(
    ("one", "other", "like"),
    [
        ("Go on.", "Go  on.", 1.0),
        ("“Go on.”", '"Go on."', 1.0),
        ("Go on.", "go on.", NEARLY),
        ("The boat is red.", "The boat is blue.", 0.8),
        ("Yes", "No", 0.0),
    ],
)
def test_similarity_is_one_less_the_share_of_edits(one: str, other: str, like: float) -> None:
    assert similarity(one, other) == pytest.approx(like)
    assert similarity(other, one) == pytest.approx(like)
