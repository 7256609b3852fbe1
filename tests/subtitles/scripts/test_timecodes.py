from __future__ import annotations

from datetime import timedelta

import pytest

from subfit.errors import UsageError
from subfit.subtitles.scripts.timecodes import milliseconds_of, parse_fps


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
