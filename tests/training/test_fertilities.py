"""How many target pieces stand for each source piece."""

from __future__ import annotations

import pytest

from subfit.training.dataset import Example
from subfit.training.lexicon import aligned_fertilities, most_aligned

HOUSE, DOG, CAT, TRAIN_STATION = 11, 12, 13, 14
WORDS = {HOUSE: [41], DOG: [42], CAT: [43], TRAIN_STATION: [44, 45]}


def example(*source: int, fertilities: tuple[int, ...] | None = None) -> Example:
    target = [piece for word in source for piece in WORDS.get(word, [])]
    return Example("toy", list(source), target, 1, 1, fertilities=fertilities)


def test_a_piece_that_is_translated_by_two_has_a_fertility_of_two() -> None:
    pytest.importorskip("systran_align")
    corpus = [
        example(HOUSE, DOG),
        example(DOG, TRAIN_STATION),
        example(TRAIN_STATION, HOUSE, CAT),
        example(CAT),
        example(HOUSE),
    ] * 20
    found = aligned_fertilities(corpus, most=1000)
    assert found[:3] == [(1, 1), (1, 2), (2, 1, 1)]
    assert [len(each) for each in found] == [len(each.source) for each in corpus]
    assert aligned_fertilities(corpus, most=1000) == found


def test_the_most_that_a_piece_was_aligned_with_is_kept() -> None:
    corpus = [
        example(HOUSE, DOG, fertilities=(1, 3)),
        example(DOG, HOUSE, HOUSE, fertilities=(2, 0, 4)),
        example(CAT),  # joined with a varied one, perhaps: nothing is known
    ]
    most = most_aligned(corpus, pieces=20)
    assert (most[HOUSE], most[DOG], most[CAT], len(most)) == (4, 3, 0, 20)
