"""Ranges of settings: what is at their ends, and what is beyond them."""

from __future__ import annotations

from dataclasses import make_dataclass

import pytest

from subfit.configuration import ranges
from subfit.configuration.checking import check
from subfit.configuration.tree import Location, Problem, node_of

INSIDE_AND_OUTSIDE = {
    "Count": ([0, 7], [-1, 0.5, True]),
    "AtLeastOne": ([1, 7], [0, 1.5]),
    "Share": ([0, 0.5, 1], [-0.1, 1.1]),
    "ShareBelowOne": ([0, 0.99], [1, -0.1]),
    "NotNegative": ([0, 0.5, 12], [-0.001]),
    "Positive": ([0.001, 12], [0, -1]),
}


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        (name, value, fits)
        for name, sides in INSIDE_AND_OUTSIDE.items()
        for values, fits in zip(sides, (True, False), strict=True)
        for value in values
    ],
)
def test_a_setting_is_held_to_its_range(name: str, value: object, fits: bool) -> None:
    settings = make_dataclass("Settings", [("size", getattr(ranges, name))], frozen=True)
    problems: list[Problem] = []
    made = check(settings, node_of({"size": value}, Location("a.yaml", 1)), problems)
    assert (made is not None, not problems) == (fits, fits)
    assert all("size" in problem.text for problem in problems)
