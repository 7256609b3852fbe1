"""The budgets of the cues of a track."""

from __future__ import annotations

from subfit.limits.cue_budgets import sentence_budgets, track_budgets
from subfit.limits.guideline import Guideline
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.sentences import join_cues, parse_cues

GERMAN = Guideline.load("netflix", "de")
TRACK = Track((Cue(0, 1000, "One boat."), Cue(3000, 4000, "Two boats.")), "srt")


def characters(track: Track, **options: bool) -> tuple[list[float], list[float]]:
    """What every cue may have in its own time, and in all the time that it may get."""
    budgets = track_budgets(track, GERMAN, **options)
    own, most = budgets.own, budgets.most
    return [each.characters for each in own], [each.characters for each in most]


def test_more_time_is_more_room() -> None:
    assert characters(TRACK) == ([17, 17], [17, 17])
    assert characters(TRACK, extend=True) == ([17, 17], [25, 25])


def test_times_are_kept_unless_more_are_asked_for() -> None:
    assert track_budgets(TRACK, GERMAN).ends is None
    ends = track_budgets(TRACK, GERMAN, extend=True).ends
    assert ends is not None and all(end > 1000 for end in ends[0])
    plain = Track(TRACK.cues, "txt")
    assert track_budgets(plain, GERMAN, extend=True).ends is None


def test_speakers_share_the_room_of_their_cue() -> None:
    track = Track((Cue(0, 2000, "- Where is the boat?\n- Gone."),), "srt")
    texts = parse_cues(track.cues, "srt")
    (whole,) = track_budgets(track, GERMAN).own
    both = sentence_budgets(join_cues(track.cues, texts), texts, [whole], GERMAN)
    (question,), (answer,) = both
    assert question.characters > answer.characters > 4
    assert question.characters + answer.characters <= whole.characters == 34
