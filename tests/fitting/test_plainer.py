"""Long wordings and the short ones that say the same."""

from __future__ import annotations

import pytest

from subfit.fitting.plainer import plainer, small_words


def shortest(text: str, language: str) -> str:
    """The fewest characters that a text can be said in."""
    found = plainer(text, language, lambda one: False)
    return found[0] if found else text


@pytest.mark.parametrize(
    ("language", "long", "short"),
    [
        ("de", "Im Jahr 1945 endete der Krieg.", "1945 endete der Krieg."),
        ("de", "Bis dorthin sind es 20 Kilometer.", "Bis dorthin sind es 20 km."),
        ("fr", "Nous avons de nouveaux amis.", "On a de nouveaux amis."),
        ("fr", "D'abord, prenez la corde...", "D'abord, prenez la corde…"),
        ("de", "Boote, Netze und so weiter.", "Boote, Netze usw."),
        ("it", "NON È NECESSARIO REMARE.", "NON OCCORRE REMARE."),
        ("de", "Er kann nicht mal schwimmen.", "Er kann nicht mal schwimmen."),
        ("de", "Ich habe ja gesagt.", "Ich habe ja gesagt."),
        (
            "de",
            "Lassen Sie uns das Boot holen und den Hafen verlassen.",
            "Lassen Sie uns das Boot holen und den Hafen verlassen.",
        ),
        ("en", "We are going to sail in order to win.", "We're going to sail to win."),
        ("es", "No es necesario correr.", "No hace falta correr."),
        ("es", "Vamos a lavar y secar la red.", "Vamos a lavar y secar la red."),
        ("es", "Simplemente puedes esperar.", "Simplemente puedes esperar."),
        ("es", "Voy a hacer café.", "Voy a hacer café."),
        ("fr", "Je vais acheter du pain.", "Je vais acheter du pain."),
        ("fr", "C'est parce que tu dors.", "C'est parce que tu dors."),
        ("fr", "N'oublie pas de fermer le port.", "Pense à fermer le port."),
        ("fr", "Il n'oublie pas de fermer le port.", "Il n'oublie pas de fermer le port."),
        ("fr", "Tout en utilisant une corde, il dort.", "Tout en utilisant une corde, il dort."),
        ("fr", "Est-ce que c'est ton bateau ?", "C'est ton bateau ?"),
        ("fr", "Sans aucune rame et sans aucun doute.", "Sans rame et sans aucun doute."),
        ("fr", "Je vais te chercher.", "Je vais te chercher."),
        (
            "fr",
            "Tout cela est vrai, je crois que cela est vrai.",
            "Tout cela est vrai, je crois que c'est vrai.",
        ),
        ("de", "Er hat eine Reihe von Bildern.", "Er hat eine Reihe von Bildern."),
        ("it", "All'interno della barca si trova un remo.", "Nella barca si trova un remo."),
        ("it", "Non è necessario remare.", "Non occorre remare."),
        ("sv", "Vi ska segla i morgon bitti.", "Vi ska segla i morgon bitti."),
    ],
)
def test_what_says_the_same_is_said_in_fewer_characters(language, long, short):
    assert shortest(long, language) == short


STAYS = """
    de Wir werden gesehen. | de Ich werde mitkommen. | de Wir werden bedroht und müssen gehen.
    de Antworten Sie mit ja oder nein. | de Es ist nicht einfach zu verstehen.
    de Ich weiß nicht, welche du meinst. | de Nur weil du mein Chef bist, darfst du das.
    de Ich bringe das in Ordnung. | de Kurz danach war er fort. | de Das ist in dem Moment egal.
    es No tienes que decir nada. | es Me ha dado que pensar. | es Si quisiera irme, ya no estaría.
    es El paciente tiene quemaduras. | es Si vas a matar a alguien, hazlo. | es Solo yo lo sé.
    es No es simplemente un juego. | es Nos vemos a fin de mes. | es Lo hice pues te amo.
    en You never have to worry. | en This isn't just a game. | en I'm going to bed.
    en I want to thank you for coming. | en He let us in. | en You know that as well as I do.
    en That's who I am to you. | en It's in Paris not London. | en I care not to please you.
    it Ho visto che piangeva. | it Guarda i miei occhi. | it Non hai bisogno di mentire.
    it Credo che sia morto e che sia sepolto. | it Qui non si trova lavoro. | it Io ti ringrazio.
    it La chiave si trovava in cucina. | it Dove si trovano i soldi?
    fr Vous devez plaisanter. | fr Elle se trouve belle. | fr Quoi de nouveau ?
    fr Elle aussi ment. | fr Elle est naturellement blonde.
    fr Ils se trouvent bien ici. | fr Je te remercierai plus tard.
    fr Il faut que ce soit toi ou que ce soit moi. | fr Si je pouvais, je voudrais partir.
"""
"""Ordinary sentences in which a wording stands for something else than it seems to."""


@pytest.mark.parametrize(
    ("language", "text"),
    [one.strip().split(" ", 1) for one in STAYS.replace("\n", "|").split("|") if one.strip()],
)
def test_what_would_say_something_else_stays(language, text):
    assert shortest(text, language) == text


def test_no_more_is_changed_than_fits() -> None:
    text = "Es sind 20 Kilometer, zwei Boote und so weiter."
    one_change = text.replace("und so weiter", "usw.").replace("..", ".")
    assert plainer(text, "de", lambda one: len(one) <= 40)[0] == one_change
    assert plainer(text, "de", lambda one: len(one) <= 32)[0] == "Es sind 20 km, zwei Boote usw."


def test_small_words_that_are_missed_are_counted() -> None:
    assert small_words("Noch ein weiteres Boot.", "de") == ["noch", "weiteres"]
    assert small_words("Ett annat fartyg.", "sv") == []
