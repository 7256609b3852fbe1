"""Whether a text denies something, by its words."""

from __future__ import annotations

import pytest

from subfit.text.negation import is_negated

DENYING = [
    ("en", "I do not know him."),
    ("en", "She won't come."),
    ("en", "We can’t stay."),
    ("en", "Nobody saw it."),
    ("en", "There is no bread."),
    ("en", "He left without a word."),
    ("de", "Ich kenne ihn nicht."),
    ("de", "Keinen Schritt weiter!"),
    ("de", "Das war nie so."),
    ("de", "NIEMAND WEISS DAS."),
    ("de-AT", "Ohne dich geht es."),
    ("es", "No lo sé."),
    ("es", "Nadie vino."),
    ("es", "Tampoco hay ningún barco."),
    ("fr", "Je ne sais pas."),
    ("fr", "Ce n'est rien."),
    ("fr", "Ce n’est rien."),
    ("fr", "Jamais !"),
    ("it", "Non lo so."),
    ("it", "Nessun'altra nave."),
    ("it", "Nessuno è venuto."),
    ("it", "Né tu né io."),
]
STATING = [
    ("en", "I know him."),
    ("en", "Note the knot in the north."),
    ("en", "The notary had a nap at noon."),
    ("de", "Der Kenner nickte."),
    ("de", "Die Nichte kniet im Nebel."),
    ("es", "Noto una nota."),
    ("fr", "Neuf passants riaient."),
    ("fr", "Le navire est niché là."),
    ("it", "La nonna nota il nodo."),
    ("it", "Il mais matura senz'altro."),
    ("it", "Nevica nel Nord."),
]


@pytest.mark.parametrize(("language", "text"), DENYING)
def test_words_that_deny(language: str, text: str) -> None:
    assert is_negated(text, language) is True


@pytest.mark.parametrize(("language", "text"), STATING)
def test_words_that_only_look_like_them(language: str, text: str) -> None:
    assert is_negated(text, language) is False


def test_of_other_languages_nothing_is_known() -> None:
    assert is_negated("Ik weet het niet.", "nl") is None
