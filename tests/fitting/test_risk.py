"""The risk of a cue: a probability that grows with whatever speaks against its translation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.fitting.outcomes import WEIGHTS, RiskFeatures, risk_of, risk_of_any

VALUES = st.none() | st.floats(0.0, 1e6)
FEATURES = st.builds(RiskFeatures, **dict.fromkeys(sorted(WEIGHTS), VALUES))
SOUND = RiskFeatures(**{name: weight.typical for name, weight in WEIGHTS.items()})


@given(FEATURES, st.sampled_from(sorted(WEIGHTS)), st.floats(0.0, 1e3), st.floats(0.0, 1e3))
def test_more_of_what_speaks_against_a_translation_is_never_less_risky(
    features: RiskFeatures, name: str, one: float, other: float
) -> None:
    less, more = sorted((one, other))
    lower, higher = (risk_of(replace(features, **{name: value})) for value in (less, more))
    assert 0 <= lower <= higher <= 1


@pytest.mark.parametrize("name", sorted(WEIGHTS))
def test_every_feature_counts_and_one_that_is_not_known_is_typical(name: str) -> None:
    assert risk_of(replace(SOUND, **{name: WEIGHTS[name].typical + 1})) > risk_of(SOUND)
    assert risk_of(replace(SOUND, **{name: None})) == risk_of(SOUND)


def test_a_cue_of_two_sentences_is_riskier_than_either_and_one_without_has_none() -> None:
    one, other = RiskFeatures(surprise=0.2), RiskFeatures(surprise=0.9)
    both = risk_of_any([one, other])
    assert both is not None and max(risk_of(one), risk_of(other)) < both < 1
    assert risk_of_any([one]) == pytest.approx(risk_of(one))
    assert risk_of_any([]) is None
