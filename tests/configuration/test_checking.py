"""Trees of settings made into dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from subfit.configuration.checking import ContradictionsError, check, require
from subfit.configuration.ranges import AtLeastOne, Share
from subfit.configuration.tree import Location, Problem, node_of


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
