"""Options for limits: what they are read as, and what is refused."""

from __future__ import annotations

import click
import pytest

from subfit.cli.options.constraints import (
    dubbing_options,
    isometric_option,
    length_ratio_option,
    limit_options,
    line_shape_option,
    strict_budget_option,
    timing_options,
)
from subfit.cli.options.shared import all_of
from subfit.errors import UsageError
from subfit.limits.budget import LengthRatio
from tests.cli.options.parsing import parsed

RATIOS = all_of(length_ratio_option, isometric_option)


def test_a_limit_that_is_not_given_is_the_guideline_s() -> None:
    expected = dict.fromkeys(("guideline", "cps", "cpl", "lines"))
    assert parsed(limit_options) == expected
    given = parsed(limit_options, "--cps", "12.5", "--lines", "1")
    assert given == {**expected, "cps": 12.5, "lines": 1}


@pytest.mark.parametrize("text", ["0.9:1.1", ":1.1", "0.5:"])
def test_a_ratio_has_two_ends_of_which_one_may_be_open(text: str) -> None:
    assert parsed(RATIOS, "--length-ratio", text) == {"length_ratio": LengthRatio.parse(text)}


def test_isometric_is_the_rule_of_the_field_and_not_the_range_with_spaces() -> None:
    isometric = parsed(RATIOS, "--isometric")["length_ratio"]
    assert isometric == LengthRatio.parse("isometric") != LengthRatio.parse("0.9:1.1")


@pytest.mark.parametrize("text", ["1.1:0.9", "abc", "1", "-1:2", ":"])
def test_what_is_no_ratio_is_refused(text: str) -> None:
    with pytest.raises((click.UsageError, UsageError)):
        parsed(RATIOS, "--length-ratio", text)


def test_seconds_become_milliseconds() -> None:
    assert parsed(timing_options, "--out-slack", "0.5")["out_slack"] == 500
    assert parsed(timing_options)["out_slack"] is None
    with pytest.raises(click.UsageError):
        parsed(timing_options, "--out-slack", "11")


def test_the_shape_of_lines_is_the_guideline_s_unless_said() -> None:
    found = [
        parsed(line_shape_option, *given)["bottom_heavy"]
        for given in ((), ("--bottom-heavy",), ("--no-bottom-heavy",))
    ]
    assert found == [None, True, False]


@pytest.mark.parametrize("default", [True, False])
def test_each_command_has_its_own_default_of_strictness(default: bool) -> None:
    assert parsed(strict_budget_option(default)) == {"strict_budget": default}
    assert parsed(strict_budget_option(default), "--strict-budget") == {"strict_budget": True}


def test_unknown_budgets_of_dubbing_are_refused_with_those_there_are() -> None:
    with pytest.raises(click.UsageError, match="isochronous"):
        parsed(dubbing_options, "--dub-budget", "words")
