"""One training pair in pieces."""

from __future__ import annotations

from dataclasses import replace

from subfit.training.data.example import Example

ONE = Example("a", [1, 2, 3], [4], 9, 3, "de", fertilities=(1, 0, 0))
OTHER = Example("b", [5], [6, 7], 4, 5, "de", weight=0.5, fertilities=(2,))


def test_two_examples_are_one_text_with_a_space_between() -> None:
    both = ONE.followed_by(OTHER)
    assert (both.source, both.target) == ([1, 2, 3, 5], [4, 6, 7])
    assert (both.source_characters, both.target_characters) == (14, 9)
    assert (both.corpus, both.weight, both.fertilities) == ("a", 0.5, (1, 0, 0, 2))
    assert (both.tokens, both.bucket) == (4, (2, 1))


def test_a_form_of_address_is_told_if_both_agree() -> None:
    formal, informal = (replace(OTHER, formality=form) for form in ("formal", "informal"))
    assert ONE.followed_by(formal).formality == "formal"
    assert formal.followed_by(informal).formality is None


def test_fertilities_that_one_lacks_are_not_known() -> None:
    assert ONE.followed_by(replace(OTHER, fertilities=None)).fertilities is None
