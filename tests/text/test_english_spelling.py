"""British and American spelling, by the tag of the language."""

from __future__ import annotations

import pytest

from subfit.text.english_spelling import respelt
from subfit.text.typography import Style, complete, typeset

BOTH = [
    ("What color is the harbor?", "What colour is the harbour?"),
    ("My neighbor labored in vain.", "My neighbour laboured in vain."),
    ("It's an honor. My favorite!", "It's an honour. My favourite!"),
    ("The theater in the center", "The theatre in the centre"),
    ("He traveled and canceled it.", "He travelled and cancelled it."),
    ("I realize you apologized.", "I realise you apologised."),
    ("A gray mustache, cozy pajamas", "A grey moustache, cosy pyjamas"),
    ("In self-defense, no offense.", "In self-defence, no offence."),
    ("Mom's home. Where's my Mom?", "Mum's home. Where's my Mum?"),
    ("Honor him! Realize that.", "Honour him! Realise that."),
    ("HONOR THE NEIGHBORHOOD", "HONOUR THE NEIGHBOURHOOD"),
    ("I'm skeptical of organizations.", "I'm sceptical of organisations."),
    ("“Color?” he asked. “Gray.”", "“Colour?” he asked. “Gray.”"),
    ("Marvelous jewelry!", "Marvellous jewellery!"),
]


@pytest.mark.parametrize(("american", "british"), BOTH)
@pytest.mark.parametrize("tag", ["en-GB", "en-IE", "en-AU", "en_NZ", "eng-GB"])
def test_britain_and_others_spell_so(tag: str, american: str, british: str) -> None:
    assert respelt(american, tag, longer=True) == british
    assert respelt(british, tag, longer=True) == british


@pytest.mark.parametrize(("american", "british"), BOTH)
def test_america_spells_so(american: str, british: str) -> None:
    assert respelt(british, "en-US", longer=False) == american
    assert respelt(american, "en-US", longer=True) == american


@pytest.mark.parametrize(("american", "british"), BOTH)
@pytest.mark.parametrize("tag", ["en", "eng", "en-CA", "en-Latn", "de", "fr-CA"])
def test_where_no_region_tells_nothing_is_changed(tag: str, american: str, british: str) -> None:
    assert respelt(american, tag, longer=True) == american
    assert respelt(british, tag, longer=True) == british


@pytest.mark.parametrize(
    "text",
    [
        "We fly to Pearl Harbor.",
        "Ask Mr. Gray.",
        "Gray, come here!",
        "the Rockefeller Center",
        "I promise to exercise, otherwise I'd advise you to rise.",
        "Four hours, our tour, your flour.",
        "The analyses of the meter",
        "Wise men surprise me.",
    ],
)
@pytest.mark.parametrize("tag", ["en-GB", "en-US"])
def test_names_and_other_words_stay(text: str, tag: str) -> None:
    assert respelt(text, tag, longer=True) == text


def test_words_get_longer_only_where_there_is_room() -> None:
    short = typeset("My favorite gray harbor.", "en-GB", Style())
    assert short == "My favorite grey harbor."
    assert complete(short, "en-GB", Style()) == "My favourite grey harbour."
    assert typeset("My favourite grey harbour.", "en-US", Style()) == "My favorite gray harbor."
