"""English as a target: its limits in every region."""

from __future__ import annotations

import pytest

from subfit.limits.guideline import Guideline

TAGS = ("en", "en-GB", "en-US", "eng", "en_AU")


@pytest.mark.parametrize("name", ["netflix", "netflix-sdh", "netflix-children", "bbc", "ted"])
@pytest.mark.parametrize("tag", TAGS)
def test_every_region_has_the_limits_of_english(name: str, tag: str) -> None:
    limits, english = Guideline.load(name, tag), Guideline.load(name, "en")
    assert (limits.cps, limits.cpl, limits.lines) == (english.cps, english.cpl, english.lines)


def test_adults_read_english_faster_than_german() -> None:
    assert Guideline.load("netflix", "en-GB").cps == 20
    assert Guideline.load("netflix", "de").cps == 17
