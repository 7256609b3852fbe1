"""What everybody says is found, and said as people say it."""

from __future__ import annotations

import pytest

from subfit.phrases.phrasebook import Phrasebook

WHOLE = {
    ("en", "de"): {
        "Never mind.": "Schon gut.",
        "You’re welcome!": "Gern geschehen!",
        "What's going on?": "Was ist hier los?",
        "What is going on?": "Was ist hier los?",
        "Hurry up!": "Beeil dich!",
        "Come on, let's go.": "Komm schon, gehen wir.",
        "Come on, guys!": "Kommt schon, Leute!",
        "Are you all right, sir?": "Alles in Ordnung, Sir?",
        "Sit down, sir.": "Setzen Sie sich, Sir.",
        "Good night, Zelenka.": "Gute Nacht, Zelenka.",
        "Oh my God, what have you done?": "Oh mein Gott, was hast du getan?",
        "Stop! Hands up!": "Stopp! Hände hoch!",
        "To be continued...": "Fortsetzung folgt...",
        "Guess what?": "Rate mal.",
        "Ready, aim, fire!": "Achtung, zielen, Feuer!",
        "all right…": "okay…",
        "Hi guys!": "Hallo, Leute!",
        "Yes sir!": "Jawohl, Sir!",
        "How are you my friend?": "Wie geht's, mein Freund?",
        "I love you guys.": "Ich liebe euch, Leute.",
    },
    ("en", "es"): {
        "Never mind.": "No importa.",
        "You're welcome!": "De nada!",
        "What's going on?": "¿Qué está pasando?",
        "Hurry up!": "Date prisa!",
        "Come on, let's go.": "Vamos, vamos.",
        "What's up, man?": "¿Qué hay, tío?",
        "Are you all right, sir?": "¿Está bien, señor?",
        "Good night, Zelenka.": "Buenas noches, Zelenka.",
        "I told you so.": "Te lo dije.",
        "How much is it?": "¿Cuánto cuesta?",
        "Hello? Is anybody there?": "¿Hola? ¿Hay alguien ahí?",
        "Long live the king!": "Viva el rey!",
    },
    ("en", "fr"): {
        "Never mind.": "Peu importe.",
        "You're welcome!": "De rien!",
        "What's going on?": "Que se passe-t-il?",
        "Hurry up!": "Dépêche-toi!",
        "Come on, guys!": "Allez, les gars!",
        "Are you sure, sir?": "Vous êtes sûr, monsieur?",
        "Shut up, you idiot!": "Tais-toi, idiot!",
        "Good night, Zelenka.": "Bonne nuit, Zelenka.",
        "I miss you.": "Tu me manques.",
        "Happy birthday, Mom!": "Joyeux anniversaire, maman!",
        "Once upon a time...": "Il était une fois...",
        "Mayday, mayday!": "Mayday, mayday!",
    },
    ("en", "it"): {
        "Never mind.": "Non importa.",
        "You're welcome!": "Prego!",
        "What's going on?": "Che sta succedendo?",
        "Hurry up!": "Sbrigati!",
        "Come on, guys!": "Andiamo, ragazzi!",
        "Are you sure, sir?": "È sicuro, signore?",
        "You're right, doctor.": "Ha ragione, dottore.",
        "Good night, Zelenka.": "Buonanotte, Zelenka.",
        "I miss you.": "Mi manchi.",
        "Open the door!": "Apri la porta!",
        "Cut it out!": "Smettila!",
        "What a pity.": "Che peccato.",
    },
    ("de", "en"): {
        "Keine Sorge, Kumpel.": "Don't worry, buddy.",
        "Was ist hier los?": "What's going on?",
        "Setzen Sie sich!": "Sit down!",
        "Ich liebe dich, Schatz.": "I love you, honey.",
    },
    ("es", "en"): {
        "¡Vamos, chicos!": "Come on, guys!",
        "Lo siento mucho.": "I'm so sorry.",
        "¿Quién eres?": "Who are you?",
    },
    ("fr", "en"): {"Asseyez-vous, monsieur.": "Sit down, sir.", "Je t’aime.": "I love you."},
    ("it", "de"): {"Mi dispiace.": "Tut mir leid.", "Chi sei?": "Wer bist du?"},
}


