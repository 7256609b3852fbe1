"""Trees of settings made into dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass

import pytest

import subfit.configuration as checking
from subfit.configuration import (
    AtLeastOne,
    ContradictionsError,
    Location,
    Problem,
    Share,
    check,
    node_of,
    require,
)


@dataclass(frozen=True)
class Boats:
    """Settings that depend on each other."""

    count: AtLeastOne
    red: Share = 0.0
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        few = len(self.names) <= self.count
        require((few, "names count", "more names than boats"))


def checked(**values: object) -> tuple[Boats | None, list[str]]:
    """The settings, and what is wrong with them."""
    problems: list[Problem] = []
    made = check(Boats, node_of(values, Location("boats.yaml", 4)), problems)
    return made, [problem.text for problem in problems]


def test_right_values_make_the_dataclass() -> None:
    assert checked(count=2, red=0.5) == (Boats(2, 0.5), [])


def test_all_problems_are_told_at_once() -> None:
    made, problems = checked(count=0, redd=0.5)
    assert made is None and len(problems) == 2
    assert any("count" in text for text in problems)
    assert any("did you mean red?" in text for text in problems)


def test_contradictions_are_told_as_well() -> None:
    made, problems = checked(count=1, names=["a", "b"])
    assert made is None and any("more names than boats" in text for text in problems)
    with pytest.raises(ContradictionsError, match="more names than boats"):
        Boats(1, names=("a", "b"))


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
    settings = make_dataclass("Settings", [("size", getattr(checking, name))], frozen=True)
    problems: list[Problem] = []
    made = check(settings, node_of({"size": value}, Location("a.yaml", 1)), problems)
    assert (made is not None, not problems) == (fits, fits)
    assert all("size" in problem.text for problem in problems)
