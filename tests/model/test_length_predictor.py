"""What all length predictors do with their estimates."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from subfit.errors import ModelError
from subfit.model.length_predictor import BATCH_TEXTS, LengthPredictor
from tests.properties import examples


class Fixed(LengthPredictor):
    """Estimates by the length of a text alone."""

    kind = "encoder"

    def __init__(self, log_ratio):
        self.log_ratio, self.batches = log_ratio, []

    def log_ratios(self, texts):
        self.batches.append(len(texts))
        return torch.tensor([self.log_ratio(len(text)) for text in texts])

    def modules(self):
        return ()


@examples(40)
@given(st.lists(st.text("ab ", min_size=1, max_size=30), max_size=150))
def test_estimates_come_back_in_the_order_of_their_texts(texts):
    predictor = Fixed(lambda length: math.log(1.5) if length % 2 else 0.0)
    found = predictor.predict(texts)
    for text, length in zip(texts, found, strict=True):
        own = len(" ".join(text.split()))
        assert length == max(1, round(own * (1.5 if own % 2 else 1.0)))
    assert all(count <= BATCH_TEXTS for count in predictor.batches)


@pytest.mark.parametrize(("log_ratio", "length"), [(50.0, 100), (-50.0, 1), (0.0, 10)])
def test_no_estimate_is_ten_times_as_long_or_a_tenth(log_ratio, length):
    assert Fixed(lambda _: log_ratio).predict(["ten letter"]) == [length]


def test_lengths_are_in_the_unit_of_the_model():
    predictor = Fixed(lambda _: 0.0)
    predictor.unit_characters = 2.5
    assert predictor.predict(["ten letter", "x"]) == [4, 1]


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_no_numbers_are_told_in_one_line(broken):
    with pytest.raises(ModelError, match="computes no numbers; is it damaged"):
        Fixed(lambda length: broken if length > 3 else 0.0).predict(["one", "eleven"])
