"""Learning which pieces translate each other."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.model.lexicon import LexicalTable
from subfit.training.dataset import Example
from subfit.training.lexicon import (
    aligned_fertilities,
    learn_table,
    most_aligned,
)

TRANSLATIONS = {
    "the": "das",
    "a": "ein",
    "house": "haus",
    "book": "buch",
    "door": "tor",
    "small": "kleine",
    "red": "rote",
    "old": "alte",
    "opens": "öffnet",
    "falls": "fällt",
}
SOURCE_WORDS, TARGET_WORDS = list(TRANSLATIONS), [*TRANSLATIONS.values(), "um"]
SENTENCES = st.lists(
    st.tuples(st.lists(st.integers(0, 9), max_size=6), st.lists(st.integers(0, 9), max_size=6)),
    max_size=8,
)


def toy_corpus(sentences: int = 200) -> tuple[list[list[int]], list[list[int]]]:
    """Noun phrases with a verb, word for word; some targets end in a word of nothing (10)."""
    chooser = random.Random(1)
    sources = [
        [chooser.choice(group) for group in ((0, 1), (5, 6, 7), (2, 3, 4), (8, 9))]
        for _ in range(sentences)
    ]
    return sources, [[*source, 10][: chooser.randint(4, 5)] for source in sources]


@pytest.fixture(scope="module")
def table() -> LexicalTable:
    return learn_table(*toy_corpus(), (10, 11))


@pytest.mark.parametrize("word", range(10))
def test_known_translations_are_found(word: int, table: LexicalTable) -> None:
    (best, probability), *_ = table.translations(word)
    assert TRANSLATIONS[SOURCE_WORDS[word]] == TARGET_WORDS[best]
    assert probability > 0.5


@given(SENTENCES)
def test_a_table_is_a_distribution_whatever_the_pairs(pairs: list) -> None:
    sources, targets = [each for each, _ in pairs], [each for _, each in pairs]
    table = learn_table(sources, targets, (10, 10))
    together = {
        (s, t) for source, target in pairs for s in source for t in target if source and target
    }
    for word in range(10):
        found = table.translations(word)
        assert sum(probability for _, probability in found) <= 1 + 1e-4
        assert [p for _, p in found] == sorted((p for _, p in found), reverse=True)
        assert {(word, target) for target, _ in found} <= together


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
