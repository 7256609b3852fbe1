"""What ends a sentence."""

from __future__ import annotations

import pytest

from subfit.text.sentence_ends import end_of
from tests.subtitles.test_joining import joined


@pytest.mark.parametrize(
    ("first", "second", "one"),
    [
        # Abbreviations
        ("I have to see Mr.", "Finch today.", True),
        ("Ask for Dr.", "Amara Okoye.", True),
        ("I was born in St.", "Louis, you know.", True),
        ("See No.", "5 of the list.", True),
        ("The answer is No.", "Nobody came.", False),
        ("No.", "5 boats are enough.", False),
        ("We met at 5 p.m.", "and went home.", True),
        ("We met at 5 p.m.", "Then we left.", False),
        ("Apples, pears, etc.", "are in the crate.", True),
        ("He lives in the U.S.", "He likes it.", False),
        ("I met John F.", "Keller there.", True),
        ("It costs 3.50", "a kilo.", True),
        # Dots
        ("I thought you...", "...were asleep.", True),
        ("I thought that…", "you were asleep.", True),
        ("I thought...", "Never mind.", False),
        ("They all...", "I have no words.", False),
        ("The crew,", "...and the captain.", True),
        # Capitals and numbers
        ("I gave it to", "Walter.", True),
        ("It was built in", "1902.", True),
        ("We sail at dawn", "Be there", False),
        ("Yes, I know,", "Walter told me.", True),
        ("But you and", "I'm sorry to say it", True),
        # Who speaks
        ("ANNA: I said", "WALTER: nothing!", False),
        ("I said", "[ANNA] nothing!", False),
        ("I said", "(ANNA) nothing!", False),
        ("I said", ">> nothing!", False),
        ("I said", "- nothing!", False),
        ("- Who is it?\n- I said", "that nobody came.", True),
        ("- I said", "- nothing!", False),
        ("he said", "♪ la la la ♪", False),
        # Quotes, brackets, dashes, colons
        ('"Who is there?"', '"nobody"', False),
        ('He shouted "stop', 'right there!"', True),
        ("He said (quietly)", "that it rains.", True),
        ("*Get out of my way!*", "*or else*", False),
        ("I wanted to --", "Stop it!", False),
        ("I wanted to say --", "that I am sorry.", True),
        ("He told me this:", "stay here.", False),
        # Markup
        ("{\\an8}he said", "that it rains", True),
        ("<i>he said</i>", "that it rains", False),
        ("<font color=red>he said</font>", "<font color=lime>that</font>", False),
        ("he said <b>never</b>", "to come back", True),
    ],
)
def test_what_ends_a_sentence(first: str, second: str, one: bool) -> None:
    chains = joined(first, second)
    assert ((0, 1) in chains) == one


def test_what_ends_a_sentence_in_german() -> None:
    for cues in (
        ("Er hat gestern ein", "Haus gekauft."),
        ("Wir fahren am 3.", "Mai nach Kiel."),
        ("Das war z.B.", "gestern so."),
        ("Ich kenne Hr.", "Finke gut."),
    ):
        assert joined(*cues, language="de") == [(0, 1)], cues


@pytest.mark.parametrize("tag", ["de", "DE", "deu", "de_DE", "de-AT"])
def test_every_tag_of_a_language_has_its_abbreviations(tag: str) -> None:
    assert end_of("Es war am 3.", "Mai, glaube ich.", tag) == "open"
    assert end_of("Da kommt Dr.", "Bell.", tag) == "open"
