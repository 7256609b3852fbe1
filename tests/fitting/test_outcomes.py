"""What became of a cue: its out-time and its risk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.fitting.outcomes import CueOutcome, RiskFeatures, risk_of_any
from subfit.subtitles.cues import Cue

PLAIN = CueOutcome(Cue(1000, 2000, "Hm."), "fits", "Hm.", "Hm.", "Hm.")


def test_a_cue_keeps_its_out_time_unless_it_is_given_another() -> None:
    assert PLAIN.written_end == 2000
    assert replace(PLAIN, end=2500).written_end == 2500


def test_what_was_not_translated_has_no_risk() -> None:
    assert PLAIN.risk is None


@pytest.mark.parametrize("count", [1, 2, 4])
def test_more_sentences_are_more_at_risk(count: int) -> None:
    features = RiskFeatures()
    risk = replace(PLAIN, risk_features=(features,) * count).risk
    assert risk == risk_of_any((features,) * count)
    assert risk is not None and 0 <= risk <= 1
    more = replace(PLAIN, risk_features=(features,) * (count + 1)).risk
    assert more is not None and more >= risk
