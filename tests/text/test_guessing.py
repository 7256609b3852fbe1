"""Languages, by their little words."""

from __future__ import annotations

import pytest

from subfit.text.guessing import guess_language

TEXTS = {
    "de": "Ich weiß nicht, wo der Hund ist. Er war heute noch bei uns, doch dann war er weg.",
    "en": "I do not know where the dog is. He was with us this morning, but then he was gone.",
    "es": "No sé dónde está el perro. Esta mañana estaba con nosotros, pero luego se fue.",
    "fr": "Je ne sais pas où est le chien. Il était avec nous ce matin, mais il est parti.",
    "it": "Non so dove sia il cane. Questa mattina era con noi, ma poi se n'è andato.",
    "nl": "Ik weet niet waar de hond is. Hij was vanmorgen nog bij ons, maar toen was hij weg.",
    "pt": "Não sei onde está o cão. Esta manhã ele estava com a gente, mas depois foi embora.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_line_or_two_tell(language):
    assert guess_language(TEXTS[language]) == language
    assert guess_language(TEXTS[language].upper()) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Anna? Otto!",
        "♪ ♪",
        "Где собака? Я не знаю, где она.",
        "Gdzie jest pies? Nie wiem, gdzie on jest, a ty?",
        "".join(TEXTS[each] for each in ("de", "en")),
    ],
)
def test_what_tells_nothing_is_not_guessed(text):
    assert guess_language(text) is None
