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
        ("de", "Lassen Sie uns zum nächsten Hafen fahren.", "Fahren wir zum nächsten Hafen."),
        ("de", "Lass uns zum Boot zurückkehren.", "Kehren wir zum Boot zurück."),
        ("de", "Lassen Sie uns das Boot ansehen.", "Sehen wir uns das Boot an."),
        ("de", "Ich werde nicht darauf eingehen.", "Ich gehe nicht darauf ein."),
        ("de", "Wir werden gesehen.", "Wir werden gesehen."),
        (
            "de",
            "Öffnen Sie die Luke und holen Sie das Tau.",
            "Öffnen Sie die Luke und holen das Tau.",
        ),
        ("de", "Das Tau befindet sich an Deck.", "Das Tau ist an Deck."),
        ("de", "Wir nehmen Boot Nummer 12 nicht mit.", "Wir nehmen Boot 12 nicht mit."),
        ("fr", "D'abord, prenez la corde...", "D'abord, prenez la corde…"),
        ("de", "Boote, Netze und so weiter.", "Boote, Netze usw."),
        ("de", "Er kann nicht mal schwimmen.", "Er kann nicht mal schwimmen."),
        ("de", "Ich habe ja gesagt.", "Ich habe ja gesagt."),
        (
            "de",
            "Lassen Sie uns das Boot holen und den Hafen verlassen.",
            "Lassen Sie uns das Boot holen und den Hafen verlassen.",
        ),
        ("en", "I am sure that it is not here.", "I'm sure that it isn't here."),
        ("en", "We are going to sail in order to win.", "We'll sail to win."),
        ("es", "Echemos un vistazo al mapa.", "Veamos el mapa."),
        ("es", "No es necesario correr.", "No hace falta correr."),
        ("es", "Vamos a lavar y secar la red.", "Vamos a lavar y secar la red."),
        ("es", "Simplemente puedes esperar.", "Simplemente puedes esperar."),
        ("es", "Voy a hacer café.", "Voy a hacer café."),
        ("fr", "Nous allons ajouter du sel afin de goûter.", "On ajoutera du sel pour goûter."),
        ("fr", "Je vais acheter du pain.", "Je vais acheter du pain."),
        ("fr", "C'est parce que tu dors.", "C'est parce que tu dors."),
        ("fr", "N'oublie pas de fermer le port.", "Pense à fermer le port."),
        ("fr", "Il n'oublie pas de fermer le port.", "Il n'oublie pas de fermer le port."),
        (
            "fr",
            "En utilisant cette corde, tu vas le sauver.",
            "Avec cette corde, tu le sauveras.",
        ),
        ("fr", "Tout en utilisant une corde, il dort.", "Tout en utilisant une corde, il dort."),
        ("fr", "Est-ce que c'est ton bateau ?", "C'est ton bateau ?"),
        ("fr", "Sans aucune rame et sans aucun doute.", "Sans rame et sans aucun doute."),
        ("fr", "Je vais te chercher.", "Je vais te chercher."),
        (
            "fr",
            "Tout cela est vrai, je crois que cela est vrai.",
            "Tout cela est vrai, je crois que c'est vrai.",
        ),
        (
            "de",
            "In den meisten Fällen warten wir so lange, bis es dunkel ist.",
            "Meist warten wir, bis es dunkel ist.",
        ),
        ("de", "Er hat eine Reihe von Bildern.", "Er hat eine Reihe von Bildern."),
        ("de", "Er hat eine Reihe von Zeichnungen.", "Er hat mehrere Zeichnungen."),
        ("it", "Diamo un'occhiata alla barca.", "Vediamo la barca."),
        ("it", "All'interno della barca si trova un remo.", "Nella barca è un remo."),
        ("it", "Non è necessario remare.", "Non serve remare."),
        ("sv", "Vi ska segla i morgon bitti.", "Vi ska segla i morgon bitti."),
    ],
)
def test_what_says_the_same_is_said_in_fewer_characters(language, long, short):
    assert shortest(long, language) == short


def test_no_more_is_changed_than_fits() -> None:
    text = "Das Boot befindet sich wahrscheinlich im Hafen."
    assert plainer(text, "de", lambda one: len(one) <= 40)[0] == (
        "Das Boot befindet sich wohl im Hafen."
    )
    assert plainer(text, "de", lambda one: len(one) <= 33)[0] == "Das Boot ist wohl im Hafen."


def test_small_words_that_are_missed_are_counted() -> None:
    assert small_words("Noch ein weiteres Boot.", "de") == ["noch", "weiteres"]
    assert small_words("Ett annat fartyg.", "sv") == []
