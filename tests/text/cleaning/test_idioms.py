"""Turns of speech and the plain words that a model reads for them."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.cleaning import clean
from subfit.text.cleaning.idiom_lists import _lists, forms_of
from subfit.text.cleaning.idioms import find_idioms, in_plain_words


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The old miller kicked the bucket.", "The old miller died."),
        ("Nobody wants to kick the bucket.", "Nobody wants to die."),
        ("She keeps kicking the bucket in every play.", "She keeps dying in every play."),
        ("We've let the cat out of the bag.", "We've told the secret."),
        ("They have gone bananas.", "They have become crazy."),
        ("Let's hit the road!", "Let's leave!"),
        ("She hit the sack at nine.", "She went to bed at nine."),
        ("I want to hit the sack at nine.", "I want to go to bed at nine."),
        ("They set fire to the barn.", "They burned the barn."),
        ("I can't cut the crap.", "I can't stop talking nonsense."),
        ("I have to hit the sack.", "I have to go to bed."),
        ("Has he hit the sack already?", "Has he gone to bed already?"),
        ("I was told that he has a crush on Lena.", "I was told that he is in love with Lena."),
        ("I have a crush on Lena.", "I am in love with Lena."),
        ("We had a crush on Lena.", "We were in love with Lena."),
    ],
)
def test_a_verb_keeps_its_form(text, read):
    assert in_plain_words(text, "en") == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("He's only pulling your leg.", "He's only making fun of you."),
        ("He's pulling Anna's leg.", "He's making fun of Anna."),
        ("Don't let my brother down!", "Don't disappoint my brother!"),
        ("Give Tom Miller a hand.", "Help Tom Miller."),
        ("Pull yourself together!", "Calm down!"),
        ("She is out of his league.", "She is too good for him."),
        ("I want to let my hair down.", "I want to relax."),
    ],
)
def test_persons_stay_who_they_are(text, read):
    assert in_plain_words(text, "en") == read


@pytest.mark.parametrize(
    "text",
    [
        "He blew it up.",  # not "He blew it."
        "Let's not get lost.",  # not "Get lost!"
        "I'm allergic to nuts.",
        "A piece of cake, please.",
        "It was a breeze from the sea.",
        "The Tried and True Cookbook is on the shelf.",
        "Watch it grow.",
        "They kicked the buckets.",
        "He bought a house on the hill.",
        "The fire on the hill burned.",
        "I'm ready.",  # not "Ready?"
        "Ready, steady, go!",
        "The cheers were loud.",
        "I'm in no way involved.",
    ],
)
def test_what_is_meant_as_it_stands_stays(text):
    assert in_plain_words(text, "en") == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Break a leg!", "Good luck!"),
        ("“Break a leg,” she said.", "“Good luck,” she said."),
        ("It’s all Greek to me.", "I don’t understand it."),
        ("Well, I rest my case.", "Well, that proves it."),
        ("I rest my case.", "That proves it."),
        ("Out of the blue, it rained cats and dogs.", "Suddenly, it rained very hard."),
        ("Are you nuts?", "Are you crazy?"),
        ("Ready?", "Are you ready?"),
        ("Well, you okay?", "Well, are you okay?"),
        ("No way!", "That's impossible!"),
        ("What the hell are you doing?", "Damn it, what are you doing?"),
        ("I know what the hell you mean.", "I know what you mean."),
        ("I'm feeling a bit under the weather.", "I'm feeling a bit sick."),
    ],
)
def test_capitals_and_apostrophes_are_those_of_the_text(text, read):
    assert in_plain_words(text, "en") == read


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("de", "Ich verstehe nur Bahnhof.", "Ich verstehe gar nichts."),
        ("de", "Hals- und Beinbruch!", "Viel Glück!"),
        ("es", "El examen fue pan comido.", "El examen fue muy fácil."),
        ("es", "¡Y un jamón!", "¡Nunca!"),
        ("fr", "Occupe-toi de tes oignons.", "Occupe-toi de tes affaires."),
        ("fr", "Il a eu ça les doigts dans le nez.", "Il a eu ça très facilement."),
        ("it", "In bocca al lupo!", "Buona fortuna!"),
        ("it", "È stato un gioco da ragazzi.", "È stato molto facile."),
    ],
)
def test_other_languages_have_some_of_their_own(language, text, read):
    assert in_plain_words(text, language) == read


def test_nothing_is_known_of_other_languages():
    assert in_plain_words("Break a leg!", "pl") == "Break a leg!"


def test_a_term_of_a_glossary_is_no_part_of_one():
    text = "The coast is clear, says Break a Leg. Break a leg!"
    assert in_plain_words(text, "en", kept=("coast",)).startswith("The coast is clear")
    assert "Good luck!" in in_plain_words(text, "en", kept=("coast",))
    longer = "It is a piece of cake bakery."
    assert in_plain_words(longer, "en") != longer
    assert in_plain_words(longer, "en", kept=("cake bakery",)) == longer
    assert in_plain_words("It is a piece of cake.", "en", kept=("ake",)) == "It is very easy."


def test_the_model_reads_plain_words_and_nothing_is_put_back():
    cleaned = clean("That will cost $20, not an arm and a leg. Piece of cake?", "en", "de")
    assert cleaned.text == "That will cost 20 dollars, not an arm and a leg. Piece of cake?"
    cleaned = clean("It was a piece of cake and cost $20.", "en", "de")
    assert cleaned.text == "It was very easy and cost 20 dollars."
    assert [one.written for one in cleaned.stand_ins] == ["20\N{NO-BREAK SPACE}$"]
    assert clean("Break a leg!", "en", "en").text == "Break a leg!"
    assert (
        clean("Break a leg for $20!", "en", "de", plain=False).text == "Break a leg for 20 dollars!"
    )


def every(language: str) -> list[tuple[str, str, str]]:
    return [
        (place, idiom, words)
        for place, idioms in _lists()[language].items()
        if place != "irregular"
        for idiom, words in idioms.items()
    ]


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it"])
def test_plain_words_have_no_turns_of_speech_themselves(language):
    for place, idiom, words in every(language):
        assert isinstance(words, str)
        assert in_plain_words(f"{words}.", language) == f"{words}.", (place, idiom)


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it"])
def test_all_of_them_are_found(language):
    slots = {"one's": "her", "someone's": "their", "someone": "me", "oneself": "himself"}
    for place, idiom, _ in every(language):
        verb = place.startswith("verbs")
        words = [forms_of(idiom.split()[0])[1] if verb else idiom.split()[0], *idiom.split()[1:]]
        text = " ".join(slots.get(word, word) for word in words)
        before = "He is " if place.startswith("after_be") else "He " if verb else ""
        end = "?" if place == "asked" else "."
        (found,) = find_idioms(f"{before}{text}{end}", language)
        assert (found.start, found.end) == (len(before), len(before) + len(text)), idiom


def test_forms_of_verbs():
    assert forms_of("hit") == ("hit", "hits", "hit", "hit", "hitting")
    assert forms_of("go") == ("go", "goes", "went", "gone", "going")
    assert forms_of("annoy") == ("annoy", "annoys", "annoyed", "annoyed", "annoying")
    assert forms_of("be")[-1] == "being"
