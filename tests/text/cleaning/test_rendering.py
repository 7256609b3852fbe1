"""A translation beside its source."""

from __future__ import annotations

from subfit.text.cleaning.rendering import Rendering


def rendering(source: str, text: str) -> Rendering:
    """English and German, of whose words nothing is known but how they look."""
    return Rendering.of(source, text, source_language="en", language="de")


def test_sentences_are_paired_if_both_have_as_many() -> None:
    pair = rendering("Stop. Go home.", "Halt. Geh heim.")
    assert pair.paired and pair.source_sentences == ((0, 5), (6, 14))
    assert not rendering("Stop. Go home.", "Halt, geh heim.").paired


def test_a_word_stands_for_one_of_the_sentence_in_its_place() -> None:
    pair = rendering("Anna, go. Tom stays.", "Geh, Anna. Tom bleibt.")
    (anna,) = (n for n, word in enumerate(pair.words.target) if word.text == "Anna")
    (tom,) = (n for n, word in enumerate(pair.words.target) if word.text == "Tom")
    assert pair.target_of(0, first=False) == anna
    assert pair.target_of(pair.source.index("Tom"), first=False) == tom
    source = pair.word_at(0)
    assert source is not None and pair.standing_for(source) == [anna]


def test_the_first_word_stands_for_the_first_where_that_is_asked_for() -> None:
    pair = rendering("Anna, go.", "Geh, Anna.")
    assert pair.target_of(0, first=True) == 0
    assert pair.word_at(4) is None and pair.target_of(4, first=True) is None
