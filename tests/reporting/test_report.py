"""What a report says of a small track whose figures can be worked out by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from subfit.batch.items import Item, Result
from subfit.cli.running import figures_of, short_figures
from subfit.fitting.outcomes import RISKY, WEIGHTS, CueOutcome, RiskFeatures, risk_of
from subfit.limits.budget import LengthBudget, budget_for
from subfit.limits.cue_budgets import Dubbing
from subfit.limits.guideline import Guideline
from subfit.reporting.figures import cue_values, definitions
from subfit.reporting.lengths import (
    is_compliant_iwslt,
    is_compliant_strict,
    length_compliance,
    length_ratios,
    length_variance,
    plain_data,
)
from subfit.reporting.report import SCHEMA, Report, report_on, with_speaking
from subfit.speech import estimate_seconds
from subfit.subtitles.cues import Cue, Track
from subfit.text.counting import Counting
from tests.limits.test_dubbing_budgets import MEDIUM, SOURCE
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK, outcome

SOUND = (RiskFeatures(**dict.fromkeys(WEIGHTS, 0.0)),)
BAD = (RiskFeatures(**dict.fromkeys(WEIGHTS, 9.0)),)
ITEM = Item("a.en.srt", "a.de.srt", "de")


def test_figures_of_all_cues(report: Report) -> None:
    totals = report.totals
    assert [totals[name] for name in ("cues", "translated", "untranslated")] == [5, 3, 1]
    before, after = totals["overflow"]["before"], totals["overflow"]["after"]
    assert (before["over"], before["characters"]) == (2, 3 + 6)
    assert (after["over"], after["characters"]) == (1, 6)
    assert totals["length_ratio"]["mean"] == pytest.approx((1.0 + 61 / 60 + 2.0) / 3)
    assert totals["compliance"]["strict"] == pytest.approx(2 / 3)
    assert totals["compliance"]["iwslt"] == pytest.approx(2 / 3)
    assert totals["cps"]["mean"] == pytest.approx((10 + 6 + 20) / 3)
    assert totals["cps"]["worst"] == 20
    assert totals["binding"] == {"cps": 2, "cpl": 1}
    assert totals["terms"] == {"found": 0, "placed": 0}


def test_json_is_json_with_settings_and_definitions(report: Report) -> None:
    document = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert document["schema"] == SCHEMA
    assert document["settings"]["guideline"]["cps"] == 17
    assert document["settings"]["model"] == "en-de"
    assert document["definitions"] == definitions()
    assert document["repairs"] == [{"line": 7, "problem": "no index"}]
    assert document["cues"][3]["budget"] is None


def test_a_cue_has_every_limit_with_its_ceiling_and_the_time_as_written(report: Report) -> None:
    first, second = map(cue_values, report.cues[:2])
    assert (first["budget"], first["binding"]) == (17, "cps")
    assert first["limits"] == {"cps": 17, "cpl": 84}
    assert (second["budget"], second["binding"], second["cpl"]) == (84, "cpl", [30, 30])
    moved = replace(report.cues[0], outcome=replace(OUTCOMES[0], end=1500))
    values = cue_values(moved)
    assert (moved.moved, values["end"], values["source_end"]) == (500, 1500, 1000)


def test_a_line_that_is_too_long_is_no_character_over_budget_but_not_clean() -> None:
    report = report_on([outcome("s" * 50, "w" * 50, "w" * 50, 0, 9000)], TRACK, NETFLIX)
    assert report.totals["overflow"]["after"]["over"] == 0
    assert report.totals["lines_overflow"] == 1
    assert not report.clean


def test_excess_counts_reading_speed_in_its_own_way() -> None:
    without_spaces = replace(NETFLIX, cps_counting=Counting(spaces=False))
    text = "ab " * 10 + "cd"  # 32 characters, 22 without spaces
    budget = budget_for("source", 1000, without_spaces)  # 17 of the latter
    wide = CueOutcome(Cue(0, 1000, "source"), "overflow", "source", text, text, budget, text)
    assert report_on([wide], TRACK, without_spaces).cues[0].excess == 5


def test_worst_are_what_does_not_fit_then_untranslated_then_what_loses_something() -> None:
    losing, condensed = replace(OUTCOMES[0], losses=("end",)), replace(OUTCOMES[0], omitted=("Oh",))
    report = report_on([condensed, *OUTCOMES[2:], losing], TRACK, NETFLIX)
    assert [cue.number for cue in report.worst(9)] == [2, 4, 5, 1]
    assert (report.totals["losing"], report.totals["condensed"]) == (1, 1)


@pytest.mark.parametrize(
    ("kept", "clean"), [((0, 1, 3), True), ((2,), False), ((4,), False), ((3,), True)]
)
def test_clean_means_all_translated_within_limits(kept: tuple[int, ...], clean: bool) -> None:
    assert report_on([OUTCOMES[index] for index in kept], TRACK, NETFLIX).clean is clean


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


@pytest.fixture
def risks() -> Report:
    """Cues 1 to 5: sound, bad, over its budget and sound, a song, untranslated."""
    features = (SOUND, BAD, SOUND, (), ())
    pairs = zip(OUTCOMES, features, strict=True)
    outcomes = [replace(one, risk_features=what) for one, what in pairs]
    return report_on(outcomes, TRACK, NETFLIX, {"source_language": "en", "target_language": "de"})


def test_translated_cues_have_a_risk(risks: Report) -> None:
    document = json.loads(json.dumps(risks.to_dict()))
    found = [cue["risk"] for cue in document["cues"]]
    assert found[:3] == pytest.approx([risk_of(SOUND[0]), risk_of(BAD[0]), risk_of(SOUND[0])])
    assert found[3:] == [None, None]
    assert [cue["risky"] for cue in document["cues"]] == [False, True, False, False, False]
    assert document["totals"]["risky"] == 1
    assert [cue.number for cue in risks.worst(5)] == [3, 5, 2, 1]
    assert ("at risk", f"1 cue with a risk of {RISKY} or more") in list(figures_of(risks.totals))
    assert "1 at risk" in short_figures(Result(ITEM, "done", {"totals": risks.totals}))


@pytest.mark.parametrize(
    ("source", "target", "iwslt", "strict"),
    [
        ("x" * 20, "y" * 22, True, True),
        ("x" * 20, "y" * 18, True, True),
        ("x" * 20, "y" * 23, False, False),
        ("x" * 20, "y" * 17, False, False),
        ("x" * 10, "y" * 11, True, True),
        ("x" * 10, "y" * 30, True, False),  # at most 10 characters: always compliant
        ("x" * 11, "y" * 30, False, False),
        ("a b c d e f g", "y" * 30, True, False),  # 13 characters, 7 without spaces
        ("x" * 20, "y y " * 5 + "y" * 10, True, False),  # 30 characters, 20 without spaces
        ("", "", True, True),
        ("", "y", True, False),
        ("x" * 30, "", False, False),
    ],
)
def test_pairs_are_compliant_by_either_rule(source, target, iwslt, strict):
    assert is_compliant_iwslt(source, target) is iwslt
    assert is_compliant_strict(source, target) is strict


def test_compliance_is_a_share_of_all_pairs():
    sources, targets = ["x" * 20, "x" * 20, "short", "x" * 20], ["y" * 20, "y" * 40, "y" * 9, ""]
    compliance = length_compliance(sources, targets)
    assert (compliance.iwslt, compliance.strict) == (0.5, 0.25)


def test_length_ratio_is_a_mean_of_ratios_with_its_spread():
    ratios = length_ratios(["xx", "xxxx", ""], ["yyy", "yy", "y"])
    assert (ratios.mean, ratios.sd, ratios.count) == (1.0, 0.5, 2)
    assert length_ratios(["Hello"], ["今日"], Counting(half_width=True)).mean == 2 / 2.5


def test_variance_is_measured_against_what_was_asked():
    assert length_variance([10, 14, 20], [10, 12, 24]) == pytest.approx(20 / 3)


def test_nothing_measured_is_not_a_number():
    ratio, compliance = length_ratios([], []), length_compliance([], [])
    assert ratio.count == compliance.count == 0
    values = (ratio.mean, compliance.iwslt, compliance.strict, length_variance([], []))
    assert all(map(math.isnan, values))


def test_what_is_not_a_number_is_null_in_plain_data():
    data = plain_data({"compliance": length_compliance([], []), "most": [math.inf, 1]})
    assert data == {"compliance": {"iwslt": None, "strict": None, "count": 0}, "most": [None, 1]}
    assert json.loads(json.dumps(data, allow_nan=False)) == data


LINE = replace(OUTCOMES[0], source=SOURCE, target=MEDIUM, payload=MEDIUM)


def spoken(outcome: CueOutcome, milliseconds: int) -> CueOutcome:
    timed = replace(outcome, cue=replace(outcome.cue, start=0, end=milliseconds))
    return with_speaking(timed, Dubbing(), "de")


@pytest.mark.parametrize(("share", "sync"), [(1.0, "ok"), (0.5, "over")])
def test_a_line_is_held_against_the_time_there_is(share: float, sync: str) -> None:
    seconds = estimate_seconds(MEDIUM, "de")
    told = spoken(LINE, round(1000 * share * seconds)).speaking
    assert told is not None
    assert told.estimated == pytest.approx(seconds, abs=0.01)
    assert (told.speed_factor, told.sync) == (pytest.approx(1 / share, abs=0.02), sync)
