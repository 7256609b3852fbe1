"""Learning which pieces translate each other."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.model.lexicon import LexicalTable
from subfit.training.lexicon import (
    learn_table,
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
