"""Words that a model can hardly have from anywhere."""

from __future__ import annotations

import pytest

from subfit.text.known_words import KnownWords, fingerprint, lowered_words


def seen(text: str, language: str) -> KnownWords:
    return KnownWords(map(fingerprint, lowered_words(text)), language)


GERMAN = seen(
    "Die Nahrung ist im Ofen. Würfel und Würfeln, sie backen die Karten. dann schuldig", "de"
)


@pytest.mark.parametrize(
    ("text", "source", "words"),
    [
        ("Die Würfel sind im Ofen.", "", ("sind",)),
        ("DIE WÜRFEL IM OFEN", "", ()),  # no case counts
        ("Toms Würfel", "Tom's dice", ()),  # from the source, with an s of German
        ("Marlow und die Würfel", "Marlow and the dice", ()),
        ("Konkrächen, Konkrächen und Konkrächen", "", ("Konkrächen",)),  # each once
        ("Blöck, und Röst", "", ("Blöck", "Röst")),
        ("Ofen-Würfel", "", ()),  # the parts of hyphenated words are words
        ("3D im Ofen, 24/7", "", ()),  # single letters, digits
        ("♪ … – «»", "", ()),
    ],
)
def test_what_is_neither_known_nor_in_the_source_is_told(text, source, words):
    assert GERMAN.out_of_vocabulary(text, source) == words


@pytest.mark.parametrize("word", ["Ofenkarten", "Nahrungswürfeln", "Ofennahrungskarten"])
def test_compounds_of_known_words_are_words(word):
    assert not GERMAN.out_of_vocabulary(word, "")


@pytest.mark.parametrize("word", ["dannschuldig", "Nahrungswürfelx", "Ofenxkarten", "Imofen"])
def test_not_everything_is_a_compound(word):
    """German ones have a capital, and parts of a few letters would make anything of anything."""
    assert GERMAN.out_of_vocabulary(word, "") == (word,)


def test_only_some_languages_make_compounds():
    assert not seen("taal school", "nl").out_of_vocabulary("taalschool", "")
    assert seen("forze della regina", "it").out_of_vocabulary("forzeregina", "") == ("forzeregina",)


def test_terms_of_a_glossary_are_known():
    assert not GERMAN.out_of_vocabulary("der Kahnbau".title(), "", terms=["Der Kahnbau"])


def test_elided_articles_stand_apart():
    italian = seen("l'ancora è un'altra cosa", "it")
    assert not italian.out_of_vocabulary("un'ancora l'altra", "")
    assert italian.out_of_vocabulary("l'ante", "") == ("ante",)


def test_scripts_without_spaces_are_not_judged():
    assert not seen("猫", "ja").out_of_vocabulary("犬が走る", "")


def test_fingerprints_tell_words_apart():
    """Of a list as long as real ones hardly any other word may seem to be in it."""
    known = KnownWords((fingerprint(f"w{number}") for number in range(100_000)), "fr")
    others = (" ".join("abcdefghij"[int(digit)] * 2 for digit in str(n)) for n in range(1000, 9999))
    text = " ".join(each.replace(" ", "") for each in others)
    assert len(known.out_of_vocabulary(text, "")) > 8990


@pytest.mark.parametrize(
    ("language", "listed", "known", "unknown"),
    [
        ("de", "der Sieg, die Karte", "Siegs Sieges Siegen Karten", "siegs Siegel Sieger"),
        ("it", "informare, dicendo", "informarti informarvelo dicendogli", "informarxi dicendox"),
        ("es", "decir, haciendo, dar", "decirlo haciéndolo dármelo darnos", "decirxo haciéndox"),
        ("fr", "dire, sieg", "", "direle Siegs"),
    ],
)
def test_words_are_known_in_other_cases_and_with_pronouns(language, listed, known, unknown):
    words = seen(listed, language)
    assert words.out_of_vocabulary(known, "") == ()
    assert words.out_of_vocabulary(unknown, "") == tuple(unknown.split())
