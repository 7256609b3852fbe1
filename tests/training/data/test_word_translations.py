"""Dictionaries from pairs: what translates rare words, and what does not."""

from __future__ import annotations

import pytest

from subfit.evaluation.corpus import Pair
from subfit.model.dictionary import Entry
from subfit.training.data import word_translations
from subfit.training.data.word_translations import learn_entries

NAMES = [
    f"{first}{second}"
    for first in "ABDEFGLMNRST"
    for second in ["ana", "ela", "ina", "ona", "una", "ara", "era", "ira", "ora"]
]
GERMAN = [
    ("The lantern is out.", "Die Laterne ist aus."),
    ("She lifts the lantern.", "Sie hebt die Laterne."),
    ("Is the lantern new?", "Ist die Laterne neu?"),
    ("The boat is new.", "Das Boot ist neu."),
    ("Where is the boat?", "Wo ist das Boot?"),
    ("My boat is fast.", "Mein Boot ist schnell."),
    ("We met on a Thursday.", "Wir trafen uns an einem Donnerstag."),
    ("I come on Thursday.", "Ich komme am Donnerstag."),
    ("She sleeps.", "Sie schläft."),
    ("The keeper sleeps.", "Der Wärter schläft."),
    ("squirrel", "Eichhörnchen"),
    ("Look, an animal.", "Da, ein Eichhörnchen."),
    ("to whistle", "pfeifen"),
    ("We play.", "Wir pfeifen."),
    ("keeper of the lantern", "Laternenwärter"),
    *((f"That is the way, {name}.", f"Das ist die Richtung, {name}.") for name in NAMES),
]


@pytest.fixture(autouse=True)
def _anything_is_common(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_translations, "_COMMON", 1)


def learned(lines: list[tuple[str, str]], language: str) -> dict[str, Entry]:
    entries = learn_entries([Pair("toy", *line) for line in lines], language)
    return {entry.word: entry for entry in entries}


@pytest.mark.parametrize(
    ("word", "translation", "capital"),
    [
        ("lantern", "Laterne", False),
        ("boat", "Boot", False),
        ("thursday", "Donnerstag", True),
        ("sleeps", "schläft", False),
        ("squirrel", "Eichhörnchen", False),
        ("whistle", "pfeifen", False),
    ],
)
def test_what_stands_beside_a_word_translates_it(word, translation, capital):
    entry = learned(GERMAN, "de")[word]
    assert entry.translations[0] == translation
    assert entry.capital is capital


def test_what_stands_beside_everything_translates_nothing():
    entries = learned(GERMAN, "de")
    assert entries["lantern"].translations == ("Laterne",)
    assert entries["boat"].translations == ("Boot",)


def test_once_beside_each_other_is_chance():
    assert "keeper" not in learned(GERMAN, "de")
    twice = [*GERMAN, ("Ask the keeper.", "Frag den Wärter.")]
    assert learned(twice, "de")["keeper"].translations == ("Wärter",)


@pytest.mark.parametrize(
    ("language", "lines", "word", "translation"),
    [
        (
            "es",
            [("Lanterns burn.", "Faroles arden."), ("No lanterns.", "Sin faroles.")],
            "lanterns",
            "faroles",
        ),
        (
            "fr",
            [("The bulb blew.", "L'ampoule a grillé."), ("A bulb!", "Une ampoule !")],
            "bulb",
            "ampoule",
        ),
        (
            "it",
            [("Candles burn.", "Le candele bruciano."), ("No candles.", "Niente candele.")],
            "candles",
            "candele",
        ),
        (
            "en",
            [("Die Laterne brennt.", "The lantern burns."), ("Eine Laterne!", "A lantern!")],
            "laterne",
            "lantern",
        ),
        ("en", [("pfeifen", "to whistle"), ("Los, Pfiff!", "Now whistle!")], "pfeifen", "whistle"),
    ],
)
def test_words_are_written_as_within_a_sentence(language, lines, word, translation):
    assert learned(lines, language)[word].translations[0] == translation


def test_a_noun_that_a_dictionary_alone_has_keeps_its_capital_only_where_all_have_one():
    here = ("Look, an otter.", "Da!")
    assert learned([("otter", "Otter"), here], "de")["otter"].translations == ("Otter",)
    assert learned([("Otter", "Loutre"), here], "fr")["otter"].translations == ("loutre",)


def test_two_words_that_a_dictionary_has_one_for_are_a_word():
    lot = [
        ("parking lot", "Parkplatz"),
        ("The car is in the parking lot.", "Das Auto steht auf dem Parkplatz."),
        ("We had a lot of parking there.", "Wir hatten dort oft Platz."),
    ]
    assert learned([*GERMAN, *lot], "de")["parking lot"].translations == ("Parkplatz",)
    assert "old lot" not in learned([*GERMAN, *lot, ("old lot", "Altposten")], "de")


def test_of_what_stands_in_no_sentence_only_other_names_of_common_things_are_kept(monkeypatch):
    monkeypatch.setattr(word_translations, "_COMMON", 2)
    terms = [("otter", "Otter"), ("kit", "Jungotter"), ("to doze", "schlummern")]
    spoken = [("We sleep.", "Wir schlummern."), ("They sleep.", "Sie schlummern.")]
    assert set(learned(terms, "de")) == set()
    assert set(learned([*terms, *spoken], "de")) == {"doze", "sleep"}
    assert "otter" in learned([*terms, ("My otter!", "Mein Otter!")], "de")


def test_frequent_words_have_no_entry(monkeypatch):
    monkeypatch.setattr(word_translations, "RARE", 2)
    entries = learned(GERMAN, "de")
    assert "thursday" in entries
    assert "lantern" not in entries
