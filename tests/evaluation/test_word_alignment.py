"""Alignment learned from a few sentences."""

from __future__ import annotations

import sys

import pytest

from subfit.errors import UsageError
from subfit.evaluation.metrics import Drop, Lines, learn_alignment, scored_words

PAIRS = [
    ("the house is green", "das Haus ist grün"),
    ("the dog is big", "der Hund ist groß"),
    ("a green dog", "ein grüner Hund"),
    ("the house", "das Haus"),
    ("is the dog green", "ist der Hund grün"),
]


def test_a_dropped_word_is_found() -> None:
    pytest.importorskip("systran_align")
    aligner = learn_alignment([(scored_words(s), scored_words(t)) for s, t in PAIRS * 20])
    source, whole, cut = "the house is green", "das Haus ist grün", "das Haus"
    assert aligner.aligned_sources(scored_words(source), scored_words(whole)) == {0, 1, 2, 3}
    metric = Drop(lambda _: aligner)
    for text, least, most in ((whole, 0, 0), (cut, 20, 100)):
        rows = metric.statistics(Lines([source], [[whole]], [text]))
        assert least <= metric.value(rows) <= most
    assert aligner.aligned_sources((), ("das",)) == frozenset()


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "systran_align", None)
    with pytest.raises(UsageError, match=r"subfit\[adequacy\]"):
        learn_alignment([])
