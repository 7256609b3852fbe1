"""The words that keep a translation to one form of address."""

from __future__ import annotations

import pytest

from subfit.text.formality import FORMALITIES, LANGUAGES, formality_of
from subfit.text.formality_steering import barred_words, wanted_words


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
