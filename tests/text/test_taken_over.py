"""Titles and places that a translation took over from English, said in its own language."""

from __future__ import annotations

from importlib.resources import files

import pytest

from subfit.text.taken_over import LANGUAGES, other_forms, said_in


@pytest.mark.parametrize(
    ("language", "source", "translation", "said"),
    [
        ("de", "We sail to Naples.", "Wir segeln nach Naples.", "Wir segeln nach Neapel."),
        ("es", "We sail to Naples.", "Navegamos a Naples.", "Navegamos a Nápoles."),
        ("fr", "The port of Athens", "Le port d'Athens", "Le port d'Athènes"),
        ("it", "Warsaw is burning.", "Warsaw brucia.", "Varsavia brucia."),
        ("de", "NAPLES, 1944", "NAPLES, 1944", "NAPLES, 1944"),  # only as it is listed
        # A person, or a name of several words.
        ("de", "Florence is late.", "Florence ist spät dran.", "Florence ist spät dran."),
        ("de", "She is from Florence.", "Sie ist aus Florence.", "Sie ist aus Florenz."),
        ("it", "She loves Paris Weller.", "Ama Paris Weller.", "Ama Paris Weller."),
        ("de", "I met Vienna Hart.", "Ich traf Vienna Hart.", "Ich traf Vienna Hart."),
        ("de", "Air France is late.", "Air France ist spät.", "Air France ist spät."),
        ("de", "In Naples it rains.", "In Naples regnet es.", "In Neapel regnet es."),
        ("es", "Is he in New York?", "¿Está en New York?", "¿Está en Nueva York?"),
        # What the translation has otherwise stays.
        ("de", "We sail to Naples.", "Wir segeln heim.", "Wir segeln heim."),
        ("pt", "We sail to Naples.", "Vamos a Naples.", "Vamos a Naples."),
    ],
)
def test_places_have_the_names_of_the_language(language, source, translation, said) -> None:
    assert said_in(translation, source, language) == said


@pytest.mark.parametrize(
    ("language", "source", "translation", "said"),
    [
        ("de", "This is Mrs. Hale.", "Das ist Mrs. Hale.", "Das ist Frau Hale."),
        ("de", "I spoke to Mr. Hale.", "Ich sprach mit Mr. Hale.", "Ich sprach mit Herrn Hale."),
        ("de", "Mrs. Hale waits.", "Frau. Hale wartet.", "Frau Hale wartet."),
        ("de", "Miss Hale waits.", "Miss Hale wartet.", "Miss Hale wartet."),
        ("es", "Mr. Hale is waiting.", "Mr. Hale espera.", "El señor Hale espera."),
        ("es", "Come in, Mr. Hale.", "Pase, Mr. Hale.", "Pase, señor Hale."),
        ("es", "Mr. Hale's house", "La casa de Mr. Hale", "La casa del señor Hale"),
        ("fr", "Ms. Hale is waiting.", "Ms. Hale attend.", "Mme Hale attend."),
        ("fr", "Mr. Hale is waiting.", "Mr. Hale attend.", "M. Hale attend."),
        ("it", "Mrs. Hale's house", "La casa di Mrs. Hale", "La casa della signora Hale"),
        ("it", "Mr. Hale, come in.", "Mr. Hale, entri.", "Signor Hale, entri."),
        # An office is no name.
        ("de", "Mr. President, sit down.", "Mr. President, Platz.", "Mr. President, Platz."),
        # Of nobody whom the source has.
        ("de", "The actor is here.", "Mr. Hale ist da.", "Mr. Hale ist da."),
    ],
)
def test_titles_are_those_of_the_language(language, source, translation, said) -> None:
    assert said_in(translation, source, language) == said


def test_names_that_are_to_stay_do() -> None:
    told = "We sail to Naples.", "de"
    assert said_in("Wir segeln nach Naples.", *told, kept=["Naples"]) == "Wir segeln nach Naples."
    same = said_in("Wir segeln nach Naples.", "Navegamos a Naples.", "de", source_language="es")
    assert same == "Wir segeln nach Naples."


def test_the_list_has_five_names_a_line_and_each_place_once() -> None:
    rows = files("subfit.text").joinpath("places.tsv").read_text(encoding="utf-8").splitlines()
    cells = [row.split("\t") for row in rows]
    assert {len(row) for row in cells} == {5} and all(all(row) for row in cells)
    assert len({row[0] for row in cells}) == len(cells)
    assert all("Moscow" in other_forms(language) for language in LANGUAGES)
    assert not other_forms("pt")
