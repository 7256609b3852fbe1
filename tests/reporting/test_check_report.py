"""What a check finds, as plain data."""

from __future__ import annotations

import json

import pytest

from subfit.limits.guideline import Guideline
from subfit.reporting.check import check_track
from subfit.reporting.check_report import CheckReport
from subfit.subtitles.cues import Cue, Track

NETFLIX = Guideline.load("netflix", "de")


@pytest.fixture(scope="module")
def checked() -> CheckReport:
    """One cue is too fast and too short, one is too fast, one keeps all limits."""
    cues = (
        Cue(0, 500, "x" * 40, "7", line=2),
        Cue(1000, 2000, "x" * 18, line=6),
        Cue(3000, 5000, "Wie geht es dir?", line=10),
    )
    return check_track(Track(cues, "srt"), NETFLIX)


def test_limits_are_counted_by_how_many_cues_break_them(checked: CheckReport) -> None:
    assert checked.violations == {"cps": 2, "min_duration": 1}
    assert list(checked.violations) == ["cps", "min_duration"]
    assert checked.totals["compliant_cues"] == 1


def test_a_cue_is_told_by_its_place_first(checked: CheckReport) -> None:
    data = checked.cues[0].to_dict()
    assert list(data)[:5] == ["position", "identifier", "line", "start", "end"]
    assert [data[name] for name in list(data)[:5]] == [1, "7", 2, 0, 500]
    assert "cue" not in data and data["text"] == "x" * 40


def test_it_is_json_as_it_stands(checked: CheckReport) -> None:
    document = checked.to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert [len(cue["violations"]) for cue in document["cues"]] == [2, 1, 0]
