"""Cues that are left out of a file, and times that change: all else of the file stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.formats.layout import with_parts

SRT = "\n".join(
    f"{number}\n00:00:0{number},000 --> 00:00:0{number},900\n{text}\n"
    for number, text in enumerate(("One.", "[DOOR]", "Three."), 1)
)
VTT = """WEBVTT - the film

STYLE
::cue { color: white }

first
00:01.000 --> 00:01.900
One.

NOTE about the door

00:02.000 --> 00:02.900 line:0
[DOOR]

third
00:03.000 --> 00:03.900
Three.

NOTE the end
"""


def left(text: str, name: str, *numbers: int) -> str:
    track = parse_track(text.encode(), name=name)
    parts = [() if at in numbers else (cue,) for at, cue in enumerate(track.cues)]
    return render_track(with_parts(track, parts)).decode()


def test_a_subrip_file_counts_on_without_the_cues_that_are_gone() -> None:
    assert left(SRT, "a.srt", 1) == SRT.replace(
        "2\n00:00:02,000 --> 00:00:02,900\n[DOOR]\n\n3\n", "2\n"
    )
    assert left(SRT, "a.srt", 0, 2) == "1\n00:00:02,000 --> 00:00:02,900\n[DOOR]\n"


def test_notes_styles_and_names_of_webvtt_stay_where_cues_go() -> None:
    assert left(VTT, "a.vtt", 1) == VTT.replace("00:02.000 --> 00:02.900 line:0\n[DOOR]\n\n", "")
    assert left(VTT, "a.vtt", 0) == VTT.replace("first\n00:01.000 --> 00:01.900\nOne.\n\n", "")
    assert left(VTT, "a.vtt", 2) == VTT.replace("third\n00:03.000 --> 00:03.900\nThree.\n\n", "")


@pytest.mark.parametrize("numbers", [set(), {0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}])
@pytest.mark.parametrize(("text", "name"), [(SRT, "a.srt"), (VTT, "a.vtt")])
def test_what_is_left_is_read_as_the_same_cues(text: str, name: str, numbers: set[int]) -> None:
    assert numbers or left(text, name) == text
    cues = parse_track(text.encode(), name=name).cues
    again = parse_track(left(text, name, *numbers).encode(), name=name)
    kept = [cue for at, cue in enumerate(cues) if at not in numbers]
    said = [(cue.start, cue.end, cue.text, cue.settings) for cue in again.cues]
    assert said == [(cue.start, cue.end, cue.text, cue.settings) for cue in kept]
    assert not again.repairs


def test_a_new_out_time_changes_nothing_else_of_its_line() -> None:
    track = parse_track(VTT.encode(), name="a.vtt")
    first, second, third = track.cues
    later = replace(track, cues=(first, replace(second, end=2950), third))
    assert render_track(later).decode() == VTT.replace("00:02.900 line:0", "00:02.950 line:0")
