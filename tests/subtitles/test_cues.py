"""Cues and tracks."""

from __future__ import annotations

import pytest

from subfit.subtitles.cues import FORMATS, Cue, Track


def test_a_track_gets_other_texts_and_ends_and_keeps_the_rest() -> None:
    track = Track((Cue(0, 900, "One.", identifier="a"), Cue(1000, 1900, "Two.")), "vtt")
    changed = track.with_texts(["Eins.", "Zwei."]).with_ends([950, 2000])
    assert [(cue.start, cue.end, cue.text) for cue in changed.cues] == [
        (0, 950, "Eins."),
        (1000, 2000, "Zwei."),
    ]
    assert changed.cues[0].identifier == "a" and track.cues[0].text == "One."
    with pytest.raises(ValueError, match="shorter"):
        track.with_texts(["Eins."])


def test_a_duration_is_negative_where_times_are_broken() -> None:
    assert (Cue(1000, 2500, "").duration, Cue(1000, 400, "").duration) == (1500, -600)


@pytest.mark.parametrize(
    ("name", "timed", "spoken"), [("srt", True, False), ("txt", False, False), ("csv", False, True)]
)
def test_the_format_says_what_a_track_has(name: str, timed: bool, spoken: bool) -> None:
    track = Track((), name)
    assert (track.timed, track.spoken) == (timed, spoken)
    assert FORMATS[name].spoken is spoken
