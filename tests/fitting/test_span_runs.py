"""The run of a translation's words that stands for words of its source."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.fitting.spans import RunFinder
from subfit.text.alignment import align
from subfit.text.linebreak_lists import word_lists
from tests.properties import examples
from tests.scripted import KnownWords


def runs(source: str, meant: str, target: str, known: Mapping[str, str]) -> str:
    """The run of a German translation that is found for some words of an English source."""
    alignment = align(source, target, KnownWords(known))
    finder = RunFinder(source, target, alignment, word_lists("en"), word_lists("de"))
    start = source.index(meant)
    inside = [start <= word.start < start + len(meant) for word in alignment.source]
    words = [word.text for word in alignment.target]
    found = finder.find(inside, [True] * len(words))
    return "" if found is None else " ".join(words[slice(*found)])


OURS = [f"ab{letter}o" for letter in "klmnprst"]
THEIRS = [f"{letter}uxi" for letter in "bdfghjvw"]


@st.composite
def reordered(draw):
    """A source in blocks of words, the order of their translations, and which block is meant."""
    count = draw(st.integers(2, len(OURS)))
    cuts = sorted({0, count, *draw(st.lists(st.integers(1, count - 1), max_size=3))})
    blocks = [range(a, b) for a, b in pairwise(cuts)]
    order = draw(st.permutations(blocks))
    return count, order, draw(st.sampled_from(blocks))


@given(reordered())
@examples(30)
def test_where_every_word_has_its_own_translation_the_run_is_that_of_the_words(case):
    count, order, meant = case
    source = " ".join(OURS[:count])
    target = " ".join(THEIRS[number] for block in order for number in block)
    known = dict(zip(OURS, THEIRS, strict=True))
    found = runs(source, " ".join(OURS[n] for n in meant), target, known)
    assert found == " ".join(THEIRS[n] for n in meant)


KNOWN = {"ship": "Schiff", "saw": "sah", "she": "Sie", "the": "das", "nobody": "niemand"}


@pytest.mark.parametrize(
    ("source", "meant", "target", "expected"),
    [
        # An article goes with its noun only where the source's does.
        ("She saw the ship", "ship", "Sie sah das Schiff", "Schiff"),
        ("She saw the ship", "the ship", "Sie sah das Schiff", "das Schiff"),
        # Nothing is marked where nothing stands for the words.
        ("She saw the ship, you know", "you know", "Sie sah das Schiff", ""),
        # A clause is marked to its pause, though nothing is known of some of its words.
        (
            "She saw it, then nobody lost.",
            "then nobody lost",
            "Sie sah es, da verlor niemand.",
            "da verlor niemand",
        ),
    ],
)
def test_articles_and_clauses(source, meant, target, expected):
    assert runs(source, meant, target, KNOWN) == expected


@given(st.lists(st.booleans(), min_size=4, max_size=4))
def test_no_run_takes_a_word_that_is_not_free(free):
    source, target = "She saw the ship", "Sie sah das Schiff"
    alignment = align(source, target, KnownWords(KNOWN))
    finder = RunFinder(source, target, alignment, word_lists("en"), word_lists("de"))
    run = finder.find([False, True, True, True], free)
    assert run is None or (run[0] < run[1] and all(free[slice(*run)]))
