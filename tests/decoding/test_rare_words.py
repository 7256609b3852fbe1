"""Which words of a source are rare, and how their translations may be written."""

from __future__ import annotations

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.rare_words import RareWords
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import load_checkpoint
from subfit.model.dictionary import Dictionary, Entry
from subfit.model.source_words import SourceWord, SourceWords
from tests.places import EN_MULTI

ENTRIES = {
    "de": [
        Entry("lantern", ("Laterne",), capital=False),
        Entry("thursday", ("Donnerstag",), capital=True),
        Entry("finch", ("Fink",), capital=False),
        Entry("lantern oil", ("Lampenöl",), capital=False),
    ],
    "es": [Entry("lantern", ("linterna", "farol"), capital=False)],
    "fr": [
        Entry("bulb", ("ampoule",), capital=False),
        Entry("lantern", ("lanterne",), capital=False),
    ],
}
SOURCE_WORDS = SourceWords.of(
    SourceWord(word, name_within=word == "rose")
    for word in [
        "ask",
        "come",
        "oil",
        "rose",
        "old",
        "lantern",
        "light",
        "the",
        "thursday",
        "wait",
        "where",
    ]
)


@pytest.fixture(scope="module")
def tokenizer():
    return load_checkpoint(str(EN_MULTI)).tokenizer


def found(tokenizer, text, language="de", terms=()):
    """Per rare word the texts that its spellings print, within and opening."""
    dictionary = Dictionary.of(ENTRIES[language], tokenizer)
    words = RareWords(dictionary, tokenizer, None, ("en", language)).of(text, terms)

    def printed(paths):
        return {"".join(tokenizer.piece_texts[piece] for piece in path) for path in paths}

    return [(printed(word.within), printed(word.opening)) for word in words]


@pytest.mark.parametrize(
    ("text", "within", "opening"),
    [
        ("I see a lantern.", {" Laterne"}, set()),
        ("Lantern!", {" Laterne"}, {" Laterne"}),
        ("- Lantern!", {" Laterne"}, {" Laterne"}),
        ("Wait. Lantern light?", {" Laterne"}, {" Laterne"}),
        ("We need lantern oil.", {" Lampenöl"}, set()),
        ("Lantern oil!", {" Lampenöl"}, {" Lampenöl"}),
        ("A lantern, oil, bread.", {" Laterne"}, set()),
        ("Come on Thursday.", {" Donnerstag"}, set()),
    ],
)
def test_a_word_is_found_where_it_stands(tokenizer, text, within, opening):
    assert found(tokenizer, text) == [(within, opening)]


def test_where_a_word_stands_and_its_best_translation_are_told(tokenizer):
    dictionary = Dictionary.of(ENTRIES["es"], tokenizer)
    (word,) = RareWords(dictionary, tokenizer, None, ("en", "es")).of("I see a lantern.")
    assert ("I see a lantern."[slice(*word.span)], word.translation) == ("lantern", "linterna")


def test_a_name_stands_for_a_word_by_chance(tokenizer):
    """Dictionaries are learnt from what stands beside each other; German nouns have capitals."""
    for others, language, translation in [
        ((), "es", ""),
        (("farol",), "es", "farol"),
        (("Laterne",), "de", "Everleigh"),
    ]:
        entry = Entry("lantern", ("Everleigh", *others), capital=False)
        dictionary = Dictionary.of([entry], tokenizer)
        (word,) = RareWords(dictionary, tokenizer, None, ("en", language)).of("I see a lantern.")
        assert word.translation == translation


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Where is Mr. Finch?", ()),  # a name
        ("My friend Lantern called.", ()),
        ("The lamp is out.", ()),
        ("The lantern is out.", ("lantern",)),
        ("The old lantern is out.", ("old lantern",)),
        ("", ()),
    ],
)
def test_names_and_terms_are_left_alone(tokenizer, text, terms):
    assert found(tokenizer, text, terms=terms) == []


