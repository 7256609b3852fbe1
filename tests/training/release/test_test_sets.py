"""What a length limit costs, apart from references that break it themselves."""

from __future__ import annotations

import pytest

from subfit.evaluation.corpus import Pair
from subfit.training.release.test_sets import compliant_references, cut_references

LINES = (
    Pair("toy", "The cat sleeps on it.", "Die Katze liegt darauf."),  # 21 and 23 characters
    Pair("toy", "It rains.", "Es regnet gerade ziemlich stark."),
)


def test_lines_with_longer_references_do_not_count():
    found = compliant_references(["Die Katze liegt darauf.", "Nass."], LINES)
    assert found["lines"] == 1
    assert found["quality"]["bleu"]["value"] == pytest.approx(100)
    assert compliant_references(["Nass."], LINES[1:]) is None


def test_references_are_cut_after_the_last_word_that_fits():
    whole, cut = cut_references(LINES, (23, 32)), cut_references(LINES, (23, 17))
    assert whole["chrf"]["value"] == pytest.approx(100)
    # "Es regnet gerade" is left of the second: 7 of 9 words, each of them right.
    assert cut["bleu"]["value"] < cut["bleu_star"]["value"]
    assert cut["bleu_star"]["value"] == pytest.approx(100)


def test_a_reference_without_a_word_that_fits_is_empty():
    assert cut_references(LINES[:1], (2,))["bleu"]["value"] == 0
