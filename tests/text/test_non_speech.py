"""What is not said stays beside the words, and joined the parts are the text again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.text.non_speech import split_non_speech


@pytest.mark.parametrize(
    ("lead", "words", "tail"),
    [
        ("[DOOR SLAMS] ", "Who's there?", ""),
        ("(SIGHS) ", "I'll be late.", ""),
        ("", "That is all.", " (laughs softly)"),
        ("MAN #1: ", "Stop!", ""),
        ("", "Do not be surprised.", " ^__^"),
        ("", "See you :)-free", ""),
        ("JO: ", "I love it", " <3 :-)"),
        ("", "At 8:30 in row 8", ""),
        ("", "Oh", " XD"),
        ("", "It was far away (we all sat in row 8)", ""),
        ("Q: ", "Why?", ""),
        (">> ", "Where is he?", ""),
        (">>> DR. SMITH: [sighs] ", "No.", " [MUSIC PLAYS]"),
        ("[Nora]: ", "I am here.", ""),
        ("b) ", "Water", ""),
        ("12) ", "Salt", ""),
        ("\u202b", "The family is here.", "\u202c"),
        ("", "(I think so.) Yes.", ""),
        ("", "He is (as far as I know) away.", ""),
        ("", "WARNING: KEEP OUT", ""),
        (">> [SIREN] ", "REPORTER: THE MAYOR SAID", ""),
        ("", "Note: it is late.", ""),
        # Letters without case are no capitals.
        ("", "(मुझे ऐसा ही लगता है) हाँ।", ""),
        ("(दरवाज़ा बंद) ", "कौन है?", ""),
        ("", "(אני חושב שאולי זה כן) טוב", ""),
        ("(ドアの音) ", "誰だ？", ""),
        ("", "[DOOR SLAMS]", ""),
        ("", "At 10:30 [sic] we left.", ""),
    ],
)
def test_both_ends_are_known(lead: str, words: str, tail: str) -> None:
    assert split_non_speech(lead + words + tail) == (lead, words, tail)


@given(st.text("aB. :#[]()>", max_size=20))
def test_nothing_is_lost_and_words_stay(text: str) -> None:
    parts = split_non_speech(text)
    assert "".join(parts) == text
    assert parts[1] or not text


@pytest.mark.parametrize(
    "label",
    ["DR. O'NEIL (OVER RADIO): ", "MAN (ON PHONE): ", "McCOY: ", "MAN [whispering]: "],
)
def test_who_speaks_may_have_a_manner(label: str) -> None:
    assert split_non_speech(label + "We need help.") == (label, "We need help.", "")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("John: I know.", "John: "),
        ("Mary Ann (whispering): Go.", "Mary Ann (whispering): "),
        ("Old man: Ah.", "Old man: "),
        ("Mr. Smith: No.", "Mr. Smith: "),
        ("Note: it is late.", ""),
        ("Finally: we won.", ""),
        ("Challenge: write it.", ""),
        ("Attention: stand back.", ""),
        ("He said: no.", ""),
    ],
)
def test_english_names_need_no_capitals_throughout(text: str, label: str) -> None:
    assert split_non_speech(text, language="en")[0] == label
    assert split_non_speech(text)[0] == ""


OTHERS = {
    "de": """
        MANN (AM TELEFON): |Hallo.
        Johann: |Ich weiß.
        Anna-Lena (flüstert): |Geh.
        Alter Mann: |Ach.
        Herr Müller: |Nein.
        Dr. Schmidt: |Ja.
        Frau 2: |Nein.
        |Hinweis: Es ist spät.
        |Endlich: Wir haben gewonnen.
        |Entscheidung: Wir gehen.
        |ACHTUNG: ZURÜCKTRETEN
    """,
    "es": """
        HOMBRE (AL TELÉFONO): |Hola.
        Juan: |Ya lo sé.
        María José (susurra): |Ven.
        Hombre mayor: |Ah.
        Sr. García: |No.
        Mujer 2: |No.
        Niño: |¡Mamá!
        |Nota: es tarde.
        |Por fin: ganamos.
        |Solución: nos vamos.
        |ATENCIÓN: NO PASAR
    """,
    "fr": """
        HOMME (AU TÉLÉPHONE) : |Allô ?
        HOMME : |Bonjour.
        Jean : |Je sais.
        Marie-Claire (chuchote) : |Viens.
        Jeune femme : |Oui.
        Mme Dupont : |Non.
        Clément : |Oui.
        Femme 2 : |Non.
        |Note : il est tard.
        |Enfin : on a gagné.
        |Solution : on part.
        |ATTENTION : DANGER
    """,
    "it": """
        UOMO (AL TELEFONO): |Pronto?
        Giovanni: |Lo so.
        Anna Maria (sussurra): |Vieni.
        Uomo anziano: |Ah.
        Sig. Rossi: |No.
        Dott. Bianchi: |Sì.
        Donna 2: |No.
        |Nota: è tardi.
        |Finalmente: abbiamo vinto.
        |Soluzione: andiamo.
        |ATTENZIONE: PERICOLO
    """,
}


@pytest.mark.parametrize(
    ("language", "label", "words"),
    [
        (language, *row.strip().split("|"))
        for language, rows in OTHERS.items()
        for row in rows.strip().splitlines()
    ],
)
def test_who_speaks_in_other_languages(language: str, label: str, words: str) -> None:
    assert split_non_speech(label + words, language=language) == (label, words, "")
