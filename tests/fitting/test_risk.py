"""The risk of a translation: a probability that grows with whatever speaks against it."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.fitting.outcomes import WEIGHTS, RiskFeatures, risk_of, risk_of_any

NAMES = {field.name for field in fields(RiskFeatures)}
VALUES = st.none() | st.floats(0.0, 1e6)
FEATURES = st.builds(RiskFeatures, **{name: VALUES for name in sorted(NAMES) if name in WEIGHTS})


@given(FEATURES)
def test_it_is_a_probability(features: RiskFeatures) -> None:
    assert 0.0 <= risk_of(features) <= 1.0


@given(FEATURES, st.sampled_from(sorted(WEIGHTS)), st.floats(0.0, 1e3), st.floats(0.0, 1e3))
def test_more_of_what_speaks_against_a_translation_is_never_less_risky(
    features: RiskFeatures, name: str, one: float, other: float
) -> None:
    less, more = sorted((one, other))
    lower, higher = (risk_of(replace(features, **{name: value})) for value in (less, more))
    assert lower <= higher


def test_every_weight_is_of_a_feature_that_there_is_and_counts() -> None:
    assert set(WEIGHTS) <= NAMES
    sound = RiskFeatures(**{name: WEIGHTS[name].typical for name in WEIGHTS})
    for name, weight in WEIGHTS.items():
        worse = replace(sound, **{name: weight.typical + 1})
        assert risk_of(worse) > risk_of(sound), name


@pytest.mark.parametrize("name", sorted(WEIGHTS))
def test_what_is_not_known_counts_as_what_is_typical(name: str) -> None:
    unknown, typical = (
        replace(RiskFeatures(), **{name: it}) for it in (None, WEIGHTS[name].typical)
    )
    assert risk_of(unknown) == risk_of(typical)


def test_a_cue_of_two_sentences_is_riskier_than_either() -> None:
    one, other = RiskFeatures(surprise=0.2), RiskFeatures(surprise=0.9)
    both = risk_of_any([one, other])
    assert both is not None and max(risk_of(one), risk_of(other)) < both < 1
    assert risk_of_any([one]) == pytest.approx(risk_of(one))


def test_what_was_not_translated_has_none() -> None:
    assert risk_of_any([]) is None
