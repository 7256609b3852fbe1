"""What became of a translated file, in words and figures that can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.cli.views.summary import (
    CELLS,
    bound_of,
    cells_of,
    figures_of,
    guideline_of,
    remarks_of,
)
from subfit.limits.guideline import Guideline
from subfit.reporting.report import Report, report_on
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK


@pytest.fixture(scope="module")
def report() -> Report:
    return report_on(OUTCOMES, TRACK, NETFLIX, {"model": "en-de"})


def test_figures_are_those_of_the_cues(report: Report) -> None:
    told = dict(figures_of(report))
    assert told["cues"] == "5: 3 translated, 1 passed by rule, 1 untranslated"
    assert told["over budget"].startswith("1 cue by 6 characters")
    assert "without length control 2 by 9" in told["over budget"]
    assert told["LR"].startswith("1.34")


def test_cells_are_a_cue_s_row(report: Report) -> None:
    rows = [dict(zip(CELLS, cells_of(cue), strict=True)) for cue in report.cues]
    assert [row["characters"] for row in rows[:3]] == ["10/17", "60/84", "40/34"]
    assert rows[2]["limit"] == "reading speed"
    assert rows[4]["limit"] == "untranslated"


def test_limits_that_bind_are_counted_with_what_was_shortened(report: Report) -> None:
    assert "shortened" in bound_of(report)


def test_what_was_left_out_is_told_with_its_place() -> None:
    outcomes = (
        replace(OUTCOMES[0], omitted=("you\nknow",), unplaced=("<i>", "<b>")),
        *OUTCOMES[1:],
    )
    remarks = list(remarks_of(report_on(outcomes, TRACK, NETFLIX)))
    assert len(remarks) == 2
    assert remarks[0].endswith("left out: you know")
    assert remarks[1].endswith("no place for <i> <b>")


@pytest.mark.parametrize(
    ("guideline", "told"),
    [
        (NETFLIX, "netflix (CPS 17, CPL 42, lines 2)"),
        (Guideline.load("none", "de"), "none (no limits)"),
        (Guideline.load("netflix", "und"), "general values, as no language is named"),
        (Guideline.load("netflix", "sw"), "it has no values of its own for sw"),
    ],
)
def test_a_guideline_is_told_with_its_limits(guideline: Guideline, told: str) -> None:
    assert told in guideline_of(guideline)
