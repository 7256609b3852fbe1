"""The films that benchmarks make are films as players take them."""

from __future__ import annotations

import pytest

from benchmarks.screenplay import LINE, SHORTEST, film
from subfit.limits.guideline import Guideline
from subfit.subtitles.formats import parse_track
from subfit.subtitles.sentences import join_cues, parse_cues


@pytest.fixture(scope="module")
def track():
    return parse_track(film(400).encode(), name="film.srt", format="srt")


def test_a_film_is_valid(track):
    assert len(track.cues) == 400
    assert track.repairs == ()
    assert [cue.identifier for cue in track.cues] == [str(n) for n in range(1, 401)]


def test_its_cues_stand_one_after_the_other(track):
    for cue, following in zip(track.cues, track.cues[1:], strict=False):
        assert cue.end < following.start
        assert SHORTEST <= cue.duration <= 7000


def test_its_cues_have_two_lines_at_most(track):
    for cue in track.cues:
        lines = cue.text.removeprefix("<i>").removesuffix("</i>").splitlines()
        assert 1 <= len(lines) <= 2
        assert all(len(line) <= LINE for line in lines)


def test_it_has_sentences_over_cues_dialogue_and_tight_cues(track):
    payloads = parse_cues(track.cues, track.format)
    sentences = join_cues(track.cues, payloads)
    assert sum(len(each.parts) > 1 for each in sentences) > 20
    assert sum(cue.text.startswith("- ") for cue in track.cues) > 15
    speed = Guideline.load("netflix", "de").reading_speed  # German is a fifth longer, or so
    tight = [cue for cue in track.cues if 1.2 * len(cue.text) * 1000 > speed * cue.duration]
    assert 0.2 < len(tight) / len(track.cues) < 0.6


def test_the_same_film_every_time():
    assert film(50) == film(50)
    assert film(50) != film(50, seed=2)
    assert film(60).startswith(film(50))
