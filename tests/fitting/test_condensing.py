"""What commas set off of a source, and what is left without it."""

from __future__ import annotations

import pytest

from subfit.fitting.condensing import condensations, knows_condensing, spare_words


def shortest(text: str, language: str, share: float = 0.95, **known) -> list[str]:
    return [one.text for one in condensations(text, share, language, most=8, **known)]


@pytest.mark.parametrize(
    ("language", "text", "rest"),
    [
        ("en", "You know, I never liked that boat.", "I never liked that boat."),
        ("en", "Actually, we are closed.", "We are closed."),
        ("en", "I never liked that boat, to be honest.", "I never liked that boat."),
        ("en", "Come and see this, Captain!", "Come and see this!"),
        ("en", "Well, you were right, my dear friend.", "You were right."),
        ("en", "Oh my God. The light is gone.", "The light is gone."),
        ("de", "Na ja, das Licht ist aus.", "Das Licht ist aus."),
        ("de", "Das Licht ist aus, Frau Bell.", "Das Licht ist aus."),
        ("es", "Bueno, la luz se ha ido, señora Ruiz.", "La luz se ha ido."),
        ("fr", "Eh bien, la lumière est éteinte\xa0!", "La lumière est éteinte\xa0!"),
        ("fr", "La lumière est éteinte, madame\xa0!", "La lumière est éteinte\xa0!"),
        ("it", "Insomma, la luce è spenta.", "La luce è spenta."),
    ],
)
def test_fillers_and_whom_somebody_speaks_to_go(language: str, text: str, rest: str) -> None:
    assert rest in shortest(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I saw the captain, the cook and a dog."),
        ("en", "If you come, bring some bread."),
        ("en", "Never mind!"),
        ("de", "Hör mal, wie das klingt."),
        ("fi", "No niin, valo on sammunut."),
    ],
)
def test_what_the_rest_stands_on_stays(language: str, text: str) -> None:
    assert shortest(text, language) == []


def test_what_loses_least_goes_first_and_all_of_it_where_there_is_no_room() -> None:
    text = "Well, the light is gone again, Captain."
    first, *_ = condensations(text, 0.97, "en")
    assert first.text == "The light is gone again, Captain."
    assert first.omitted == ((0, 6),) and text[:6] == "Well, "
    assert shortest(text, "en", 0.6) == ["The light is gone again."]


def test_what_must_stay_stays() -> None:
    text = "The light is gone, Captain."
    assert shortest(text, "en", kept=["captain"]) == []


def test_nothing_is_left_out_where_there_is_room() -> None:
    assert condensations("Well, the light is gone.", 1.0, "en") == []


def test_small_letters_and_unknown_languages_stay_as_they_are() -> None:
    assert shortest("well, the light is gone", "en") == ["the light is gone"]
    assert not knows_condensing("fi") and not spare_words("fi")
    assert "really" in spare_words("en-GB")
