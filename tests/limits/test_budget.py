"""The budgets of the cues of a track."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.errors import UsageError
from subfit.limits.budget import LengthRatio, budget_for, excess, split_budget
from subfit.limits.cue_budgets import sentence_budgets, track_budgets
from subfit.limits.guideline import Guideline
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.sentences import join_cues, parse_cues
from subfit.text.counting import Counting, count_characters

NETFLIX = Guideline.load("netflix", "de")
ISOMETRIC = LengthRatio(0.9, 1.1)
FORTY = "x" * 40


@pytest.mark.parametrize(
    ("source", "duration", "guideline", "ratio", "characters", "binding"),
    [
        (FORTY, 1000, NETFLIX, None, 17, "cps"),
        (FORTY, 1999, NETFLIX, None, 33, "cps"),
        (FORTY, 2940, replace(NETFLIX, cps=16.666), None, 48, "cps"),  # 48.998
        (FORTY, 7000, NETFLIX, None, 84, "cpl"),
        (FORTY, 7000, NETFLIX, ISOMETRIC, 44, "length_ratio"),
        (FORTY, 1000, NETFLIX, ISOMETRIC, 17, "cps"),
        (FORTY, 9000, replace(NETFLIX, max_characters=70), None, 70, "characters"),
        (FORTY, 1000, Guideline.load("netflix", "ja"), None, 4, "cps"),
        (FORTY, 1125, Guideline.load("netflix", "ja"), None, 4.5, "cps"),
        (FORTY, 1000, Guideline.load("bbc", "en"), None, 17, "cps"),
        (FORTY, 0, NETFLIX, None, 0, "cps"),
        (FORTY, -500, NETFLIX, ISOMETRIC, 0, "cps"),
        (FORTY, 10**12, NETFLIX, None, 84, "cpl"),
        (FORTY, 0, Guideline(), None, math.inf, None),
        (FORTY, None, NETFLIX, None, math.inf, None),
        (FORTY, None, NETFLIX, ISOMETRIC, 44, "length_ratio"),
        ("", 2000, NETFLIX, ISOMETRIC, 0, "length_ratio"),
    ],
)
def test_the_smallest_limit_binds(source, duration, guideline, ratio, characters, binding):
    budget = budget_for(source, duration, guideline, ratio)
    assert (budget.characters, budget.binding) == (characters, binding)


@pytest.mark.parametrize(
    ("ratio", "duration", "floor"),
    [(ISOMETRIC, 5000, 38), (ISOMETRIC, 1000, 17), (LengthRatio(maximum=1.1), 5000, 0)],
)
def test_the_floor_is_rounded_up_and_never_above_the_ceiling(ratio, duration, floor):
    assert budget_for("x" * 42, duration, NETFLIX, ratio).floor == floor


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("x" * 42 + "\n" + "y" * 9, True),
        ("x" * 43 + "\n" + "y" * 8, False),  # a line too wide
        ("x\ny\nz", False),  # a line too many
        ("x" * 26 + "\n" + "y" * 26, False),  # too long to read in three seconds
    ],
)
def test_a_broken_text_fits_or_not(text, fits):
    assert budget_for(FORTY, 3000, NETFLIX).fits(text, NETFLIX) is fits


def test_reading_speed_with_its_own_count_is_a_second_ceiling():
    guideline = replace(NETFLIX, cps_counting=Counting(spaces=False))
    budget = budget_for("some words of a source", 1000, guideline)
    assert (budget.characters, budget.reading, budget.binding) == (84, 17, "cps")
    assert budget.allows("a b c d e f g h i j k l m n o p q", guideline)
    assert not budget.allows("a b c d e f g h i j k l m n o p q r", guideline)


@pytest.mark.parametrize(
    ("text", "minimum", "maximum"),
    [
        ("0.9:1.1", 0.9, 1.1),
        (" 1 : 1 ", 1, 1),
        (":1.1", 0, 1.1),
        ("0.9:", 0.9, math.inf),
        ("0:2", 0, 2),
    ],
)
def test_length_ratios_are_read(text, minimum, maximum):
    assert LengthRatio.parse(text) == LengthRatio(minimum, maximum)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1.1", "needs a colon: 0.9:1.1, or :1.1"),
        ("", "needs a colon"),
        (":", "sets no limit"),
        ("a:b", "is not two numbers"),
        ("0.9:1.1:1.2", "is not two numbers"),
        ("0,9:1,1", "is not two numbers"),
        ("1.1:0.9", "MIN is more than MAX"),
        ("-1:1", "MIN must be"),
        ("inf:", "MIN must be"),
        ("nan:1", "MIN must be"),
        ("0:0", "MAX must be"),
        ("0.9:nan", "MAX must be"),
        ("0.9:inf", "MAX must be"),
    ],
)
def test_impossible_length_ratios_are_refused(text, problem):
    with pytest.raises(UsageError, match=problem):
        LengthRatio.parse(text)


def test_two_speakers_share_a_cue():
    cue = budget_for("x" * 60, 3000, NETFLIX)
    long, short = split_budget(cue, [40, 20])
    assert (long.lines, short.lines, long.cpl, short.cpl) == (1, 1, 40, 40)
    assert (long.characters, short.characters) == (31, 15)  # 51 less two dashes, 2 : 1
    assert (long.source_characters, long.binding) == (40, "cps")


def test_what_one_speaker_has_no_line_for_goes_to_the_other():
    cue = budget_for("x" * 60, 4000, NETFLIX)  # 68, less two dashes
    long, short = split_budget(cue, [57, 3])
    assert (long.characters, long.binding) == (40, "cpl")
    assert (short.characters, short.binding) == (24, "cps")


def test_each_speaker_keeps_the_ratio():
    cue = budget_for("x" * 30, 9000, NETFLIX, ISOMETRIC)
    first, second = split_budget(cue, [20, 10])
    assert (first.characters, first.floor, first.binding) == (22, 18, "length_ratio")
    assert (second.characters, second.floor) == (11, 9)


guidelines = st.builds(
    Guideline,
    cps=st.none() | st.floats(1, 30),
    cpl=st.none() | st.integers(4, 50),
    lines=st.none() | st.integers(1, 4),
    max_characters=st.none() | st.integers(1, 90),
    counting=st.builds(Counting, half_width=st.booleans()),
)
ratios = st.none() | st.builds(LengthRatio, st.floats(0, 1), st.floats(1, 2))


@given(
    guidelines,
    ratios,
    st.integers(-1000, 20_000),
    st.lists(st.integers(0, 60), min_size=1, max_size=4),
)
def test_what_fits_the_turns_fits_the_cue(guideline, ratio, duration, lengths):
    guideline = replace(guideline, cps_counting=guideline.counting)
    source = "\n".join("- " + "漢" * length for length in lengths)
    cue = budget_for(source, duration, guideline, ratio)
    dash = count_characters("- ", guideline.counting)
    turns = split_budget(cue, lengths, dash=dash)
    for limit, ceiling in cue.limits:
        dashes = dash * len(turns)
        if limit == "cpl" and guideline.lines < len(turns):
            continue  # more speakers than lines: every one has a line all the same
        total = sum(dict(turn.limits)[limit] for turn in turns)
        assert total <= max(ceiling - dashes, 0) + 1e-6
    for turn in turns:
        assert turn.characters == min([c for _, c in turn.limits], default=math.inf)
        assert turn.floor <= turn.characters


@given(guidelines, st.integers(1, 20_000), st.text("ab 漢é", max_size=120))
def test_a_budget_allows_exactly_the_reading_speed(guideline, duration, text):
    guideline = replace(guideline, cps_counting=guideline.counting, cpl=None, max_characters=None)
    budget = budget_for("source", duration, guideline)
    characters = count_characters(text, guideline.counting)
    slow_enough = guideline.cps is None or characters / (duration / 1000) <= guideline.cps + 1e-6
    assert budget.allows(text, guideline) is slow_enough


def test_the_isometric_rule_counts_no_spaces_and_frees_short_sources() -> None:
    guideline = Guideline.load("none", "de")
    ratio = LengthRatio.parse("isometric")
    source = "It will rain all over the bay today."  # 29 characters that are no spaces
    budget = budget_for(source, None, guideline, ratio)
    assert (budget.dense, budget.dense_floor) == (31, 27)
    for text, fits in (("x" * 31, True), ("x" * 32, False), ("xxxx " * 6 + "x" * 7, True)):
        assert budget.allows(text, guideline) is fits
        assert (excess(text, budget, guideline) == 0) is fits
    assert budget_for("Not so fast", None, guideline, ratio).dense == math.inf  # 9 of them


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
