"""The words that keep a translation to one form of address."""

from __future__ import annotations

import pytest

from subfit.text.formality import FORMALITIES, LANGUAGES, formality_of
from subfit.text.formality_steering import barred_words, needs_word, wanted_words


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("form", FORMALITIES)
def test_every_form_of_every_language_has_words(language, form):
    assert wanted_words(form, language)
    assert barred_words(form, language, "Do you know?")


@pytest.mark.parametrize(
    ("form", "language", "barred", "allowed"),
    [
        ("informal", "de", "Ihnen", "sie"),
        ("formal", "de-AT", "Dein", "ihr"),
        ("formal", "es", "quieres", "quiere"),
        ("informal", "es-MX", "usted", "tú"),
        ("informal", "fr", "-vous", "nous"),
        ("formal", "fr-CA", "-tu", "vous"),
        ("formal", "it", "puoi", "può"),
        ("informal", "it", "Lei", "lui"),
    ],
)
def test_the_other_form_is_barred(form, language, barred, allowed):
    words = barred_words(form, language, "Do you know?")
    assert barred in words
    assert allowed not in words


@pytest.mark.parametrize(
    ("language", "word"), [("de", "Sie"), ("es", "su"), ("it", "lei"), ("it", "suo")]
)
def test_words_that_may_mean_somebody_else_are_barred_where_nobody_else_is_spoken_of(
    language, word
):
    assert word in barred_words("informal", language, "Do you know the way?")
    assert word not in barred_words("informal", language, "Do you know her mother?")


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("form", FORMALITIES)
def test_wanted_words_give_the_form(language, form):
    """Alone in a sentence, one that is not ambiguous does."""
    told = {
        formality_of(f"Ja, {word} ja.", language, "Yes, you.")
        for word in wanted_words(form, language)
    }
    assert form in told
    assert told <= {form, None}


@pytest.mark.parametrize(
    ("form", "language", "source", "spoken", "needed"),
    [
        ("informal", "de", "Open the door.", "en", False),  # "Öffne die Tür."
        ("formal", "de", "Open the door.", "en", True),  # "Öffnen Sie die Tür."
        ("formal", "fr", "Open the door.", "en", False),  # "Ouvrez la porte."
        ("informal", "de", "Can you open it?", "en", True),
        ("informal", "fr", "Is it your door?", "en", True),
        ("informal", "fr", "Kennst du ihn?", "de", True),
        ("informal", "fr", "Es ist spät.", "de", False),
    ],
)
def test_a_word_of_the_form_is_needed_where_the_source_has_one(
    form, language, source, spoken, needed
):
    assert needs_word(form, language, source, spoken) is needed


@pytest.mark.parametrize(
    ("language", "source", "word", "barred"),
    [
        ("de", "Open the door.", "Sie", True),
        ("de", "Take its key.", "Sie", True),  # capitals tell it from "its"
        ("de", "Ask what they want.", "Sie", False),
        ("it", "Open the door.", "suo", True),
        ("it", "Take its key.", "suo", False),
    ],
)
def test_more_is_barred_where_somebody_is_told_to_do_something(language, source, word, barred):
    assert (word in barred_words("informal", language, source, addressed=True)) is barred
    assert word not in barred_words("informal", language, source)