@pytest.mark.parametrize(
    ("languages", "source", "target"),
    [(pair, *one) for pair, known in WHOLE.items() for one in known.items()],
)
def test_what_is_nothing_but_phrases_is_known_whole(languages, source, target):
    cut = Phrasebook(*languages).cut(source)
    assert cut is not None and not cut.rest
    assert cut.opening(None) == target


def test_strangers_and_several_people_are_told_otherwise():
    phrasebook = Phrasebook("en", "de")
    cut = phrasebook.cut("Sit down!")
    assert cut.opening("formal") == "Setzen Sie sich!"
    assert cut.opening("informal") == "Setz dich!"
    assert phrasebook.cut("Sit down, boys!").opening("informal") == "Setzt euch, Jungs!"


def test_what_cannot_be_said_to_several_people_is_left_to_the_model():
    phrasebook = Phrasebook("en", "de")
    assert phrasebook.cut("Welcome to the club, guys!") is None
    assert Phrasebook("en", "es").cut("It's none of your business, guys!") is None


def test_the_regions_of_a_language_share_its_phrases():
    assert Phrasebook("en-GB", "es-419").cut("Never mind.").opening(None) == "No importa."


@pytest.mark.parametrize(
    ("source", "before", "rest", "behind"),
    [
        ("Never mind, I'll do it.", "Schon gut,", "I'll do it.", ""),
        ("Get down! There's a sniper.", "Runter!", "There's a sniper.", ""),
        ("He is dead. What do we do now?", "", "He is dead.", "Was machen wir jetzt?"),
        ("I love it, thank you.", "", "I love it,", "danke."),
        ("You are coming with us, right?", "", "You are coming with us,", "oder?"),
        ("Damn. It is a cave. Look!", "Verdammt.", "It is a cave.", "Schau!"),
    ],
)
def test_phrases_at_the_ends_are_cut_off(source, before, rest, behind):
    cut = Phrasebook("en", "de").cut(source)
    assert (cut.opening(None), cut.rest, cut.closing(None)) == (before, rest, behind)


@pytest.mark.parametrize(
    "source",
    [
        "Hey, the door is open.",  # a word that opens a sentence is no reason to part it
        "No, the other one.",
        "Zelenka, come on!",  # a name at the beginning has its capital anyway
        "Maybe tomorrow, we will see the others.",  # no sentence of its own
        "Never mind the cat.",
        "Is it what I see?",
        "“Never mind,” she said.",
        "Shoot",
        "",
        "...",
    ],
)
def test_other_texts_are_left_alone(source):
    assert Phrasebook("en", "de").cut(source) is None


def test_what_has_a_translation_of_its_own_is_no_phrase():
    assert Phrasebook("en", "de").cut("Hold your fire!", ["fire"]) is None
    assert Phrasebook("en", "de").cut("Good night, Zelenka.", ["Zelenka"]) is not None


@pytest.mark.parametrize(
    ("language", "clear", "ambiguous"),
    [
        ("de", "Sind Sie sicher?", "Sind sie sicher?"),  # them
        ("de", "Du lügst.", "Sie lügen."),
        ("es", "¿Estás seguro?", "¿Está seguro?"),  # he
        ("es", "Siéntese.", "Tiene razón."),
        ("it", "Chi sei?", "Chi è?"),
        ("it", "Si sieda.", "Dov'è?"),
        ("fr", "Vous avez raison.", "Qui est-ce ?"),
    ],
)
def test_what_may_be_meant_of_others_is_left_to_the_model(language, clear, ambiguous):
    phrasebook = Phrasebook(language, "en")
    assert phrasebook.cut(clear) is not None
    assert phrasebook.cut(ambiguous) is None


def test_other_pairs_have_none():
    assert Phrasebook("en", "ja").cut("Never mind.") is None
    assert Phrasebook("und", "de").cut("Never mind.") is None
    assert Phrasebook("en", "en-GB").cut("Never mind.") is None


def test_there_are_shorter_ways_to_say_some():
    cut = Phrasebook("en", "de").cut("Thank you very much.")
    assert [cut.opening(None, level) for level in range(cut.levels)] == ["Vielen Dank.", "Danke."]
