"""Words as somebody says them."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.words import spoken_words


@pytest.mark.parametrize(
    ("text", "source", "plain", "stutter", "drawn", "shouted"),
    [
        ("W-w-what is it?", "W-w-what", "What", 2, 0, False),
        ("Nooooo!", "Nooooo", "No", 0, 5, False),
        ("STOP right there!", "STOP", "Stop", 0, 0, True),
    ],
)
def test_a_word_is_read_as_it_stands_in_books(
    text: str, source: str, plain: str, stutter: int, drawn: int, shouted: bool
) -> None:
    (word,) = (word for word in spoken_words(text, "en") if word.changed)
    assert (word.source, word.plain) == (source, plain)
    assert (word.stutter, word.drawn, word.shouted) == (stutter, drawn, shouted)
    assert text[word.start : word.end] == source


@pytest.mark.parametrize("text", ["I work for NASA.", "He is OK.", "A well-to-do man."])
def test_other_words_stay_as_they_are(text: str) -> None:
    assert not any(word.changed for word in spoken_words(text, "en"))
