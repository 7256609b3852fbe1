"""Tracks shortened in their own language, from what was read to what is written."""

from __future__ import annotations

import pytest

from subfit.fitting.options import Options
from subfit.limits.guideline import Guideline, override
from subfit.shortening.condensation import condense, condense_all
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import parse_track, render_track
from tests.scripted import ScriptedTranslator

LONG = "In order to win,\nyou do not have to run."
FILM = f"""\
1
00:00:01,000 --> 00:00:03,000
{LONG}

2
00:00:04,000 --> 00:00:09,000
<i>It  is   cold</i>

3
00:00:10,000 --> 00:00:11,000
[DOOR SLAMS AND SOMEBODY SHOUTS]
"""
NETFLIX = override(Guideline.load("netflix", "en"), cps=18.0)
LOOSE = Guideline.load("none", "en")


def track(text: str = FILM) -> Track:
    return parse_track(text.encode(), name="film.srt", format="srt")


def test_without_limits_nothing_changes_to_the_last_byte() -> None:
    made = condense(track(), LOOSE)
    assert render_track(made.track, output_format="srt") == FILM.encode()
    assert made.report.clean


def test_only_what_is_over_is_shortened_and_times_stay() -> None:
    made = condense(track(), NETFLIX)
    first, *others = made.track.cues
    assert first.text == "To win, you do not have to run."
    assert others == list(track().cues[1:])
    assert [(cue.start, cue.end) for cue in made.track.cues] == [
        (cue.start, cue.end) for cue in track().cues
    ]


def test_rules_can_be_left_out() -> None:
    made = condense(track(), NETFLIX, Options(condense=False))
    assert made.track.cues[0].text == LONG
    assert made.outcomes[0].status == "overflow"


def test_what_becomes_of_a_track_does_not_depend_on_others() -> None:
    other = track(FILM.replace("win", "lose").replace("cold", "warm"))
    together = condense_all([track(), other], NETFLIX)
    alone = [condense(one, NETFLIX) for one in (track(), other)]
    assert [one.track for one in together] == [one.track for one in alone]


@pytest.mark.parametrize(
    ("answer", "taken"), [("To win, you do not have to run.", True), ("Run.", False)]
)
def test_a_model_s_words_are_taken_only_where_they_lose_nothing(answer: str, taken: bool) -> None:
    model = ScriptedTranslator({" ".join(LONG.split()): answer})
    model.language = "en"
    made = condense(track(), NETFLIX, Options(condense=False), model)
    assert made.track.cues[0].text == (answer if taken else LONG)
