"""Capitals given back to lower-cased text."""

from __future__ import annotations

import pytest

from subfit.training.data.truecasing import Truecaser

TEXTS = [
    "Das Haus steht in Berlin.",
    "Im Haus wohnt die NATO. Kleine Häuser sind schön.",
    "„Morgen“, sagte sie, „bauen Sie das Haus. Gestern haben sie das Dach gebaut.“",
    "Heute ist der Tag; der Morgen ist sein Anfang.",
]


@pytest.fixture(scope="module")
def truecaser() -> Truecaser:
    return Truecaser(TEXTS)


@pytest.mark.parametrize(
    ("text", "recased"),
    [
        ("das haus steht.", "Das Haus steht."),
        ("wo ist das haus? in berlin.", "Wo ist das Haus? In Berlin."),
        ("die nato ist in berlin", "Die NATO ist in Berlin"),
        ("nato-häuser", "NATO-Häuser"),
        ("„das haus“, sagt sie.", "„Das Haus“, sagt sie."),
        ("es ist schön… sagen sie", "Es ist schön… Sagen sie"),
        ("unbekannte wörter bleiben", "Unbekannte wörter bleiben"),
        ("öl brennt", "Öl brennt"),
        ("", ""),
        ("?!", "?!"),
    ],
)
def test_words_get_the_case_they_mostly_have(truecaser, text, recased):
    assert truecaser.recase(text) == recased


def test_words_that_only_open_sentences_teach_no_capital():
    assert Truecaser(["Kleine Hunde.", "Kleine Katzen."]).recase("der kleine") == "Der kleine"


def test_the_more_frequent_form_wins_and_lower_case_a_tie():
    assert Truecaser(["x May", "x May", "x may"]).recase("in may") == "In May"
    assert Truecaser(["x May", "x may"]).recase("in may") == "In may"


def test_only_letters_change_and_only_their_case(truecaser):
    for text in (each.lower() for each in TEXTS):
        assert truecaser.recase(text).lower() == text
