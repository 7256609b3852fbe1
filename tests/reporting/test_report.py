"""What a report says of a small track whose figures can be worked out by hand."""

import json
from dataclasses import replace

import pytest

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.budget import LengthBudget, budget_for
from subfit.limits.guideline import Guideline
from subfit.reporting.definitions import definitions
from subfit.reporting.figures import cue_values
from subfit.reporting.report import Report, report_on
from subfit.reporting.verdicts import CueVerdict
from subfit.subtitles.cues import Cue, Repair, Track
from subfit.text.counting import Counting

NETFLIX = Guideline("netflix", "de", cps=17, cpl=42, lines=2)


def outcome(source: str, target: str, natural: str, start: int, end: int) -> CueOutcome:
    """A translated cue under `NETFLIX`."""
    budget = budget_for(source, end - start, NETFLIX)
    return CueOutcome(
        cue=Cue(start, end, source, line=start // 1000 + 1),
        status="fits" if budget.fits(target, NETFLIX) else "overflow",
        source=source,
        target=target,
        payload=target,
        budget=budget,
        natural=natural,
        score=-1.0,
    )


OUTCOMES = (
    # 17 characters allowed; 20 characters were cut to 10: source 10, ratio 1.0
    outcome("0123456789", "abcdefghij", "x" * 20, 0, 1000),
    # 84 allowed by the lines; two lines of 30, source 60 with its space: LR (30 + 1 + 30) / 60
    outcome("s" * 60, "a" * 30 + "\n" + "b" * 30, "y" * 61, 10_000, 20_000),
    # 34 allowed, 40 written: 6 over, before as after; LR 40 / 20
    outcome("t" * 20, "u" * 40, "u" * 40, 30_000, 32_000),
    CueOutcome(Cue(40_000, 41_000, "♪", line=41), "passed", "♪", "♪", "♪", note="music is kept"),
    CueOutcome(Cue(50_000, 51_000, "Hm.", line=51), "untranslated", "Hm.", "Hm.", "Hm."),
)
TRACK = Track(tuple(each.cue for each in OUTCOMES), "srt", repairs=(Repair(7, "no index"),))


def with_outcome(verdict: CueVerdict, **changes: object) -> CueVerdict:
    """A verdict on another outcome, with the same figures."""
    return replace(verdict, outcome=replace(verdict.outcome, **changes))


@pytest.fixture(scope="module")
def report() -> Report:
    return report_on(OUTCOMES, TRACK, NETFLIX, {"model": "en-de"})


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


def test_a_verdict_names_every_limit_with_its_ceiling(report: Report) -> None:
    first, second = map(cue_values, report.cues[:2])
    assert (first["budget"], first["binding"]) == (17, "cps")
    assert first["limits"] == {"cps": 17, "cpl": 84}
    assert (second["budget"], second["binding"]) == (84, "cpl")
    assert (second["cpl"], second["lines"]) == ([30, 30], 2)


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


def test_json_is_json_with_settings_and_definitions(report: Report) -> None:
    document = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert document["settings"]["guideline"]["cps"] == 17
    assert document["settings"]["model"] == "en-de"
    assert document["definitions"] == definitions()
    assert document["repairs"] == [{"line": 7, "problem": "no index"}]
    assert document["cues"][3]["budget"] is None
    assert document["totals"]["overflow"]["before"]["characters"] == 9


def test_every_figure_of_the_totals_is_defined(report: Report) -> None:
    counts = {"cues", "translated", "passed", "untranslated"}
    totals = set(report.to_dict()["totals"]) - counts
    defined = {name.split(".")[0] for name in definitions()}
    assert totals <= defined


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
