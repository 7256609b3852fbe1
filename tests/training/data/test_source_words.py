"""Which words of a training text are names."""

from __future__ import annotations

import pytest

from subfit.evaluation.corpus import Pair
from subfit.model.source_words import SourceWords
from subfit.training.data.source_words import learn_source_words

LINES = [
    ("We saw Halloran and Rose in Rome.", "Wir haben Halloran und Rose in Rom gesehen."),
    ("Rose, this rose is for you!", "Rose, diese Rose ist für dich!"),
    ("He gave Rose a flower.", "Er hat Rose eine Blume gegeben."),
    ("Wells are deep.", "Brunnen sind tief."),
    ("Ask the Captain.", "Frag den Kapitän."),
    ("A hotel!", "Ein Hotel!"),
    ("The Hotel is shut, and the hotel is old.", "Das Hotel ist zu, und das Hotel ist alt."),
]


@pytest.fixture(scope="module")
def words() -> SourceWords:
    return SourceWords.of(learn_source_words([Pair("toy", *line) for line in LINES]))


@pytest.mark.parametrize(
    ("word", "within", "opening"),
    [
        ("Halloran", True, True),
        ("Merriweather", True, True),  # never seen
        ("Rose", True, False),  # a flower, too
        ("Rome", False, False),  # is translated
        ("Wells", True, False),  # has a capital for opening, and is not kept: wells
        ("Captain", False, False),
        ("Flower", True, False),  # seldom, and never with a capital: "Flower Films"
        ("Hotel", False, False),  # stands in small letters more often
    ],
)
def test_a_name_is_kept_by_translations_and_never_small(words, word, within, opening):
    assert words.is_name(word, opening=False) is within
    assert words.is_name(word, opening=True) is opening
