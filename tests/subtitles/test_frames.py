from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.subtitles.frames import FrameGrid

RATES = [23.976, 24, 25, 29.97, 30, 50, 59.94, 60, 24000 / 1001, 30000 / 1001]


@pytest.mark.parametrize(
    ("rate", "exact"),
    [
        (24, Fraction(24)),
        (23.976, Fraction(24000, 1001)),
        (23.98, Fraction(24000, 1001)),
        (24000 / 1001, Fraction(24000, 1001)),
        (29.97, Fraction(30000, 1001)),
        (59.94, Fraction(60000, 1001)),
        (12.5, Fraction(25, 2)),
        (15, Fraction(15)),
    ],
)
def test_rates_slowed_down_for_television_are_exact(rate: float, exact: Fraction) -> None:
    assert FrameGrid.of(rate).rate == exact


@pytest.mark.parametrize(
    ("rate", "frames"),
    [(23.976, 12), (24, 12), (25, 12), (29.97, 15), (30, 15), (50, 25), (60, 30)],
)
def test_half_a_second_in_frames(rate: float, frames: int) -> None:
    assert FrameGrid.of(rate).frames_in(500) == frames


def test_a_day_at_23_976_does_not_drift() -> None:
    grid = FrameGrid.of(23.976)
    assert grid.time_of(24 * 3600 * 24) == 86_400_000 * 1001 // 1000


@given(st.sampled_from(RATES), st.integers(0, 10_000_000))
def test_a_frame_is_found_by_its_time_cut_or_rounded(rate: float, frame: int) -> None:
    grid = FrameGrid.of(rate)
    exact = frame * 1000 / grid.rate
    assert grid.time_of(frame) <= exact
    assert grid.frame_at(grid.time_of(frame)) == grid.frame_at(round(exact)) == frame
    assert grid.frame_at(grid.time_of(frame) - 1) == frame - 1
