"""Words as keyboards without accents and ligatures write them."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.cleaning import clean
from subfit.text.cleaning.spellings import spelt_out

ITALIAN = [
    ("E' tardi.", "È tardi."),
    ("C'e' posta per te.", "C'è posta per te."),
    ("Dov'e' la chiave? Cos'e' questo?", "Dov'è la chiave? Cos'è questo?"),
    ("Perche' non canti piu'?", "Perché non canti più?"),
    ("Ne' carne ne' pesce", "Né carne né pesce"),
    ("Sara' lunedi', di sicuro.", "Sarà lunedì, di sicuro."),
    ("L'ho gia' visto in citta'.", "L'ho già visto in città."),
    ("L'eta’ non conta.", "L'età non conta."),
    ("PERCHE' E' COSI'?", "PERCHÉ È COSÌ?"),
    ("Perchè no? Nè ieri nè oggi.", "Perché no? Né ieri né oggi."),
    ("Aspetta un pò.", "Aspetta un po'."),
    ("Ando' giu' da se', cioe' solo.", "Andò giù da se', cioè solo."),
]
ITALIAN_UNTOUCHED = [
    "Un po' di sale, di' la tua, fa' presto.",
    "Be', va' via e sta' zitto.",
    "Scrisse 'torno subito' e parti'.",
    "Dev'essere l'uomo dell'orologio.",
    "È già finita, perché no?",
]
ENGLISH = [
    ("What are you doin' here?", "What are you doing here?"),
    ("Nothin’ happened this mornin’.", "Nothing happened this morning."),
    ("Let 'em go, c'mon!", "Let them go, come on!"),
    ("C'mon, gimme the lantern.", "Come on, give me the lantern."),
    ("'Cause I said so.", "Because I said so."),
    ("She left ’cause she was tired.", "She left because she was tired."),
    ("It's kinda cold, y'know.", "It's kind of cold, you know."),
    ("You shoulda told me, I coulda helped.", "You should have told me, I could have helped."),
    ("See ya, I'm goin'.", "See you, I'm going."),
    ("Wait 'til ten o'clock.", "Wait until ten o'clock."),
    ("One o' them is my ol' man.", "One of them is my old man."),
    ("I dunno.", "I don't know."),
    ("GET OUTTA HERE!", "GET OUT OF HERE!"),
]
ENGLISH_UNTOUCHED = [
    "He said: 'We will begin again in the cabin'",
    "Mr. O'Neil drank rock 'n' roll tea.",
    "The captain's train, the twins' coin",
    "Yacht, yard, embryo, kindle.",
    "'Them' is a pronoun.",
]
FRENCH = [
    ("Ca va ?", "Ça va ?"),
    ("Je sais ca.", "Je sais ça."),
    ("Etes-vous là ?", "Êtes-vous là ?"),
    ("Ecoute-moi ! Ecoutez !", "Écoute-moi ! Écoutez !"),
    ("L'Etat, les Etats-Unis", "L'État, les États-Unis"),
    ("Evidemment.", "Évidemment."),
    ("A demain ! A l'aide !", "À demain ! À l'aide !"),
    ("De tout coeur avec ma soeur", "De tout cœur avec ma sœur"),
    ("Coeur de pierre, l'oeil noir", "Cœur de pierre, l'œil noir"),
    ("un chef-d'oeuvre", "un chef-d'œuvre"),
    ("CA VA, MON COEUR ?", "ÇA VA, MON CŒUR ?"),
    ("L'Ile au trésor", "L'Île au trésor"),
]
FRENCH_UNTOUCHED = [
    "A-t-il mangé ? Elle a demain libre.",
    "Le poêle, la moelle, Noel et coexister",
    "Le CA de la société",
    "Ça va, mon cœur ?",
    "Il est étonné.",
]


@pytest.mark.parametrize(("typed", "spelt"), ITALIAN)
def test_apostrophes_of_italian_keyboards_become_accents(typed: str, spelt: str) -> None:
    assert spelt_out(typed, "it") == spelt
    assert spelt_out(spelt, "it") == spelt


@pytest.mark.parametrize(("typed", "spelt"), ENGLISH)
def test_english_as_it_is_spoken_is_written_in_full(typed: str, spelt: str) -> None:
    assert spelt_out(typed, "en-US") == spelt
    assert spelt_out(spelt, "en") == spelt


@pytest.mark.parametrize(("typed", "spelt"), FRENCH)
def test_french_capitals_and_ligatures_are_spelt_right(typed: str, spelt: str) -> None:
    assert spelt_out(typed, "fr-CA") == spelt
    assert spelt_out(spelt, "fr") == spelt


@pytest.mark.parametrize(
    ("text", "language"),
    [(text, "it") for text in ITALIAN_UNTOUCHED]
    + [(text, "fr") for text in FRENCH_UNTOUCHED]
    + [(text, "en") for text in ENGLISH_UNTOUCHED]
    + [("C'e' nobody's coeur", "en")],
)
def test_what_is_spelt_right_or_in_another_language_stays(text: str, language: str) -> None:
    assert spelt_out(text, language) == text


def test_models_read_the_spelling_of_books_and_shouting_is_told_from_it() -> None:
    cleaned = clean("PERCHE' NON E' QUI?", "it", "en")
    assert (cleaned.source, cleaned.text) == ("PERCHE' NON E' QUI?", "PERCHÉ NON È QUI?")
    assert clean("E' QUI, guarda!", "it", "en").text == "È qui, guarda!"
