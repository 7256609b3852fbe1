"""Words become cues that keep a guideline, break where a reader pauses, and lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subfit.captions.segment import readable, segment, segmented
from subfit.captions.words import Word
from subfit.limits.guideline import Guideline
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track

EN = Guideline.load("netflix", "en")
TALK = (
    "I have never seen such a beautiful lighthouse. It stands on a cliff above the sea, "
    "and every evening the old keeper climbs the stairs to light the lamp. "
    "Nobody knows how long he has been there."
)


def spoken(text: str, start: int = 1000, each: int = 330) -> list[Word]:
    return [
        Word(word, start + n * each, start + (n + 1) * each) for n, word in enumerate(text.split())
    ]


def test_a_talk_is_cut_at_sentences_and_phrases_within_every_limit() -> None:
    cues = segment(spoken(TALK), EN)
    assert " ".join(cue.text for cue in cues).split() == TALK.split()
    assert cues[0].text == "I have never seen\nsuch a beautiful lighthouse."
    assert cues[-1].text == "Nobody knows how long he has been there."
    assert not check_track(Track(tuple(cues), "srt"), EN).violations


def test_words_keep_their_times_and_a_silence_or_a_turn_ends_a_cue() -> None:
    first, second = spoken("Is anybody there", 1000), spoken("hello again", 9000)
    words = [*first, *second, Word("Yes", 9660, 10_000, turn=True)]
    cues = segment(words, EN)
    assert [(cue.start, cue.text) for cue in cues] == [
        (1000, "Is anybody there"),
        (9000, "hello again"),
        (9660, "Yes"),
    ]
    assert cues[0].end <= first[-1].end + 500


def test_one_word_cues_and_minute_long_ones_are_segmented_and_told() -> None:
    words = spoken(TALK)
    single = Track(tuple(Cue(word.start, word.end, word.text) for word in words), "srt")
    long = Track((Cue(words[0].start, words[-1].end, TALK),), "srt")
    assert readable(single, EN) == segmented(single, EN)
    for track in (single, long):
        new = segmented(track, EN)
        assert 4 <= len(new.cues) <= 7
        assert "automatic caption" in new.repairs[-1].problem
        assert not check_track(new, EN).violations


def test_out_times_keep_off_shot_changes() -> None:
    words = spoken("The boat leaves before noon.")
    track = Track((Cue(words[0].start, words[-1].end, "The boat leaves before noon."),), "srt")
    at = words[-1].end + 300
    new = segmented(Track(track.cues, "srt", shot_changes=(at,)), EN)
    assert new.cues[-1].end == pytest.approx(at - 84, abs=20)


def test_scripts_without_spaces_are_joined_without_them() -> None:
    words = [
        Word(word, 500 * n, 500 * n + 500) for n, word in enumerate(["今日", "は", "雨", "です。"])
    ]
    (cue,) = segment(words, Guideline.load("netflix", "ja"))
    assert cue.text.replace("\n", "") == "今日は雨です。"


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.text("abc,.<&", min_size=1, max_size=60), st.integers(0, 3000)), max_size=30
    ),
    st.sampled_from(["netflix", "bbc", "ted", "none"]),
)
def test_no_word_is_lost_and_times_never_run_backwards(said, guideline) -> None:
    words, at = [], 0
    for text, pause in said:
        words.append(Word(text, at + pause, at + pause + 200))
        at += pause + 200
    cues = segment(words, Guideline.load(guideline, "en"), "vtt")
    assert [cue.start for cue in cues] == sorted(cue.start for cue in cues)
    assert all(cue.start < cue.end for cue in cues)
    assert {cue.start for cue in cues} <= {word.start for word in words}
    joined = "".join("".join(cue.text.split()) for cue in cues)
    joined = joined.replace("&lt;", "<").replace("&amp;", "&")
    assert joined == "".join(word.text for word in words)
