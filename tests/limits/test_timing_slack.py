"""How much later cues may end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.limits.guideline import Guideline, override
from subfit.limits.timing_slack import later_ends
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.timecodes import FrameGrid

NETFLIX = Guideline.load("netflix", "de")
FRAMES_24 = [round(1000 * frame / 24) for frame in range(200)]
RATES = [23.976, 24, 25, 29.97, 30, 50, 59.94, 60]


def track(*times: tuple[int, int], shots: tuple[int, ...] = (), **cue: Any) -> Track:
    cues = tuple(Cue(start, end, "Text.", **cue) for start, end in times)
    return Track(cues, "vtt", shot_changes=shots)


def frames(*numbers: int) -> tuple[int, int]:
    """In-time and out-time on frames at 24 frames per second, rounded as most tools do."""
    start, end = numbers
    return FRAMES_24[start], FRAMES_24[end]


def ends_in_frames(cues: Track, guideline: Guideline = NETFLIX) -> list[int]:
    """The frames at 24 per second on which the first cue may end."""
    return [FrameGrid.of(24).frame_at(end) for end in later_ends(cues, guideline)[0]]


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        # Nothing follows, or nothing near: 12 frames.
        ([], range(49, 61)),
        ([(100, 120)], range(49, 61)),
        # 20 frames away: what is left is 12 frames and more, or 2; and 2 is too far.
        ([(68, 80)], range(49, 57)),
        # 14 frames away: 2 are left after 12.
        ([(62, 80)], [49, 50, 60]),
        # 3 to 11 frames away: only to 2 frames before.
        ([(59, 80)], [57]),
        ([(51, 80)], [49]),
        # 2 frames and less: nowhere.
        ([(50, 80)], []),
        ([(49, 80)], []),
        ([(48, 80)], []),
        # It is not the next cue in the file but in time that counts.
        ([(100, 120), (59, 80)], [57]),
        # A cue that begins and ends with it, one that begins within it, one that holds it.
        ([(24, 48)], []),
        ([(40, 100)], []),
        ([(10, 190)], []),
        # One that was over before is of no account.
        ([(2, 24)], range(49, 61)),
    ],
)
def test_netflix_gaps(later: list[tuple[int, int]], expected: Any) -> None:
    cues = track(frames(24, 48), *(frames(*each) for each in later))
    assert ends_in_frames(cues) == list(expected)


@pytest.mark.parametrize(
    ("shots", "expected"),
    [
        # Within half a second after the cue: 2 frames before the shot change.
        ([52], [50]),
        ([58], [56]),
        # The cue ends 2 frames before it, or later: it is not moved over it.
        ([50], []),
        ([49], []),
        ([48], []),
        # Far enough: at least half a second before it, or 2 frames.
        ([62], [49, 50, 60]),
        ([70], range(49, 59)),
        ([80], range(49, 61)),
        # It ends in the next shot already: not within its first half second.
        ([40], range(52, 61)),
        ([47], [59, 60]),
        ([20], range(49, 61)),
        # Both.
        ([40, 58], [56]),
    ],
)
def test_netflix_shot_changes(shots: list[int], expected: Any) -> None:
    times = tuple(FRAMES_24[shot] for shot in shots)
    assert ends_in_frames(track(frames(24, 48), shots=times)) == list(expected)


@pytest.mark.parametrize(
    "sign", [{"text": "{\\an8}OLD HARBOR"}, {"text": "Pier 9", "settings": "line:10%"}]
)
def test_a_sign_higher_up_does_not_keep_speech_from_ending_later(sign: dict[str, str]) -> None:
    speech = track((0, 800), (3000, 4000)).cues
    with_sign = Track((speech[0], Cue(500, 2000, **sign), speech[1]), "vtt")
    assert later_ends(with_sign, NETFLIX)[0] == later_ends(Track(speech, "vtt"), NETFLIX)[0]
    assert check_track(with_sign, NETFLIX).cues[0].gap == 2200


@pytest.mark.parametrize("times", [(2000, 2000), (2000, 1500)])
def test_a_cue_without_a_duration_is_left_alone(times: tuple[int, int]) -> None:
    assert later_ends(track(times), NETFLIX) == ((),)
    cues = track((0, 1000), times)
    assert max(later_ends(cues, NETFLIX)[0]) == 1500


@pytest.mark.parametrize(
    ("guideline", "slack", "latest"),
    [("ted", None, 1000), ("ted", 300, 1280), ("bbc", None, 2480), ("netflix", 0, 1000)],
)
def test_slack_is_the_guidelines_or_as_asked(guideline, slack, latest):
    limits = override(Guideline.load(guideline, "en"), out_slack=slack)
    (ends,) = later_ends(track((0, 1000)), limits)
    assert max(ends, default=1000) == latest


def test_the_bbc_wants_no_gap_or_one_of_a_second() -> None:
    limits = Guideline.load("bbc", "en")
    assert later_ends(track((0, 1000), (1920, 3000)), limits)[0] == (1920,)
    ends = later_ends(track((0, 1000), (2120, 3000)), limits)[0]
    assert ends == (1040, 1080, 1120, 2120)


def test_a_gap_in_milliseconds_is_kept() -> None:
    limits = override(Guideline.load("subtitle-edit", "en"), frame_rate=50, out_slack=200)
    assert later_ends(track((0, 1000), (1100, 3000)), limits)[0] == (1020, 1040, 1060)


@st.composite
def timed(draw: st.DrawFn) -> tuple[Track, Guideline]:
    """Cues on frames or not, mostly in order, with shot changes; and a guideline for them."""
    rate = draw(st.sampled_from(RATES))
    grid = FrameGrid.of(rate)
    on_frames = draw(st.booleans())
    times, at = [], 0
    for gap, length in draw(
        st.lists(st.tuples(st.integers(-20, 60), st.integers(-3, 180)), max_size=8)
    ):
        start = max(at + gap, 0)
        at = start + length
        times.append((start, max(at, 0)))
    if on_frames:
        cues = track(*((grid.time_of(a), grid.time_of(b)) for a, b in times))
    else:
        cues = track(*((a * 41, b * 41 + 7) for a, b in times))
    shots = tuple(sorted(draw(st.sets(st.integers(0, 20_000), max_size=4))))
    name = draw(st.sampled_from(["netflix", "bbc", "arte", "subtitle-edit", "none"]))
    slack = draw(st.sampled_from([None, 0, 200, 1000]))
    guideline = override(Guideline.load(name, "de"), frame_rate=rate, out_slack=slack)
    return replace(cues, shot_changes=shots), guideline


def faults(cues: Track, guideline: Guideline) -> list[list[str]]:
    """What a check finds wrong with the times of each cue."""
    wrong = {"gap", "overlap", "max_duration", "no_duration"}
    found = check_track(cues, guideline).cues
    return [[each.kind for each in cue.violations if each.kind in wrong] for cue in found]


@given(timed(), st.integers(0, 1 << 16))
def test_whatever_is_taken_breaks_no_rule(case: tuple[Track, Guideline], choice: int) -> None:
    before, guideline = case
    ends = later_ends(before, guideline)
    chosen = [
        (cue.end, *later)[(choice >> index) % (len(later) + 1)]
        for index, (cue, later) in enumerate(zip(before.cues, ends, strict=True))
    ]
    after = before.with_ends(chosen)
    grid = FrameGrid.of(guideline.frame_rate)
    slack = grid.frames_in(guideline.out_slack or 0)
    for new, old in zip(faults(after, guideline), faults(before, guideline), strict=True):
        assert new == old
    for index, (new, old) in enumerate(zip(after.cues, before.cues, strict=True)):
        assert new.start == old.start and new.end >= old.end
        assert list(ends[index]) == sorted(set(ends[index]))
        if new.end == old.end:
            continue
        assert grid.time_of(grid.frame_at(new.end)) == new.end
        assert grid.frame_at(new.end) - grid.frame_at(old.end) <= slack
        assert not any(old.end <= shot < new.end for shot in before.shot_changes)
        following = [other.start for other in after.cues if other.start >= old.end]
        if following and guideline.min_gap_frames:
            gap = grid.frame_at(min(following)) - grid.frame_at(new.end)
            short = grid.frames_in(guideline.close_gaps or 0)
            assert gap == guideline.min_gap_frames or gap >= max(short, guideline.min_gap_frames)
