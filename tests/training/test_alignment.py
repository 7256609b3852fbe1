"""Learning which pieces translate each other."""

from __future__ import annotations

import random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from subfit.model.lexicon import LexicalTable
from subfit.training.lexicon import (
    NULL_SHARE,
    AlignmentSettings,
    PiecePairs,
    learn_table,
    link,
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


def test_pieces_are_counted_in_all_targets_and_unknown_ones_have_no_translation() -> None:
    sources, targets = [[0], [0], [1] * 50], [[3], [3, 4], [5] * 50]
    table = learn_table(sources, targets, (4, 6))
    assert table.counts.tolist() == [0, 0, 0, 2, 1, 50]  # the long pair counts, but teaches nothing
    assert table.translations(0)[0][0] == 3
    assert table.translations(1) == table.translations(3) == []


def test_only_the_best_translations_are_kept() -> None:
    sources, targets = toy_corpus()
    wide = learn_table(sources, targets, (10, 11))
    narrow = learn_table(sources, targets, (10, 11), AlignmentSettings(translations=2))
    for word in range(10):
        assert narrow.translations(word) == wide.translations(word)[:2]


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


@given(SENTENCES)
def test_every_target_piece_is_linked_to_every_source_piece_and_to_none(pairs: list) -> None:
    sources, targets = [each for each, _ in pairs], [each for _, each in pairs]
    links = link(PiecePairs.of(sources, targets, 6), 10, 10)
    expected = [
        (place, piece * 10 + target)
        for place, (source, target) in enumerate(
            (source, each) for source, whole in pairs if source for each in whole
        )
        for piece in (10, *source)
    ]
    assert list(zip(links.positions.tolist(), links.keys.tolist(), strict=True)) == expected
    sums = torch.zeros(links.target_pieces).scatter_add_(0, links.positions, links.priors)
    assert torch.allclose(sums, torch.ones_like(sums))
    null = links.keys >= 100
    assert (links.priors[null] == NULL_SHARE).all()
