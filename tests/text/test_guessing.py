"""Languages, by their little words."""

from __future__ import annotations

import pytest

from subfit.text.guessing import guess_language
from subfit.text.languages import closest_language, same_language

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


LINES = {
    "de": """
        Was machst du denn hier? Ich dachte, du bist im Hafen.
        Das ist mein Haus, und das ist meine Frau.
        Er hat mir nicht gesagt, wann er wiederkommt.
        Warum hast du das getan? Weil ich es wollte.
        Wo ist der Schlüssel? Er liegt auf dem Tisch.
        <i>Die Nacht war kalt, und wir hatten kein Licht.</i>
    """,
    "es": """
        ¿Qué haces aquí? Creía que estabas en el puerto.
        Tenemos que irnos ya o nos van a ver.
        No me dijo cuándo iba a volver.
        ¿Por qué lo hiciste? Porque yo quería.
        ¿Dónde está la llave? Está en la mesa.
        <i>La noche era muy fría y nosotros no teníamos luz.</i>
    """,
    "fr": """
        Qu'est-ce que tu fais là ? Je te croyais au port.
        Il faut partir, sinon ils vont nous voir.
        Il ne m'a pas dit quand il reviendrait.
        Pourquoi tu as fait ça ? Parce que je le voulais.
        Où est la clé ? Elle est sur la table.
        <i>La nuit était froide et nous n'avions pas de lumière.</i>
    """,
    "it": """
        Che ci fai qui? Credevo che fossi al porto.
        Non mi ha detto quando sarebbe tornato.
        Perché l'hai fatto? Perché lo volevo io.
        Dobbiamo andare via, ma non lo dire a quelli della nave.
        Dov'è la chiave della porta? È sul tavolo, come sempre.
        <i>La notte era fredda e non avevamo luce.</i>
    """,
}


@pytest.mark.parametrize(
    ("language", "line"),
    [(tag, line.strip()) for tag, lines in LINES.items() for line in lines.strip().splitlines()],
)
def test_a_cue_of_two_lines_tells(language, line):
    assert guess_language(line) == language


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


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ru", "Он долго ждал на пристани. Тогда он ушёл домой и больше не вернулся туда. " * 2),
        (
            "ja",
            "彼は長い間、桟橋で待っていましたが、誰も来ませんでした。それで彼は家に帰りました。"
            * 2,
        ),
        (
            "sv",
            "Han väntade länge vid bryggan, men ingen kom, och då gick han hem. " * 2,
        ),
    ],
)
def test_other_languages_are_not_taken_for_one_of_ours(language: str, text: str) -> None:
    pytest.importorskip("py3langid")
    assert guess_language(text) == language


@pytest.mark.parametrize(
    ("tag", "known", "closest"),
    [
        ("es", ["de", "es"], "es"),
        ("es-419", ["de", "es"], "es"),
        ("fr_CA", ["fr"], "fr"),
        ("PT-br", ["pt", "pt-BR"], "pt-BR"),
        ("pt-PT", ["pt", "pt-BR"], "pt"),
        ("pt-PT", ["pt-BR"], None),
        ("ita", ["it"], "it"),
        ("zh-Hant-TW", ["zh", "zh-Hant"], "zh-Hant"),
        ("sr-Latn", ["sr"], None),
        ("tlh", ["de"], None),
    ],
)
def test_regions_are_left_off_and_scripts_are_not(tag, known, closest):
    assert closest_language(tag, known) == closest


def test_a_language_is_the_same_in_any_region_and_spelling():
    assert same_language("en-GB", "EN_us") and same_language("deu", "de")
    assert not same_language("en", "de") and not same_language("tlh", "gsw")
