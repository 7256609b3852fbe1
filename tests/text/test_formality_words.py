"""What gives away how somebody is addressed: patterns that match what they are made for alone."""

from __future__ import annotations

import pytest

from subfit.text.formality_words import MARKS, Form
from subfit.text.languages import closest_language

KINDS = ("informal", "formal", "formal_if_you", "plural", "orders_formal", "orders_informal")


@pytest.mark.parametrize("language", ["de", "es", "fr", "it"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_pattern_matches_nothing_at_all(language: str, kind: str) -> None:
    """Or every text would have that form."""
    form: Form = getattr(MARKS[language], kind)
    assert not form.in_text("", "")
    assert not form.in_text("12:30.", "12:30.")


@pytest.mark.parametrize(
    ("language", "kind", "text"),
    [
        ("de", "informal", "Hast du den Schlüssel?"),
        ("de", "informal", "Das ist dein Haus."),
        ("de", "formal", "Haben Sie den Schlüssel?"),
        ("es", "informal", "¿Tú lo sabes?"),
        ("es", "formal", "¿Lo sabe usted?"),
        ("fr", "informal", "Tu le sais ?"),
        ("fr", "informal", "C'est ton bateau."),
        ("it", "informal", "Tu lo sai?"),
    ],
)
def test_forms_are_known_by_their_pronouns(language: str, kind: str, text: str) -> None:
    form: Form = getattr(MARKS[language], kind)
    assert form.in_text(text, text.lower())


@pytest.mark.parametrize(
    ("language", "kind", "text"),
    [
        ("de", "informal", "Der Dudelsack ist laut."),
        ("es", "informal", "El túnel está cerrado."),
        ("fr", "informal", "La tulipe est rouge."),
        ("it", "informal", "Il tuono è forte."),
        ("de", "formal", "Sie lesen ein Buch, die Kinder."),
        ("es", "formal", "El gusto es mío."),
    ],
)
def test_words_that_only_begin_like_them_are_others(language: str, kind: str, text: str) -> None:
    form: Form = getattr(MARKS[language], kind)
    assert not form.in_text(text, text.lower())


def test_regions_have_the_forms_of_their_language() -> None:
    assert closest_language("de-AT", tuple(MARKS)) == "de"
    assert closest_language("en", tuple(MARKS)) is None
