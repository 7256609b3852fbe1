"""How hypotheses are scored, by the equations of the papers."""

from __future__ import annotations

import math

import pytest
import torch

from subfit.decoding.hypotheses import Hypothesis, with_scores
from subfit.decoding.network import vote
from subfit.decoding.search_types import SearchSettings


@pytest.mark.parametrize(
    ("normalization", "penalty", "tokens", "length"),
    [
        ("mean", 1.0, 25, 25.0),
        ("mean", 0.5, 25, 5.0),
        ("wu", 1.0, 25, 5.0),
        ("wu", 0.2, 25, 1.379730),
        ("wu", 0.5, 4, 1.224745),
        ("wu", 1.0, 1, 1.0),
        ("wu", 0.0, 25, 1.0),
    ],
)
def test_scores_are_divided_by_a_length(normalization, penalty, tokens, length):
    settings = SearchSettings(length_penalty=penalty, length_normalization=normalization)
    assert settings.length(float(tokens)) == pytest.approx(length, rel=1e-6)
    assert settings.length(torch.tensor([tokens])).tolist() == pytest.approx([length], rel=1e-6)


def test_coverage_weighs_as_much_as_with_wu_et_al_where_the_length_is_theirs():
    """s = log P / ((5 + n) / 6)^α + β Σ ln min(coverage, 1), of 25 tokens with α = 1: 5, not 25."""
    found = Hypothesis("a", 1.0, 0.0, 0.0, tuple(range(24)), uncovered=0.2 * math.log(0.5))
    log_probabilities, texts = [-0.4] * 25, ["a"] * 24
    of_wu = SearchSettings(length_normalization="wu")
    score = with_scores(found, log_probabilities, texts, of_wu).score
    assert score == pytest.approx(-2.0 - 0.138629, abs=1e-6)
    score = with_scores(found, log_probabilities, texts, SearchSettings()).score
    assert score == pytest.approx(-0.4 - 0.138629, abs=1e-6)


def test_models_vote_by_log_probabilities_or_by_probabilities():
    first, second = torch.tensor([[0.9, 0.1]]).log(), torch.tensor([[0.4, 0.6]]).log()
    by_log = vote([first, second], "log-probability")
    assert by_log.exp().tolist() == [pytest.approx([0.6, math.sqrt(0.06)])]
    by_mean = vote([first, second], "probability")
    assert by_mean.exp().tolist() == [pytest.approx([0.65, 0.35])]
