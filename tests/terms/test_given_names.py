"""Given names that are English words as well."""

from __future__ import annotations

import pytest

from subfit.terms.file_names import FileNames
from subfit.terms.given_names import given_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Has anybody seen Will since lunch?", ("Will",)),
        ("Grace, this is my brother.", ("Grace",)),
        ("Rob! Over here!", ("Rob",)),
        ("Ask Joy or Frank.", ("Joy", "Frank")),
        ("Come on, Daisy.", ("Daisy",)),
        # The words.
        ("Will you come along?", ()),
        ("Hope is all that we have.", ()),
        ("Mercy! Have mercy!", ()),
        ("Patience, my friend.", ()),
        ("We meet at the Rose tonight.", ()),
        ("My Grace is enough for you.", ()),
        ("A Walk Through The Old Violet Wood", ()),
        ("I saw Rose Kimura there.", ()),  # with a family name both are unlike words
        ("We leave in April.", ()),
    ],
)
def test_a_capital_within_a_sentence_makes_a_name(text: str, names: tuple[str, ...]) -> None:
    assert given_names([text]) == names


def test_such_a_name_is_kept_where_it_can_be_nothing_else() -> None:
    texts = ["Has anybody seen Will?", "Will you come?", "It's Will again."]
    names = FileNames(texts, "en", "de")
    found = [[one.source for one in names.find(text)] for text in texts]
    assert found == [["Will"], [], ["Will"]]


def test_places_with_another_name_in_the_language_are_not_kept() -> None:
    class Judge:
        def is_name(self, word: str, *, opening: bool) -> bool:
            return True

    texts = ["We are in Naples.", "Naples is far.", "We live in Oslo.", "Oslo is cold."]
    found = [[one.source for one in FileNames(texts, "en", "de", Judge()).find(t)] for t in texts]
    assert found == [[], [], ["Oslo"], ["Oslo"]]
