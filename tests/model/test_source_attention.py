"""Attention that remembers what it has spent: bounds are kept over all steps of a target."""

from __future__ import annotations

import pytest
import torch

from subfit.model.attention import SourceAttention
from subfit.model.config import CONSTRAINED, SOURCE_ATTENTIONS

ROWS, HEADS, STEPS, PLACES, WIDTH = 2, 2, 5, 7, 4


def scores_of(seed: int) -> torch.Tensor:
    torch.manual_seed(seed)
    scores = 2 * torch.randn(ROWS, HEADS, STEPS, PLACES)
    scores[1, :, :, 5:] = float("-inf")  # padding
    return scores


def bounds_of(fertility: float) -> torch.Tensor:
    """Every place may have so much attention; the last real one, the sink, any amount."""
    bounds = torch.full((ROWS, PLACES), fertility)
    bounds[0, -1] = bounds[1, 4] = float("inf")
    return bounds


@pytest.mark.parametrize("kind", SOURCE_ATTENTIONS)
def test_every_step_shares_out_all_of_its_attention_and_none_to_padding(kind):
    way = SourceAttention(kind, exhaustion=0.2 if kind in CONSTRAINED else 0.0)
    shares = way.share_all(scores_of(1), bounds_of(0.8))
    assert (shares >= 0).all() and not shares[1, :, :, 5:].any()
    torch.testing.assert_close(shares.sum(-1), torch.ones(ROWS, HEADS, STEPS))


@pytest.mark.parametrize("kind", CONSTRAINED)
@pytest.mark.parametrize("fertility", [0.3, 0.7, 1.0])
def test_no_place_has_more_than_its_fertility_over_all_steps(kind, fertility):
    shares = SourceAttention(kind).share_all(scores_of(2), bounds_of(fertility))
    spent = shares.mean(1).sum(1)  # the mean over heads, over all steps
    assert (spent <= bounds_of(fertility) + 1e-5).all()
    free = SourceAttention(kind.removeprefix("c")).share_all(scores_of(2), None)
    assert (free.mean(1).sum(1) > bounds_of(fertility)).any()


@pytest.mark.parametrize("kind", CONSTRAINED)
def test_without_bounds_it_is_what_it_is_named_for(kind):
    endless = torch.full((ROWS, PLACES), float("inf"))
    bound = SourceAttention(kind).share_all(scores_of(3), endless)
    free = SourceAttention(kind.removeprefix("c")).share_all(scores_of(3), None)
    torch.testing.assert_close(bound, free, atol=1e-5, rtol=1e-5)


def test_no_step_depends_on_those_behind_it():
    way, scores = SourceAttention("csoftmax"), scores_of(4)
    before = way.share_all(scores, bounds_of(0.6))
    scores[:, :, 3:] = scores_of(5)[:, :, 3:]
    after = way.share_all(scores, bounds_of(0.6))
    assert torch.equal(before[:, :, :3], after[:, :, :3])
    assert not torch.equal(before[:, :, 3:], after[:, :, 3:])


def test_a_coverage_vector_tells_the_scores_what_each_place_has_had():
    torch.manual_seed(6)
    vector, query = torch.randn(HEADS * WIDTH), torch.randn(ROWS, HEADS, STEPS, WIDTH)
    keys = torch.randn(ROWS, HEADS, PLACES, WIDTH)
    way = SourceAttention(vector=vector)
    shares = way.share_all(query @ keys.transpose(2, 3), None, way.lean(query))
    spent = torch.zeros(ROWS, 1, PLACES, 1)
    for step in range(STEPS):  # q (k + v β), as the paper has it
        told = keys + vector.view(1, HEADS, 1, WIDTH) * spent
        one = (query[:, :, step : step + 1] @ told.transpose(2, 3)).softmax(-1)
        torch.testing.assert_close(shares[:, :, step : step + 1], one, atol=1e-5, rtol=1e-4)
        spent = spent + one.mean(1).squeeze(1).view(ROWS, 1, PLACES, 1)
