"""Sound descriptions within what is said."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.asides import find_asides, place_before
from subfit.text.cleaning.rendering import Rendering


@pytest.mark.parametrize(
    ("text", "asides"),
    [
        ("I know. [SIGHS] Go on.", ["[SIGHS]"]),
        ("I know. (SIGHS) Go on.", ["(SIGHS)"]),
        ("I know (more or less) all.", []),
        ("[SIGHS] Go on.", []),
    ],
)
def test_only_descriptions_with_words_on_both_sides_are_taken_out(
    text: str, asides: list[str]
) -> None:
    assert [aside.text for aside in find_asides(text)] == asides


def test_a_description_has_the_spaces_that_it_needs() -> None:
    (aside,) = find_asides("I know. [SIGHS] Go on.")
    assert aside.beside("Ja. Weiter.", 4) == "[SIGHS] "
    assert aside.beside("Ja.Weiter.", 3) == " [SIGHS] "
    assert aside.beside("Ja.", 3) == " [SIGHS]"


def test_it_stands_between_the_same_sentences() -> None:
    pair = Rendering.of(
        "I know. Go on.", "Ich weiß es. Weiter.", source_language="en", language="de"
    )
    assert place_before(8, pair) == 13


def test_within_a_sentence_it_stands_beside_the_same_words() -> None:
    source, target = "So Anna left.", "Also ging Anna fort."
    pair = Rendering.of(source, target, source_language="en", language="de")
    assert place_before(source.index("Anna"), pair) == target.index("Anna")
