"""Times as people write them, frames, and lists of shot changes."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.timecodes import FrameGrid, milliseconds_of, parse_fps, parse_shot_changes


@pytest.mark.parametrize(
    ("cell", "fps", "expected"),
    [
        ("00:01:02:12", 25, 62_480),
        ("01:00:00:00", 24, 3_600_000),
        # A second of a code at 23.976 or 29.97 lasts 1.001 seconds.
        ("00:10:00:00", 24000 / 1001, 600_600),
        ("00:10:00:00", 23.976, 600_600),
        ("00:10:00:00", 29.97, 600_600),
        # SMPTE 12M: frames 0 and 1 of each minute are dropped, but of every tenth.
        ("00:01:00;02", 29.97, 60_060),
        ("00:10:00;00", 29.97, 599_999),
        ("01:00:00;00", 29.97, 3_599_996),
        ("01:00:00;00", 59.94, 3_599_996),
        ("00:01:02.345", None, 62_345),
        ("00:01:02,3", None, 62_300),
        *((cell, None, 62_480) for cell in ("00:01:02.479999999", "1:02.4799", "62.479999999")),
        ("1:02", None, 62_000),
        ("2.5", None, 2_500),
        ("2,5 s", None, 2_500),
        (2.5, None, 2_500),
        (timedelta(seconds=90, milliseconds=1), None, 90_001),
        ("", None, None),
        ("soon", None, None),
        ("00:00:75.000", None, None),
    ],
)
def test_a_cell_is_a_time(cell: str | float, fps: float | None, expected: int | None) -> None:
    assert milliseconds_of(cell, fps) == expected


@pytest.mark.parametrize(
    ("cell", "fps", "told"),
    [
        ("00:01:02:12", None, "pass --fps"),
        ("00:01:02:25", 25, "no such frame at 25"),
        ("00:01:02;12", 25, "--fps 29.97 or 59.94"),
        ("00:01:02;12", 23.976, "--fps 29.97 or 59.94"),
    ],
)
def test_a_code_that_cannot_be_read_so_says_why(cell: str, fps: float | None, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        milliseconds_of(cell, fps)


def test_a_frame_rate_may_be_a_fraction() -> None:
    assert parse_fps("30000/1001") == pytest.approx(29.97003)
    for wrong in ("fast", "0", "25/0", "1000"):
        with pytest.raises(UsageError, match="--fps"):
            parse_fps(wrong)


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


@pytest.mark.parametrize(
    ("text", "fps", "expected"),
    [
        ("", 24, ()),
        ("# none\n\n", 24, ()),
        ("1.5\n12.480000\n", 24, (1500, 12_480)),
        ("24\n48 # door\n", 24, (1000, 2000)),
        ("24\n", 23.976, (1001,)),
        # One fraction says that all are seconds.
        ("12\n13.5\n", 24, (12_000, 13_500)),
        ("00:00:12.480\n00:00:01,5\n00:12\n", 24, (1500, 12_000, 12_480)),
        ("00:00:12:12\n", 24, (12_500,)),
        ("00:01:00;02\n", 29.97, (60_060,)),
        ("\ufeff2.0\r\n1.0\r\n2.0\r\n", 24, (1000, 2000)),
    ],
)
def test_a_list_may_have(text: str, fps: float, expected: tuple[int, ...]) -> None:
    assert parse_shot_changes(text.encode(), "film.shots.txt", fps) == expected


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"1.5\nsoon\n", "film.shots.txt:2: no shot change: “soon”; write one a line"),
        (b"-3\n", "film.shots.txt:1: no shot change"),
        (b"00:00:01:30\n", "film.shots.txt:1: time code '00:00:01:30' has no such frame at 24"),
        (b"1.5\n\xff\xfe\n", "film.shots.txt:2: is not UTF-8 text"),
        (b"1,2,3\n", "film.shots.txt:1: no shot change"),
    ],
)
def test_a_line_that_is_none_is_told(data: bytes, told: str) -> None:
    with pytest.raises(InputFileError) as caught:
        parse_shot_changes(data, "film.shots.txt", 24)
    assert told in str(caught.value) and "\n" not in str(caught.value)
