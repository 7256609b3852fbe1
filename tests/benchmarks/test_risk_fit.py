"""Weights from ratings: found again in made-up ones, never negative, and judged by known sums."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.risk import FOLDER, measured, scaled
from benchmarks.risk_data import (
    FEATURE_NAMES,
    checksum,
    rated_cues,
    rating_rows,
    read_rows,
)
from benchmarks.risk_fit import auc, cross_validated, fit
from subfit.fitting.outcomes import INTERCEPT, RISKY, SHIFT, SLOPE, WEIGHTS


def made_up(weights: list[float], cues: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    values = random.normal(size=(cues, len(weights)))
    likely = 1 / (1 + np.exp(-(values @ np.array(weights) - 0.5)))
    return values, (random.random(cues) < likely).astype(float)


def test_weights_are_found_again() -> None:
    values, wrong = made_up([1.5, 0.5])
    found = fit(values, wrong, [1], 0.1)
    assert found.weights == pytest.approx([1.5, 0.5], abs=0.15)
    assert found.intercepts == pytest.approx([-0.5], abs=0.15)


def test_one_set_of_weights_is_of_all_levels() -> None:
    values, wrong = made_up([1.5, 0.5])
    again = np.random.default_rng(4).random(len(wrong)) < 0.6
    found = fit(values, wrong + wrong * again, [1, 2], 0.1)
    changed, retranslated = found.predict(values).T
    assert (changed >= retranslated).all() and found.intercepts[0] > found.intercepts[1]
    order = np.argsort(changed)
    assert (np.diff(retranslated[order]) >= 0).all()


def test_what_speaks_for_a_translation_by_chance_gets_no_weight() -> None:
    values, wrong = made_up([1.5, -0.8, 0.0])
    found = fit(values, wrong, [1], 0.1)
    assert found.weights[1] == 0 and min(found.weights) >= 0
    assert fit(values[:, 1:2], wrong, [1], 0.1).weights.tolist() == [0.0]


def test_what_is_not_known_counts_as_the_mean() -> None:
    values, wrong = made_up([1.0, 1.0])
    found = fit(values, wrong, [1], 0.1)
    unknown, typical = np.array([[np.nan, 2.0]]), np.array([[found.means[0], 2.0]])
    assert found.predict(unknown) == pytest.approx(found.predict(typical))
    assert np.isfinite(fit(np.where(values > 2, np.nan, values), wrong, [1], 0.1).weights).all()


def test_cross_validation_knows_nothing_of_the_group_it_judges() -> None:
    values = np.eye(20)  # each cue can be learnt by heart, but tells nothing of others
    wrong = np.array([0.0, 1.0] * 10)
    learnt = fit(values, wrong, [1], 0.1).predict(values)[:, 0]
    judged = cross_validated(values, wrong, [1], range(20), 0.1)[:, 0]
    assert auc(learnt, wrong) == 1.0 and auc(judged, wrong) <= 0.5


def test_auc_counts_pairs_that_are_in_order() -> None:
    likely, wrong = np.array([0.1, 0.4, 0.35, 0.8]), np.array([0, 0, 1, 1])
    assert auc(likely, wrong) == 0.75
    assert auc(np.full(4, 0.5), wrong) == 0.5


def row(cue: int, text: str, **values: str) -> dict[str, str]:
    known = dict.fromkeys(FEATURE_NAMES, "") | {"surprise": "0.5"} | values
    names = {"language": "de", "file": "a", "cue": str(cue), "sentence": str(cue)}
    return names | known | {"checksum": checksum(text)}


def test_ratings_of_texts_that_are_others_now_are_left_out_and_counted() -> None:
    features = [row(1, "Ja."), row(2, "Nein."), row(3, "Gut."), row(3, "Gut.")]
    read = [
        {
            "language": "de",
            "file": "a",
            "cue": str(cue),
            "rating": "1",
            "translation": text,
            "fitting": "whole",
        }
        for cue, text in [(1, "Ja."), (2, "Niemals."), (3, "Gut."), (4, "Wer?")]
    ]
    columns = ("language", "file", "cue", "rating", "checksum", "split", "fitting")
    ratings = [dict(zip(columns, map(str, each), strict=True)) for each in rating_rows(read, {})]
    assert not any("Ja." in each.values() for each in ratings)
    rated, changed, unknown = rated_cues(ratings, features)
    assert [(one.key, one.rating) for one in rated] == [(("de", "a", 1), 1)]
    assert rated[0].features.surprise == 0.5 and rated[0].features.unsaid is None
    assert (changed, unknown) == (1, 2)  # the third has two sentences, the fourth no features


def test_the_weights_are_those_that_the_ratings_give() -> None:
    ratings, features = (read_rows([FOLDER / f"{name}.tsv"]) for name in ("ratings", "features"))
    rated, changed, _ = rated_cues(ratings, features)
    assert len(rated) > 500 and changed == 0
    figures = measured(rated, list(WEIGHTS))
    for name, weight in WEIGHTS.items():
        assert weight.per_unit == pytest.approx(figures["weights"][name], abs=5e-4)
        assert weight.typical == pytest.approx(figures["typical"][name], abs=5e-4)
    assert pytest.approx(figures["intercepts"][0], abs=5e-3) == INTERCEPT
    (told,) = [at for at in figures["test"]["to be translated again"] if at["threshold"] == 0.9]
    assert told["precision"] >= 0.6 and told["recall"] >= 0.7


def test_the_slope_is_what_the_ratings_of_the_present_models_give() -> None:
    ratings, features = (
        read_rows([FOLDER / f"{name}-second.tsv"]) for name in ("ratings", "features")
    )
    rated, changed, _ = rated_cues(ratings, features)
    assert len(rated) > 400 and changed == 0
    figures = scaled(rated)
    assert pytest.approx(figures["slope"], abs=5e-4) == SLOPE
    assert pytest.approx(figures["shift"], abs=5e-4) == SHIFT
    (told,) = [at for at in figures["test"]["to be changed"] if at["threshold"] == RISKY]
    assert told["precision"] >= 0.7
    bins = figures["test"]["reliability"]
    assert all(abs(one["predicted"] - one["observed"]) < 0.3 for one in bins)
