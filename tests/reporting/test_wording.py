"""How figures and cues are told to people."""

import math

import pytest

from subfit.reporting.wording import count_of, number, percent, place_cells, place_of


@pytest.mark.parametrize(
    ("start", "place"),
    [
        (75_999, "cue 12 (00:01:15), line 48"),
        (3_600_000, "cue 12 (01:00:00), line 48"),
        (None, "cue 12, line 48"),
    ],
)
def test_a_cue_is_named_by_number_time_and_line(start: int | None, place: str) -> None:
    assert place_of(12, start, 48) == place


def test_numbers_are_as_short_as_they_can_be() -> None:
    assert [number(value) for value in (3.0, 3.14159, None, math.inf)] == ["3", "3.1", "–", "–"]
    assert (percent(0.1234), percent(None)) == ("12.3 %", "–")
    assert (count_of(1, "cue"), count_of(2, "cue")) == ("1 cue", "2 cues")


@pytest.mark.parametrize(
    ("start", "time"), [(75_999, "1:15"), (0, "0:00"), (3_600_000, "1:00:00"), (None, "–")]
)
def test_tables_have_room_for_short_times_only(start: int | None, time: str) -> None:
    assert place_cells(12, start, 48) == ("12", time, "48")
