"""Sound descriptions within what is said."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.asides import find_asides, place_before
from subfit.text.cleaning.rendering import Rendering


@pytest.mark.parametrize(
    ("text", "asides"),
    [
        ("I know. [SIGHS] Go on.", ["[SIGHS]"]),
        ("I know. (SIGHS) Go on.", ["(SIGHS)"]),
        ("I know (more or less) all.", []),
        ("[SIGHS] Go on.", []),
    ],
)
def test_only_descriptions_with_words_on_both_sides_are_taken_out(
    text: str, asides: list[str]
) -> None:
    assert [aside.text for aside in find_asides(text)] == asides


ROWS = {
    "de": """
        Ich weiß. [SEUFZT] Weiter. | [SEUFZT]
        Ich weiß. [seufzt] Weiter. | [seufzt]
        Ich weiß. (seufzt) Weiter. | (seufzt)
        Ja! (LACHT) Das war gut. | (LACHT)
        Wer ist da? [Tür knallt] Hallo? | [Tür knallt]
        Komm her … [flüstert] Leise! | [flüstert]
        Er sagte: „Nein.“ [hustet] Dann ging er. | [hustet]
        Ich kenne (fast) alle hier. |
        Ich kenne sie. (Fast alle jedenfalls.) Gehen wir. |
        [SEUFZT] Weiter. |
        Weiter so. [APPLAUS] |
        Eins. [klatscht] Zwei. [klatscht] Drei. | [klatscht] [klatscht]
        Halt! [schreit] [Glas zerbricht] Weg hier! | [schreit] [Glas zerbricht]
    """,
    "es": """
        Lo sé. [SUSPIRA] Sigue. | [SUSPIRA]
        Lo sé. [suspira] Sigue. | [suspira]
        Lo sé. (suspira) Sigue. | (suspira)
        ¡Sí! (RISAS) Qué bueno. | (RISAS)
        ¿Quién es? [portazo] ¿Hola? | [portazo]
        Ven aquí… [susurra] ¡Calla! | [susurra]
        «No.» [tose] Y se fue. | [tose]
        Conozco a (casi) todos. |
        Los conozco. (A casi todos, al menos.) Vamos. |
        [SUSPIRA] Sigue. |
        Muy bien. [APLAUSOS] |
        Uno. [aplaude] Dos. [aplaude] Tres. | [aplaude] [aplaude]
        ¡Alto! [grita] [se rompe un cristal] ¡Fuera! | [grita] [se rompe un cristal]
    """,
    "fr": """
        Je sais. [SOUPIRE] Continue. | [SOUPIRE]
        Je sais. [soupire] Continue. | [soupire]
        Je sais. (soupire) Continue. | (soupire)
        Oui ! (RIRES) C'était bien. | (RIRES)
        Qui est là ? [porte qui claque] Allô ? | [porte qui claque]
        Viens… [chuchote] Tais-toi ! | [chuchote]
        « Non. » [tousse] Et il partit. | [tousse]
        Je connais (presque) tout le monde. |
        Je les connais. (Presque tous, en tout cas.) Allons-y. |
        [SOUPIRE] Continue. |
        Bravo. [APPLAUDISSEMENTS] |
        Un. [il frappe] Deux. [il frappe] Trois. | [il frappe] [il frappe]
        Halte ! [crie] [bris de verre] Sortez ! | [crie] [bris de verre]
    """,
    "it": """
        Lo so. [SOSPIRA] Continua. | [SOSPIRA]
        Lo so. [sospira] Continua. | [sospira]
        Lo so. (sospira) Continua. | (sospira)
        Sì! (RISATE) Che bello. | (RISATE)
        Chi è? [la porta sbatte] Pronto? | [la porta sbatte]
        Vieni qui… [sussurra] Zitto! | [sussurra]
        «No.» [tossisce] E se ne andò. | [tossisce]
        Conosco (quasi) tutti. |
        Li conosco. (Quasi tutti, almeno.) Andiamo. |
        [SOSPIRA] Continua. |
        Bravi. [APPLAUSI] |
        Uno. [batte le mani] Due. [batte le mani] Tre. | [batte le mani] [batte le mani]
        Alt! [grida] [vetri rotti] Fuori! | [grida] [vetri rotti]
    """,
}
"""A text, and the descriptions within it that are no speech."""


@pytest.mark.parametrize(
    ("language", "row"),
    [(language, row) for language, rows in ROWS.items() for row in rows.strip().splitlines()],
)
def test_descriptions_are_told_from_speech_in_brackets(language: str, row: str) -> None:
    text, _, expected = row.partition("|")
    assert " ".join(aside.text for aside in find_asides(text.strip(), language)) == expected.strip()


def test_every_language_has_a_dozen_of_them() -> None:
    assert min(len(rows.strip().splitlines()) for rows in ROWS.values()) >= 12


def test_a_description_has_the_spaces_that_it_needs() -> None:
    (aside,) = find_asides("I know. [SIGHS] Go on.")
    assert aside.beside("Ja. Weiter.", 4) == "[SIGHS] "
    assert aside.beside("Ja.Weiter.", 3) == " [SIGHS] "
    assert aside.beside("Ja.", 3) == " [SIGHS]"


def test_it_stands_between_the_same_sentences() -> None:
    pair = Rendering.of(
        "I know. Go on.", "Ich weiß es. Weiter.", source_language="en", language="de"
    )
    assert place_before(8, pair) == 13


def test_within_a_sentence_it_stands_beside_the_same_words() -> None:
    source, target = "So Anna left.", "Also ging Anna fort."
    pair = Rendering.of(source, target, source_language="en", language="de")
    assert place_before(source.index("Anna"), pair) == target.index("Anna")
