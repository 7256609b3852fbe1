"""Forms of address, told by pronouns and verb forms."""

from __future__ import annotations

import pytest

from subfit.text.formality import formality_of, speaks_to_one

CASES = [
    ("de", "Hast du den Schlüssel?", "informal"),
    ("de", "Das ist dein Mantel.", "informal"),
    ("de", "Komm sofort her!", "informal"),
    ("de", "Weißt schon, was ich meine.", "informal"),
    ("de", "Haben Sie den Schlüssel?", "formal"),
    ("de", "Ich danke Ihnen, Frau Berg.", "formal"),
    ("de", "Wo ist Ihr Wagen?", "formal"),
    ("de", "Sie haben den Schlüssel.", None),  # or they have
    ("de", "Du meine Güte, ist das kalt!", None),
    ("de", "Habt ihr den Schlüssel?", None),
    ("de", "Verzeiht, Ihr habt recht.", None),  # as knights speak
    ("de", "Der Schlüssel ist weg.", None),
    ("de", "WO IST IHR WAGEN?", None),  # his, her or your: capitals do not tell
    ("de", "Wenn du magst, helfe ich Ihnen.", None),
    ("es", "¿Tienes la llave?", "informal"),
    ("es", "Te espero aquí.", "informal"),
    ("es", "Mañana lo verás.", "informal"),
    ("es", "¿Usted tiene la llave?", "formal"),
    ("es", "Siéntese, por favor.", "formal"),
    ("es", "Perdone, ¿qué hora es?", "formal"),
    ("es", "¿Tenéis la llave?", None),
    ("es", "¿Ustedes tienen la llave?", None),
    ("es", "Está triste y detrás de la puerta.", None),
    ("fr", "Tu as la clé ?", "informal"),
    ("fr", "Je t’attends ici.", "informal"),
    ("fr", "Assieds-toi !", "informal"),
    ("fr", "Vous avez la clé ?", "formal"),
    ("fr", "C’est votre manteau.", "formal"),
    ("fr", "Ne parle pas sur un ton pareil.", None),  # not "your"
    ("fr", "Vous deux, restez ici.", None),
    ("fr", "Où est la clé ?", None),
    ("it", "Hai la chiave?", "informal"),
    ("it", "Ti aspetto qui.", "informal"),
    ("it", "Sei in ritardo.", "informal"),
    ("it", "Ci vediamo alle sei.", None),  # six
    ("it", "Le ragazze sono quasi sei.", None),
    ("it", "Come sta Lei oggi?", "formal"),
    ("it", "Scusi, che ore sono?", "formal"),
    ("it", "Avete la chiave?", None),
    ("de-AT", "Hast du den Schlüssel?", "informal"),
    ("sv", "Har du nyckeln?", None),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_text_alone(language: str, text: str, expected: str | None) -> None:
    assert formality_of(text, language) == expected


WITH_SOURCE = [
    ("de", "You have the key.", "Sie haben den Schlüssel.", "formal"),
    ("de", "They have the key.", "Sie haben den Schlüssel.", None),
    ("de", "Did she tell you?", "Sie hat es gesagt.", None),
    ("es", "Is this your coat?", "¿Es este su abrigo?", "formal"),
    ("es", "Is this his coat?", "¿Es este su abrigo?", None),
    ("es", "Did you see the film?", "¿Vio la película?", "formal"),
    ("fr", "Can you wait?", "Pouvez patienter ?", "formal"),
    ("it", "Have you seen the film?", "Ha visto il film?", "formal"),
    ("it", "Has Anna seen the film?", "Ha visto il film?", None),
    ("it", "Your brother is here.", "Suo fratello è qui.", "formal"),
    ("fr", "Are you two ready?", "Vous êtes prêts ?", None),
    ("fr", "Ladies and gentlemen, welcome!", "Je vous souhaite la bienvenue !", None),
]


@pytest.mark.parametrize(("language", "source", "text", "expected"), WITH_SOURCE)
def test_source_settles_what_the_text_leaves_open(
    language: str, source: str, text: str, expected: str | None
) -> None:
    assert formality_of(text, language, source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Do you know?", True),
        ("You're late.", True),
        ("Do you know her?", False),
        ("I know.", False),
    ],
)
def test_speaks_to_one(source: str, expected: bool) -> None:
    assert speaks_to_one(source) is expected
