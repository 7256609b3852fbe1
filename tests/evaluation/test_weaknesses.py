"""What a model is bad at."""

from __future__ import annotations

import pytest

from subfit.evaluation.corpus import Pair
from subfit.evaluation.weaknesses import by_source_length, least_like_references, worst_lengths


class TestWeaknesses:
    PAIRS = (Pair("", "s" * 20, "abcdef"), Pair("", "s" * 21, "ghijkl"), Pair("", "s" * 90, "mnop"))

    def test_lines_are_parted_by_the_length_of_their_source(self):
        buckets = by_source_length(self.PAIRS, ["abcdef", "ghijkl", "x"])
        assert [(each.label, each.lines) for each in buckets] == [
            ("1 to 20", 1),
            ("21 to 40", 1),
            ("over 80", 1),
        ]
        assert buckets[0].chrf == pytest.approx(100)
        assert buckets[2].reference_ratio.mean == pytest.approx(0.25)

    def test_the_worst_lines_come_first(self):
        outputs = ["abcdef", "ghixyz", "nothing"]
        assert [line.output for line in least_like_references(self.PAIRS, outputs)] == [
            "nothing",
            "ghixyz",
            "abcdef",
        ]

    def test_too_short_is_as_wrong_as_too_long_and_nothing_is_worst(self):
        outputs = ["abcdefabcdefabcdef", "", "mn"]  # 3 times, nothing, half
        found = worst_lengths(self.PAIRS, outputs)
        assert [line.value for line in found] == [0, 3, 0.5]
