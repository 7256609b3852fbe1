"""English as a target: its limits, and where its lines end, in every region."""

from __future__ import annotations

import pytest

from subfit.limits.guideline import Guideline
from subfit.text.linebreak import break_lines

TAGS = ("en", "en-GB", "en-US", "eng", "en_AU")


@pytest.mark.parametrize("name", ["netflix", "netflix-sdh", "netflix-children", "bbc", "ted"])
@pytest.mark.parametrize("tag", TAGS)
def test_every_region_has_the_limits_of_english(name: str, tag: str) -> None:
    limits, english = Guideline.load(name, tag), Guideline.load(name, "en")
    assert (limits.cps, limits.cpl, limits.lines) == (english.cps, english.cpl, english.lines)


def test_adults_read_english_faster_than_german() -> None:
    assert Guideline.load("netflix", "en-GB").cps == 20
    assert Guideline.load("netflix", "de").cps == 17


SENTENCES = (
    "I never thought that I would see the inside of this house again.",
    "She took the letter out of the drawer and burned it at once.",
    "They will open a new bridge in the middle of the summer.",
    "He came back with an old friend of the family to the island.",
    "We have been looking for a place like this for years and years.",
    "It was the first time that my brother had been on a ship.",
    "You should have told me that before the train left the station.",
    "There is something in the cellar that the captain never saw.",
    "Nobody knew where the woman with the red coat had gone.",
    "If you see the light in the window, do not come to the door.",
    "At 3:30\u00a0p.m. the men from the village went up the hill.",
    "It costs €1,234.50 to have the roof of the tower mended.",
)
WEAK = {"a", "an", "the", "of", "in", "to", "with", "for", "at", "on", "from", "my", "this"}


@pytest.mark.parametrize("tag", ["en", "en-GB", "en-US"])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_line_ends_with_an_article_or_a_preposition(tag: str, sentence: str) -> None:
    limits = Guideline.load("netflix", tag)
    lines = break_lines(sentence, limits.cpl, limits.lines, len, tag)
    assert lines is not None and len(lines) == 2 and " ".join(lines) == sentence
    assert lines[0].split()[-1].lower() not in WEAK
