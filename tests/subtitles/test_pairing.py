"""Which source cues a translated cue stands for."""

from __future__ import annotations

import pytest

from subfit.errors import UsageError
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.pairing import can_pair, pair_tracks


def track(*times: tuple[int, int], format: str = "srt") -> Track:
    """A track of cues without a text that matters."""
    return Track(tuple(Cue(start, end, "x") for start, end in times), format)


def test_files_with_as_many_cues_are_paired_by_position() -> None:
    pairing = pair_tracks(track((0, 1), (1, 2)), track((50, 60), (70, 80)))
    assert (pairing.method, pairing.sources, pairing.left_over) == ("position", ((0,), (1,)), 0)


def test_others_by_the_time_that_they_share() -> None:
    source = track((0, 1000), (1100, 2000), (5000, 6000), (9000, 9500))
    pairing = pair_tracks(track((0, 2000), (4000, 5500), (6500, 7000)), source)
    assert (pairing.method, pairing.sources) == ("time", ((0, 1), (2,), ()))
    assert pairing.left_over == 1


def test_without_times_as_many_lines_are_needed() -> None:
    plain = track((0, 0), format="txt")
    assert not can_pair(plain, track((0, 1), (1, 2)))
    with pytest.raises(UsageError, match="2 lines and its translation 1"):
        pair_tracks(plain, track((0, 1), (1, 2)))
