"""Places that are taken, asked for many times."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from subfit.text.spans import Spans

PLACES = st.tuples(st.integers(0, 60), st.integers(1, 15)).map(lambda p: (p[0], p[0] + p[1]))


@given(st.lists(PLACES, max_size=12), PLACES)
def test_a_place_meets_those_that_it_overlaps(taken: list[tuple[int, int]], place) -> None:
    start, end = place
    expected = any(one < end and start < other for one, other in taken)
    assert Spans(taken).meets(start, end) == expected
