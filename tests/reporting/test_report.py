"""What a report says of a small track whose figures can be worked out by hand."""

import json
from dataclasses import replace

import pytest

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.reporting.report import Report, report_on
from subfit.subtitles.cues import Cue, Track
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK


def test_cues_are_counted_by_what_became_of_them(report: Report) -> None:
    totals = report.totals
    assert [totals[name] for name in ("cues", "translated", "passed", "untranslated")] == [
        5,
        3,
        1,
        1,
    ]


def test_overflow_is_told_before_and_after_length_control(report: Report) -> None:
    before, after = report.totals["overflow"]["before"], report.totals["overflow"]["after"]
    assert (before["over"], before["characters"]) == (2, 3 + 6)
    assert (after["over"], after["characters"]) == (1, 6)


def test_length_ratio_and_both_compliance_rules(report: Report) -> None:
    ratios = [1.0, 61 / 60, 2.0]
    assert report.totals["length_ratio"]["mean"] == pytest.approx(sum(ratios) / 3)
    assert report.totals["compliance"]["strict"] == pytest.approx(2 / 3)
    assert report.totals["compliance"]["iwslt"] == pytest.approx(2 / 3)


def test_cps_mean_and_worst(report: Report) -> None:
    assert report.totals["cps"]["mean"] == pytest.approx((10 + 6 + 20) / 3)
    assert report.totals["cps"]["worst"] == 20


def test_limits_that_bind_are_counted_over_all_and_over_what_had_to_be_shortened(
    report: Report,
) -> None:
    assert report.totals["binding"]["all"] == {"cps": 2, "cpl": 1}
    assert report.totals["binding"]["natural_overflow"] == {"cps": 2}


def test_worst_are_what_does_not_fit_then_the_untranslated(report: Report) -> None:
    assert [cue.number for cue in report.worst(3)] == [3, 5, 1]
    assert 4 not in [cue.number for cue in report.worst(9)]


def test_what_may_end_too_early_is_counted_and_comes_before_what_is_merely_unsure() -> None:
    unsure, doubtful = replace(OUTCOMES[1], score=-9.0), replace(OUTCOMES[0], doubtful=True)
    report = report_on([unsure, *OUTCOMES[2:], doubtful], TRACK, NETFLIX)
    assert report.totals["doubtful"] == 1
    assert [cue.number for cue in report.worst(4)] == [2, 4, 5, 1]


def test_condensed_cues_are_counted_are_clean_and_come_after_those_in_doubt() -> None:
    condensed = replace(OUTCOMES[0], omitted=("Well,", "you know,"))
    unsure, doubtful = replace(OUTCOMES[1], score=-9.0), replace(OUTCOMES[0], doubtful=True)
    report = report_on([unsure, condensed, doubtful], TRACK, NETFLIX)
    assert report.totals["condensed"] == 1 and report.clean
    assert [cue.number for cue in report.worst(3)] == [3, 2, 1]
    document = report.to_dict()
    assert document["totals"]["condensed"] == 1
    assert [cue["omitted"] for cue in document["cues"]] == [[], ["Well,", "you know,"], []]


@pytest.mark.parametrize(
    ("kept", "clean"),
    [((0, 1, 3), True), ((2,), False), ((4,), False), ((3,), True)],
)
def test_clean_means_all_translated_within_limits(kept: tuple[int, ...], clean: bool) -> None:
    outcomes = [OUTCOMES[index] for index in kept]
    assert report_on(outcomes, TRACK, NETFLIX).clean is clean


def test_an_empty_track_has_a_report() -> None:
    report = report_on([], replace(TRACK, cues=(), repairs=()), NETFLIX)
    assert report.clean and report.totals["length_ratio"]["mean"] is None
    assert json.dumps(report.to_dict(), allow_nan=False)
    assert report.worst(5) == ()


def test_plain_text_has_no_times_and_no_reading_speed() -> None:
    sentence = CueOutcome(Cue(0, 0, "Hi"), "fits", "Hi", "Ho", "Ho", LengthBudget(), "Ho")
    report = report_on([sentence], Track((sentence.cue,), "txt"), Guideline())
    figures = report.to_dict()["cues"][0]
    assert all(figures[name] is None for name in ("start", "end", "cps", "budget"))
