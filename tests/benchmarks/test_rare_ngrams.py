"""Rare n-grams, counted by hand."""

from __future__ import annotations

from benchmarks.rare_ngrams import rare_ngrams


def test_rare_ngrams_are_counted_by_their_count_in_training() -> None:
    counts = rare_ngrams(["the red fox"], ["a red fox"], ["a fox", "the fox"], longest=2, most=2)
    assert counts == {0: 2, 1: 0, 2: 1}  # "red" and "red fox"; none; "fox"
