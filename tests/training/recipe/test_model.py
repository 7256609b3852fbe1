"""What a recipe may say of lengths and of its model."""

from __future__ import annotations

import pytest

from subfit.training.recipe.model import Length
from tests.training.recipes import refusal


@pytest.mark.parametrize(
    ("override", "problem"),
    [
        ("length.classes={a: 1.2, b: 1.0, c: null}", "must ascend"),
        ("length.classes={a: 1.2}", "end with an open class"),
        ("length.noise=2", "length.noise needs length.encodings"),
        ("length.free=1", "length.free must be less than 1"),
        ("length.predictor=bert", "length.predictor must be 'encoder'"),
        ("length.predictor_weight=0", "length.predictor_weight must be greater than 0"),
        ("length.predictor_gradient=true", "need length.predictor: encoder"),
        ("length={predictor: encoder, classes: {a: 1, b: null}}", "needs length.free"),
        ("length.positions=1", "length.positions must be a boolean, not 1"),
        ("model.width=321", "must be even and a multiple"),
        ("model.heads=0", "model.heads must be greater than or equal to 1"),
        ("model.dropout=1.5", "model.dropout must be less than 1"),
        ("length.classes={a: q0.3, b: 1.2, c: null}", "bounded all by ratios or all by quantiles"),
        ("length.classes={a: q1.5, c: null}", "by quantiles from q0 to q1, such as q0.33"),
        ("length.classes={a: q0.7, b: q0.3, c: null}", "must ascend"),
        ("length.encodings=[abs, abs]", "names one twice"),
        ("length.gate_steps=10", "length.gate_steps needs length.encodings"),
        ("model.grown_encoder=8", "is a number of layers that model.start grows to"),
        ("model.max_tokens=3", "model.max_tokens must be greater than or equal to 4"),
    ],
)
def test_impossible_values_are_refused(written, override, problem):
    assert problem in refusal(written, override)


@pytest.mark.parametrize(
    ("classes", "bounds", "by_quantile"),
    [
        ({"short": 0.95, "long": None}, {"short": 0.95, "long": None}, False),
        ({"short": "q0.33", "long": None}, {"short": 0.33, "long": None}, True),
        ({"all": None}, {"all": None}, False),
        ({}, {}, False),
    ],
)
def test_bounds_are_numbers_whether_ratios_or_quantiles(classes, bounds, by_quantile):
    length = Length(classes=classes)
    assert (length.bounds, length.by_quantile) == (bounds, by_quantile)
