"""Trees of settings, each value with the place where it was given."""

from __future__ import annotations

from subfit.configuration.tree import (
    COMMAND_LINE,
    Location,
    Problem,
    RecipeProblemsError,
    did_you_mean,
    node_of,
    overlay,
)

BASE = node_of({"model": {"layers": 6, "heads": 8}, "steps": 10}, Location("base.yaml", 3))


def test_mappings_merge_and_values_are_replaced() -> None:
    upper = node_of({"model": {"layers": 2}, "name": "small"}, Location("small.yaml", 1, rank=1))
    assert overlay(BASE, upper).plain() == {
        "model": {"layers": 2, "heads": 8},
        "steps": 10,
        "name": "small",
    }


def test_an_empty_mapping_takes_what_is_below_away() -> None:
    upper = node_of({"model": {}}, COMMAND_LINE)
    assert overlay(BASE, upper).plain() == {"model": {}, "steps": 10}


def test_a_mapping_may_have_an_entry_more_or_less() -> None:
    assert BASE.without("model").plain() == {"steps": 10}
    assert BASE.with_entry("steps", node_of(5, COMMAND_LINE)).plain()["steps"] == 5


def test_problems_are_told_by_file_and_line_those_of_the_command_line_last() -> None:
    problems = [
        Problem(COMMAND_LINE, "c"),
        Problem(Location("b.yaml", 2), "b"),
        Problem(Location("a.yaml", 9), "a"),
    ]
    told = str(RecipeProblemsError(problems, "mend them"))
    assert told == "a.yaml:9: a; b.yaml:2: b; command line: c; mend them"


def test_the_nearest_name_is_proposed() -> None:
    assert did_you_mean("layer", ["layers", "heads"]).startswith(" (did you mean layers? ")
    assert did_you_mean("x", []) == " (known: none)"
