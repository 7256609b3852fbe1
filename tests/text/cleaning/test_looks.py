"""The look of words that stand for stuttered and drawn-out ones."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.looks import drawn_out, stuttered, with_look
from subfit.text.cleaning.words import spoken_words


@pytest.mark.parametrize(
    ("word", "language", "small", "stuttering"),
    [
        ("Entschuldigung", "de", True, "E-Entschuldigung"),
        ("Perdón", "es", True, "P-perdón"),
        ("Perdón", "es", False, "P-Perdón"),
        ("I", "en", True, "I-I"),
    ],
)
def test_a_stuttered_word_begins_twice(
    word: str, language: str, small: bool, stuttering: str
) -> None:
    assert stuttered(word, 1, language, small=small) == stuttering


@pytest.mark.parametrize(
    ("word", "language", "drawn"),
    [
        ("nein", "de", "neeein"),
        ("no", "es", "nooo"),
        ("arrête", "fr", "arrêêête"),
        ("please", "en", "pleaaase"),
        ("pst", "en", "pst"),
        ("unbelievable", "en", "unbelievable"),
    ],
)
def test_a_word_is_drawn_out_at_the_vowel_that_is_stressed(
    word: str, language: str, drawn: str
) -> None:
    assert drawn_out(word, 3, language) == drawn


def test_a_word_gets_the_look_of_the_one_it_stands_for() -> None:
    (sorry, *_) = spoken_words("S-sorry about that.", "en")
    assert with_look("Perdón", sorry, "es") == "P-perdón"
    (no,) = (word for word in spoken_words("Nooooo, wait!", "en") if word.drawn)
    assert with_look("No", no, "it") == "Nooooo"
