"""Addresses, names of things and numbers are found, kept in translations, and told when lost."""

from __future__ import annotations

import pytest

from subfit.terms.glossary import Occurrence, TermFinder, name
from subfit.terms.placeables import find_placeables, with_placeables


def found(text: str, language: str = "de", source_language: str = "en") -> list[str]:
    return [each.source for each in find_placeables(text, source_language, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is all on www.example.org/films.", ["www.example.org/films"]),
        ("See https://example.org/a?b=1&c=2!", ["https://example.org/a?b=1&c=2"]),
        ("Write to anna.b@mail.example.org, please.", ["anna.b@mail.example.org"]),
        ("Follow @subfit and #subtitles.", ["@subfit", "#subtitles"]),
        ("Open config.yaml, then call get_text.", ["config.yaml", "get_text"]),
        ("PyTorch, iPhones and McCarthy's MP3", ["PyTorch", "iPhones", "McCarthy", "MP3"]),
        ("At www.example.org's page", ["www.example.org"]),
        ("In 2003: chaos.", ["2003"]),
        ("GPT-4 flew in an F-16 to the M25.", ["GPT-4", "F-16", "M25"]),
        ("Platform 17, in 2003, at 100%, for $40.", ["17", "2003", "100", "$40"]),
        ("It took 3.5 of 12,500 hours.", ["3.5", "12,500"]),
        ("That is $1,250.50 or 20% less.", ["$1,250.50", "20"]),
        ("Be there at 7:30, or 10 p.m., or 11am.", ["7:30", "10 p.m.", "11am"]),
        ("from 10 to 11 p.m.", ["11 p.m"]),  # the last dot closes the sentence
        ("She is 5'10\" tall and has 3 cats, we're #1!", ["5'10\"", "3", "1"]),
        ("It weighs 12 kg at 20°C, 60 mph", ["12 kg", "20°C", "60 mph"]),
        ("We 👨‍👩‍👧 say 你好 ♪", ["👨‍👩‍👧", "你好"]),
        ("Version 2.1.1 of 3,000,000.", ["2.1.1", "3,000,000"]),
        ("a 12-hour shift, 17 and 17", ["12", "17"]),
        ("Call 555-0142 or (212) 555-0142.", ["555-0142", "(212) 555-0142"]),
    ],
)
def test_what_has_to_be_kept_is_found(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "at 3.30",
        "the 1990s, the 1990's, the 21st, two F-16s",  # an ending that is a word's
        "24/7, 9/11, 1914-1918, 1914–18, 12-2000, 1-5550, 7-Eleven",
        "20 000 people, 12 500 of them; 1,000 times, 1,000,000",
        "A PhD? Two PhDs, the WiFi, WW2, mRNA.",
        "#When I was young",
        "Two dozen, T-shirt, NATO, O'Brien, don't.",
        "mid-1990, pre-2000",
        "He lives in Berlin. Why not? ...",
        "",
    ],
)
def test_what_may_be_said_otherwise_is_left_to_the_model(text):
    assert found(text) == []


def forms(text: str, language: str, source_language: str = "en") -> tuple[str, ...]:
    return find_placeables(text, source_language, language)[0].targets


def test_numbers_may_be_written_as_the_target_language_has_it():
    assert forms("12,500 people", "de-AT")[0] == "12.500"
    assert forms("12,500 people", "fr")[0] == "12 500"
    assert "12500" in forms("12,500 people", "es-419")
    assert forms("$1,250.50", "de")[0] == "1.250,50\u00a0$"
    assert "12,500" in forms("12,500 people", "es-MX")
    assert "12,500" not in forms("12,500 people", "es-ES")
    assert "12.500" not in forms("12,500 people", "fr")  # which is twelve and a half there
    assert forms("$1,250.50", "es-MX")[0] == "$1,250.50"
    assert not any("$1,250.50" in forms("$1,250.50", each) for each in ("de", "es", "fr", "it"))
    assert {"3", "drei"} <= {*forms("3 cats", "de")}
    assert {"2", "ambos"} <= {*forms("2 cats", "es")}
    assert "12'500" in forms("12,500 people", "de-CH")
    assert forms("3.5 seconds", "it") == ("3,5", "3.5")
    (occurrence,) = find_placeables("12,500 people", "en", "fr")
    assert occurrence.is_in("Environ 12\u202f500 personnes")
    assert not occurrence.is_in("Environ 12 personnes sur 500")


def test_separators_are_left_alone_where_their_meaning_is_not_known():
    assert found("12,500 and 3.5 of 17", language="ja") == ["17"]
    assert found("12,500 und 3.5 von 17", source_language="de", language="it") == ["17"]
    assert not found("Um 22 Uhr. Die GmbH. À 22 h. 12 500 personnes", source_language="fr")
    assert found("www.example.org has 17", language="ja", source_language="ko") == [
        "www.example.org",
        "17",
    ]


@pytest.mark.parametrize(
    ("source", "text", "there"),
    [
        ("17", "Gleis 17.", True),
        ("17", "Gleis 170.", False),
        ("17", "Gleis 1,7.", False),
        ("17", "Gleis 3.17.", False),
        ("17", "Gleis 17,5.", False),
        ("17", "彼は17歳です。", True),
        ("17", "عمره ١٧ عاما", True),
        ("17", "eine 17jährige", True),
        ("config.yaml", "Config.yaml ist offen.", True),
        ("PyTorch", "INSTALLIEREN SIE PYTORCH", True),
        ("PyTorch", "PyTorchをインストール", True),
        ("PyTorch", "Installieren Sie PyTorFlow", False),
        ("PyTorch", "Installieren Sie PyTorchFlow", False),
    ],
)
def test_a_translation_has_it_as_it_is(source, text, there):
    assert Occurrence(source, 0, (source,), placeable=True).is_in(text) is there


def test_names_of_things_may_be_spelt_a_little_otherwise():
    for source, target in (
        ("McCarthy's house", "McCarthys Haus"),
        ("two iPhones", "zwei iPhone"),
        ("COVID-19 is here", "Covid19 ist da"),
        ("the G20", "der G-20"),
    ):
        (occurrence,) = find_placeables(source, "en", "de")
        assert occurrence.is_in(target)


def test_a_term_goes_before_a_placeable_in_its_place():
    text = "Install PyTorch on channel 17 of 7-Eleven 2000."
    terms = TermFinder([name("channel 17")], "de").find(text)
    both = with_placeables(terms, find_placeables(text, "en", "de"))
    assert [(each.source, each.placeable) for each in both] == [
        ("PyTorch", True),
        ("channel 17", False),
        ("2000", True),
    ]
