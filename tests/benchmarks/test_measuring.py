"""The statistics that benchmarks print."""

from __future__ import annotations

import pytest

from benchmarks.measuring import Spread, markdown, peak_memory, ratios


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([2.0], "2.00 (2.00 to 2.00)"),
        ([3.0, 1.0, 2.0], "2.00 (1.00 to 3.00)"),
        ([4.0, 1.0, 2.0, 100.0], "3.00 (1.00 to 100.00)"),
    ],
)
def test_a_spread_is_the_median_and_both_ends(values, shown):
    assert str(Spread.of(values)) == shown


def test_ratios_are_taken_within_each_round():
    # The machine was four times slower in the second round, which changes neither ratio.
    assert ratios([2.0, 8.0, 2.0], [1.0, 4.0, 0.5]) == Spread(2.0, 2.0, 4.0)


def test_rounds_must_belong_together():
    with pytest.raises(ValueError):
        ratios([1.0, 2.0], [1.0])


def test_peak_memory_counts_what_was_held():
    before = peak_memory()
    if before is None:
        pytest.skip("this system does not tell")
    held = bytearray(128 * 1024 * 1024)
    del held
    assert peak_memory() > before


def test_a_table_in_markdown():
    assert markdown(["", "n"], [["a", "1"], ["b", "2"]]).splitlines() == [
        "|  | n |",
        "|---|--:|",
        "| a | 1 |",
        "| b | 2 |",
    ]
