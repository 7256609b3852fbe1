"""What ends a sentence."""

from __future__ import annotations

import pytest

from subfit.text.sentence_ends import end_of, sentences_in
from tests.subtitles.test_joining import joined


@pytest.mark.parametrize(
    ("first", "second", "one"),
    [
        # Abbreviations
        ("I have to see Mr.", "Finch today.", True),
        ("Ask for Dr.", "Amara Okoye.", True),
        ("I was born in St.", "Louis, you know.", True),
        ("See No.", "5 of the list.", True),
        ("The answer is No.", "Nobody came.", False),
        ("No.", "5 boats are enough.", False),
        ("We met at 5 p.m.", "and went home.", True),
        ("We met at 5 p.m.", "Then we left.", False),
        ("Apples, pears, etc.", "are in the crate.", True),
        ("He lives in the U.S.", "He likes it.", False),
        ("I met John F.", "Keller there.", True),
        ("It costs 3.50", "a kilo.", True),
        ("It is approx.", "12 miles.", True),
        # Dots
        ("I thought you...", "...were asleep.", True),
        ("I thought that…", "you were asleep.", True),
        ("I thought...", "Never mind.", False),
        ("They all...", "I have no words.", False),
        ("The crew,", "...and the captain.", True),
        # Capitals and numbers
        ("I gave it to", "Walter.", True),
        ("It was built in", "1902.", True),
        ("We sail at dawn", "Be there", False),
        ("Yes, I know,", "Walter told me.", True),
        ("But you and", "I'm sorry to say it", True),
        # Who speaks
        ("ANNA: I said", "WALTER: nothing!", False),
        ("I said", "[ANNA] nothing!", False),
        ("I said", "(ANNA) nothing!", False),
        ("I said", ">> nothing!", False),
        ("I said", "- nothing!", False),
        ("- Who is it?\n- I said", "that nobody came.", True),
        ("- I said", "- nothing!", False),
        ("he said", "♪ la la la ♪", False),
        # Quotes, brackets, dashes, colons
        ('"Who is there?"', '"nobody"', False),
        ('He shouted "stop', 'right there!"', True),
        ("He said (quietly)", "that it rains.", True),
        ("*Get out of my way!*", "*or else*", False),
        ("I wanted to --", "Stop it!", False),
        ("I wanted to say --", "that I am sorry.", True),
        ("He told me this:", "stay here.", False),
        # Markup
        ("{\\an8}he said", "that it rains", True),
        ("<i>he said</i>", "that it rains", False),
        ("<font color=red>he said</font>", "<font color=lime>that</font>", False),
        ("he said <b>never</b>", "to come back", True),
    ],
)
def test_what_ends_a_sentence(first: str, second: str, one: bool) -> None:
    chains = joined(first, second)
    assert ((0, 1) in chains) == one


RUNNING = {
    "de": """
        Wir trafen dort Hrn. Bell. | Er war alt.
        Am 3. Mai kam er. | Sie ging.
        Er ist 17. | Sie ist 15.
        Er kam um 8. | Und dann?
        Er kam z.B. gestern. | Warum?
        Er kam z. B. gestern. | Warum?
        Er nahm Brot u. a. mit, d. h. alles. | Gut.
        „Geh!“ | „Jetzt?“ | Es war kalt.
        »Geh!« | »Jetzt?« | Es war kalt.
        Nun ja... | Ich weiß.
        Es sind 3,5 km bis dort. | Komm.
        Er hat Brot, Käse usw. gekauft. | Gut.
        Siehe Nr. 5 der Liste. | Da!
        Dr. Keller kommt. | Prof. Berg auch.
        Ich... ich weiß nicht. | Nein!
        Es ist 15.30 Uhr. | Los.
    """,
    "es": """
        Vimos al Sr. Ruiz. | Era viejo.
        La Dra. Vega vino. | ¿Y qué?
        «¡Vete!» | «¿Ya?» | Hacía frío.
        Compró pan, queso, etc. ayer. | Bien.
        Mira la pág. 5 del libro. | ¡Ahí!
        Vive en EE.UU. desde hace años. | Bien.
        Vive en EE. UU. desde hace años. | Bien.
        Trae algo, p. ej. pan. | Bien.
        ¿¡Qué!? | ¡Nunca!
        Son las 15.30 h. | Vamos.
    """,
    "fr": """
        On a vu M. Roy. | Il était vieux.
        Mme Leroy et le Dr. Roy. | Et alors ?
        « Va-t'en ! » | « Déjà ? » | Il faisait froid.
        « Viens ! », dit-il. | Elle vint.
        Il a pris du pain, du fromage, etc. hier. | Bien.
        Prends-en, p. ex. du pain. | Bien.
        Voir p. 5 du livre. | Là !
        Quoi ?! | Jamais !
        Il est 15 h 30. | Allons-y.
    """,
    "it": """
        Vedemmo il sig. Rossi. | Era vecchio.
        Il dott. Bianchi venne. | E allora?
        «Vattene!» | «Già?» | Faceva freddo.
        Prese pane, formaggio, ecc. ieri. | Bene.
        Prendi, p. es. il pane. | Bene.
        Vedi pag. 5 del libro. | Lì!
        La sig.ra Rossi e il prof. Verdi. | Sì.
        Cosa?! | Mai!
        Sono le 15.30. | Andiamo.
    """,
}


@pytest.mark.parametrize(
    ("language", "row"),
    [(tag, row) for tag, rows in RUNNING.items() for row in rows.strip().splitlines()],
)
def test_running_text_is_parted(language: str, row: str) -> None:
    sentences = tuple(row.strip().split(" | "))
    assert sentences_in(" ".join(sentences), language) == sentences


def test_what_ends_a_sentence_in_german() -> None:
    for cues in (
        ("Er hat gestern ein", "Haus gekauft."),
        ("Wir fahren am 3.", "Mai nach Kiel."),
        ("Das war z.B.", "gestern so."),
        ("Ich kenne Hr.", "Finke gut."),
    ):
        assert joined(*cues, language="de") == [(0, 1)], cues


@pytest.mark.parametrize("tag", ["de", "DE", "deu", "de_DE", "de-AT"])
def test_every_tag_of_a_language_has_its_abbreviations(tag: str) -> None:
    assert end_of("Es war am 3.", "Mai, glaube ich.", tag) == "open"
    assert end_of("Da kommt Dr.", "Bell.", tag) == "open"
