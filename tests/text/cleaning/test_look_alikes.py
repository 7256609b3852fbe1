"""Letters of other scripts in Latin words."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.cleaning import clean
from subfit.text.cleaning.look_alikes import in_latin_letters

ES = "\N{CYRILLIC SMALL LETTER ES}"
A = "\N{CYRILLIC SMALL LETTER A}"
OMICRON = "\N{GREEK SMALL LETTER OMICRON}"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (f'Go to "{ES}haracter-2".', 'Go to "character-2".'),
        (f"The b{A}n{A}n{A} boat.", "The banana boat."),
        (f"H{OMICRON}la, ¿qué tal?", "Hola, ¿qué tal?"),
        (f"D{A}s ist schön.", "Das ist schön."),
        ("Nothing to see here.", "Nothing to see here."),
    ],
)
def test_latin_words_have_latin_letters(typed, meant):
    assert in_latin_letters(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "He said да and left.",
        "The letter π is Greek.",
        f"Он сказал D{A}s.",  # a Russian text
        f"The word мир and the b{A}nk.",
        "Hж",
    ],
)
def test_what_is_meant_to_be_in_another_script_stays(text):
    assert in_latin_letters(text) == text


def test_the_model_reads_latin_letters_and_the_source_stays():
    typed = f'Go to "{ES}haracter-2" now.'
    read = clean(typed, "en", "de")
    assert (read.text, read.source) == ('Go to "character-2" now.', typed)
