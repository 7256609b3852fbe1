"""Verdicts on cues: every limit with its ceiling, and what is over it."""

from dataclasses import replace

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.budget import budget_for
from subfit.reporting.figures import cue_values
from subfit.reporting.report import Report, report_on
from subfit.subtitles.cues import Cue
from subfit.text.counting import Counting
from tests.reporting.conftest import NETFLIX, TRACK, outcome


def test_a_verdict_names_every_limit_with_its_ceiling(report: Report) -> None:
    first, second = map(cue_values, report.cues[:2])
    assert (first["budget"], first["binding"]) == (17, "cps")
    assert first["limits"] == {"cps": 17, "cpl": 84}
    assert (second["budget"], second["binding"]) == (84, "cpl")
    assert (second["cpl"], second["lines"]) == ([30, 30], 2)


def test_a_line_that_is_too_long_is_no_character_over_budget_but_not_clean() -> None:
    wide = outcome("s" * 50, "w" * 50, "w" * 50, 0, 9000)
    report = report_on([wide], TRACK, NETFLIX)
    assert report.totals["overflow"]["after"]["over"] == 0
    assert report.totals["lines_overflow"] == 1
    assert not report.clean


def test_excess_counts_reading_speed_in_its_own_way() -> None:
    without_spaces = replace(NETFLIX, cps_counting=Counting(spaces=False))
    text = "ab " * 10 + "cd"  # 32 characters, 22 without spaces
    budget = budget_for("source", 1000, without_spaces)  # 17 of the latter
    wide = CueOutcome(Cue(0, 1000, "source"), "overflow", "source", text, text, budget, text)
    assert report_on([wide], TRACK, without_spaces).cues[0].excess == 5