def names(tokenizer, text, language="de"):
    dictionary = Dictionary.of(ENTRIES[language], tokenizer, SOURCE_WORDS)
    words = RareWords(dictionary, tokenizer, None, ("en", language)).of(text)
    return {word.name: word for word in words if word.name}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ask Halloran.", {"Halloran"}),
        ("Halloran? Wait!", {"Halloran"}),
        ("Where is Jo-Anne Halloran's oil?", {"Jo-Anne", "Halloran"}),
        ("Where is Rose?", {"Rose"}),
        ("Rose oil.", set()),
        ("Come on Thursday.", set()),  # the dictionary has it
        ("halloran", set()),
    ],
)
def test_names_are_found(tokenizer, text, found):
    assert set(names(tokenizer, text)) == found


def test_a_name_stays_as_it_is(tokenizer):
    name = names(tokenizer, "Ask Halloran.")["Halloran"]
    (path,) = name.within
    assert "".join(tokenizer.piece_texts[piece] for piece in path) == " Halloran"
    assert name.is_in("Hallorans Lampe")
    assert not name.is_in("halloran")
    assert not name.is_in("Haloran")
    assert not name.is_in("McHalloran")


def test_a_word_with_a_capital_may_be_translated_or_stay(tokenizer):
    word = names(tokenizer, "The Old Lantern is there.")["Lantern"]
    assert {"".join(tokenizer.piece_texts[piece] for piece in path) for path in word.within} == {
        " Laterne",
        " Lantern",
    }
    assert word.is_in("Die alte Laterne")
    assert word.is_in("Old Lantern")
    assert not word.is_in("Das alte Licht")


def test_a_word_that_stands_twice_is_asked_for_once(tokenizer):
    assert len(found(tokenizer, "A lantern, and another lantern.")) == 1


def test_what_opens_a_sentence_has_a_capital_and_may_stand_behind_its_mark(tokenizer):
    ((within, opening),) = found(tokenizer, "Lanterns? Lantern!", "es")
    assert within == {" linterna", " farol", " Linterna", " Farol", "Linterna", "Farol"}
    assert opening == {" Linterna", " Farol", "Linterna", "Farol"}


def test_words_with_a_vowel_may_stand_behind_an_article_that_loses_its_own(tokenizer):
    assert found(tokenizer, "The bulb blew.", "fr") == [({" ampoule", "ampoule"}, set())]
    assert found(tokenizer, "The lantern fell.", "fr") == [({" lanterne"}, set())]


@pytest.mark.parametrize(
    ("translation", "said"),
    [
        ("Die Laterne ist aus.", True),
        ("Zwei Laternen.", True),
        ("Der Laternenwärter", True),
        ("Die Lampe ist aus.", False),
        ("", False),
    ],
)
def test_a_word_is_said_in_any_form(tokenizer, translation, said):
    dictionary = Dictionary.of(ENTRIES["de"], tokenizer)
    (word,) = RareWords(dictionary, tokenizer, None, ("en", "de")).of("The lantern is out.")
    assert word.is_in(translation) is said


@pytest.mark.parametrize(
    ("language", "source", "word"),
    [
        ("es", "He keeps a hedgehog in his pocket.", "erizo"),
        ("es", "The otter sleeps.", "nutria"),
        ("es", "The witch has a cauldron.", "caldero"),
        ("fr", "The scarecrow fell over.", "épouvantail"),
        ("fr", "He bought a hammock.", "hamac"),
        ("it", "The witch has a cauldron.", "calderone"),
    ],
)
def test_the_shipped_model_is_led_to_words_that_it_hardly_knows(
    language, source, word, monkeypatch
):
    translator = Translator.load(EN_MULTI, target_language=language, channel_model=None)
    (led,) = translator.translate([Request(source)])
    assert word in led[0].text
    assert led[0].credit > 0
    monkeypatch.setattr(RareWords, "of", lambda *_: ())
    (alone,) = translator.translate([Request(source)])
    assert word not in alone[0].text
    assert alone[0].credit == 0
