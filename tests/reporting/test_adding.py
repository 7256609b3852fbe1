"""Totals of many files."""

from __future__ import annotations

from statistics import fmean, pstdev

import pytest

from subfit.reporting import adding


def test_counts_are_added_up_and_may_lack() -> None:
    files = [{"cues": 3, "terms": {"a": 1}}, {"cues": 4}, {"terms": {"a": 2, "b": 1}}]
    assert adding.sums("cues", files) == 7
    assert adding.counts("terms", files) == {"a": 3, "b": 1}
    assert adding.counts_if_any("losses", files) is None


def spread(values: list[float]) -> dict[str, float | int | None]:
    """Mean and deviation of values, as a file's totals have them."""
    if not values:
        return {"mean": None, "sd": None, "count": 0, "worst": None}
    return {
        "mean": fmean(values),
        "sd": pstdev(values),
        "count": len(values),
        "worst": max(values),
    }


def test_mean_and_deviation_are_those_of_all_values_together() -> None:
    one, other = [12.0, 15.0, 9.5], [21.0, 18.5]
    files = [{"cps": spread(values)} for values in (one, other, [])]
    assert adding.speeds("cps", files) == pytest.approx(spread(one + other))
    assert adding.spreads("cps", files[2:]) == {"mean": None, "sd": None, "count": 0}


def test_shares_are_weighted_by_the_cues_of_each_file() -> None:
    files = [
        {"translated": 3, "lc": {"iwslt": 1.0, "strict": 0.5}},
        {"translated": 1, "lc": {"iwslt": 0.0, "strict": None}},
        {"translated": 0, "lc": {"iwslt": None, "strict": None}},
    ]
    assert adding.compliance("lc", files) == {"iwslt": 0.75, "strict": 0.375}


def test_overflow_and_moved_times() -> None:
    part = {"texts": 4, "over": 1, "characters": 9.0}
    files = [{"overflow": {"before": part, "after": {**part, "over": 0}}}] * 2
    added = adding.overflow("overflow", files)
    assert added["before"] == {"texts": 8, "over": 2, "characters": 18.0, "share": 0.25}
    assert added["after"]["share"] == 0.0
    moved = {"moved": 1, "milliseconds": 80, "longest": 80}
    longer = {"moved": 2, "milliseconds": 300, "longest": 200}
    assert adding.timing("timing", [{"timing": moved}, {"timing": longer}, {}]) == {
        "moved": 3,
        "milliseconds": 380,
        "longest": 200,
    }
    assert adding.usage("usage", [{}]) is None
