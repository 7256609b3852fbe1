"""Places within a text that are taken, asked for many times."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate


class Spans:
    """Places within a text, of which any may overlap.

    Args:
        spans: Where each begins and ends.
    """

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        known = sorted(spans)
        self._starts = [start for start, _ in known]
        self._ends = list(accumulate((end for _, end in known), max))
        """How far each place reaches, or one before it."""

    def meets(self, start: int, end: int) -> bool:
        """Whether a place overlaps one of these."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._ends[before - 1] > start
