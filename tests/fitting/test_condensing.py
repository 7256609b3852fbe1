"""What commas set off of a source, and what is left without it."""

from __future__ import annotations

import pytest

from subfit.fitting.plainer import condensed, knows_condensing, spare_words


def shortest(text: str, language: str) -> str:
    """A text without all that can be left out of it."""
    while rests := [rest for _, rest in condensed(text, language)]:
        text = min(rests, key=len)
    return text


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
    assert shortest(text, language) == rest


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I saw the captain, the cook and a dog."),
        ("en", "If you come, bring some bread."),
        ("en", "Never mind!"),
        ("en", "I lost my wife, my son."),
        ("en", "I saw John, my brother."),
        ("en", "I love you, too."),
        ("de", "Ich habe nur Mama, Papa, Oma."),
        ("de", "Wissen Sie, wo er ist?"),
        ("de", "Hör zu, wenn ich rede."),
        ("de", "Hör mal, wie das klingt."),
        ("it", "Ti presento mia moglie, Anna."),
        ("fi", "No niin, valo on sammunut."),
    ],
)
def test_what_the_rest_stands_on_stays(language: str, text: str) -> None:
    assert shortest(text, language) == text


def test_what_loses_least_goes_first() -> None:
    (_, first), *_ = sorted(condensed("Well, the light is gone again, Captain.", "en"))
    assert first == "The light is gone again, Captain."


def test_small_letters_and_unknown_languages_stay_as_they_are() -> None:
    assert shortest("well, the light is gone", "en") == "the light is gone"
    assert not knows_condensing("fi") and not spare_words("fi")
    assert "really" in spare_words("en-GB")
