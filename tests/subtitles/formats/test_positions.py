"""Where cues stand on screen."""

from __future__ import annotations

import pytest

from subfit.subtitles.formats.convert import (
    alignment_of,
    commands_of,
    height_of,
    is_in_region,
    is_more_than_height,
)


@pytest.mark.parametrize(
    ("settings", "height"),
    [
        ("", "bottom"),
        ("line:0", "top"),
        ("line:10%", "top"),
        ("line:50%,center", "middle"),
        ("line:-1", "bottom"),
        ("line:-14", "top"),
        ("line:0 vertical:rl", "bottom"),
    ],
)
def test_settings_put_a_cue_into_a_third_of_the_video(settings: str, height: str) -> None:
    assert height_of(settings) == height


@pytest.mark.parametrize(
    ("settings", "more"),
    [
        ("line:0", False),
        ("line:0 align:center position:50%,center size:100%", False),
        ("line:50%", True),
        ("align:start", True),
        ("region:fred", False),
    ],
)
def test_what_subrip_cannot_say_of_a_place(settings: str, more: bool) -> None:
    assert is_more_than_height(settings) is more


def test_regions_and_overrides() -> None:
    assert is_in_region("region:fred line:0") and not is_in_region("line:0")
    assert (alignment_of("{\\an8\\i0}"), alignment_of("{\\i1}")) == (8, 2)
    assert commands_of("{\\an8\\i0}") == ["an8", "i0"]
