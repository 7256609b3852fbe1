"""Attention to the source: sparse, bounded by fertility, told of coverage."""

from __future__ import annotations

import math
import sys
from itertools import product

import pytest
import torch
from torch import Tensor

from subfit.errors import UsageError
from subfit.model.attention import (
    SLACK,
    FertilityBounds,
    SourceAttention,
    constrained_softmax,
    constrained_sparsemax,
    sparsemax,
)
from subfit.model.config import CONSTRAINED, ModelConfig

Row = list[float]


def nearest_by_distance(scores: Row, bounds: Row) -> Row:
    """Solve the quadratic programme by trying every way to be at 0, at the bound, or between."""
    best: tuple[float, Row] = (math.inf, [])
    for ways in product("0-u", repeat=len(scores)):
        free = [place for place, way in enumerate(ways) if way == "-"]
        fixed = sum(bound for bound, way in zip(bounds, ways, strict=True) if way == "u")
        if not free and abs(fixed - 1) > 1e-9:
            continue
        threshold = (sum(scores[place] for place in free) + fixed - 1) / max(len(free), 1)
        found = [
            {"0": 0.0, "u": bound, "-": score - threshold}[way]
            for score, bound, way in zip(scores, bounds, ways, strict=True)
        ]
        if all(-1e-12 <= p <= u + 1e-12 for p, u in zip(found, bounds, strict=True)):
            distance = sum((p - z) ** 2 for p, z in zip(found, scores, strict=True))
            best = min(best, (distance, found))
    return best[1]


def nearest_by_divergence(scores: Row, bounds: Row) -> Row:
    """Solve the KL projection of the softmax by trying every set of places at their bounds."""
    best: tuple[float, Row] = (math.inf, [])
    softmax = torch.tensor(scores, dtype=torch.float64).softmax(0).tolist()
    for at_bound in product((True, False), repeat=len(scores)):
        pairs = list(zip(softmax, bounds, at_bound, strict=True))
        left = 1 - sum(u for _, u, is_at in pairs if is_at)
        weight = sum(q for q, _, is_at in pairs if not is_at)
        if (not weight and abs(left) > 1e-9) or left < -1e-9:
            continue
        found = [u if is_at else q / weight * left for q, u, is_at in pairs]
        if all(p <= u + 1e-12 for p, u in zip(found, bounds, strict=True)):
            terms = zip(found, softmax, strict=True)
            divergence = sum(p * math.log(p / q) for p, q in terms if p > 0)
            best = min(best, (divergence, found))
    return best[1]


TRANSFORMATIONS = {
    "softmax": (constrained_softmax, nearest_by_divergence),
    "sparsemax": (constrained_sparsemax, nearest_by_distance),
}
EDGES = [
    pytest.param([0.3, -1.0, 2.0, 0.1], [1.0, 0.0, 0.0, 0.0], id="nothing left but the sink"),
    pytest.param([0.3, -1.0, 2.0, 0.1], [0.25, 0.25, 0.25, 0.25], id="bounds sum to exactly 1"),
    pytest.param(
        [0.3, -1.0, 2.0, 0.1], [0.1, 0.2, 0.3, 0.4], id="bounds sum to 1 but for rounding"
    ),
    pytest.param([0.7, 0.7, 0.7, 0.7], [0.3, 0.3, 0.3, 0.3], id="all alike"),
    pytest.param([0.7, 0.7, 0.7, 0.1], [0.2, 0.5, 0.2, 1.0], id="ties in scores and bounds"),
    pytest.param([5.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 2.0], id="bounds that bind nothing"),
    pytest.param([9.0, 0.0, -9.0, 0.0], [0.4, 1.0, 0.0, 0.3], id="one exhausted, one at its bound"),
    pytest.param([1.2, 0.8, -0.2], [1.0, 1.0, 1.0], id="the paper's figure 2, first step"),
]


@pytest.mark.parametrize("name", TRANSFORMATIONS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("scores", "bounds"), EDGES)
def test_edges_have_the_exact_solution(name, dtype, scores, bounds):
    transformation, oracle = TRANSFORMATIONS[name]
    found = transformation(torch.tensor(scores, dtype=dtype), torch.tensor(bounds, dtype=dtype))
    assert found.tolist() == pytest.approx(oracle(scores, bounds), abs=2e-7)


@pytest.mark.parametrize("name", TRANSFORMATIONS)
@pytest.mark.parametrize("spread", [0.1, 1.0, 20.0])
def test_a_batch_has_the_solutions_of_its_programmes(name: str, spread: float) -> None:
    scores, bounds = drawn_rows(spread, torch.float32)
    transformation, oracle = TRANSFORMATIONS[name]
    found = transformation(scores, bounds)
    for row, z, u in zip(found.tolist(), scores.tolist(), bounds.tolist(), strict=True):
        assert row == pytest.approx(oracle(z, u), abs=1e-5)
    assert found.sum(-1).tolist() == pytest.approx([1.0] * len(found), abs=1e-5)


def drawn_rows(spread: float, dtype: torch.dtype, places: int = 6) -> tuple[Tensor, Tensor]:
    torch.manual_seed(int(spread * 10))
    scores = spread * torch.randn(60, places, dtype=dtype)
    bounds = torch.rand(60, places, dtype=dtype)
    bounds[:, -1] = 1.0  # the sink: some way to be a distribution there always is
    bounds[torch.rand(60, places) < 0.2] = 0.0
    bounds[:, -1] = 1.0
    return scores, bounds


@pytest.mark.parametrize("transformation", [constrained_softmax, constrained_sparsemax])
@pytest.mark.parametrize("spread", [0.3, 2.0])
def test_gradients_are_those_of_finite_differences(transformation, spread: float) -> None:
    scores, bounds = (rows[:4] for rows in drawn_rows(spread, torch.float64))
    bounds = bounds.where(bounds > 0, 0.05)  # at 0 a difference to both sides has no meaning,
    bounds[:, -1] = 2.0  # nor has one at 1, where a place that has everything is at its bound
    assert torch.autograd.gradcheck(
        transformation, (scores.requires_grad_(), bounds.requires_grad_()), eps=1e-7, atol=1e-5
    )


@pytest.mark.parametrize("transformation", [constrained_softmax, constrained_sparsemax])
def test_masked_places_have_nothing_and_padding_changes_no_bit(transformation) -> None:
    scores, bounds = drawn_rows(1.0, torch.float32, places=16)
    wide = torch.full((60, 32), -math.inf)
    wide[:, :16] = scores
    found = transformation(wide, torch.cat([bounds, torch.ones(60, 16)], dim=1))
    assert torch.equal(found[:, :16], transformation(scores, bounds))
    assert not found[:, 16:].any()


def test_without_bounds_they_are_what_they_are_named_for() -> None:
    pytest.importorskip("entmax")
    scores, _ = drawn_rows(2.0, torch.float32)
    ones = torch.ones(())
    assert torch.allclose(constrained_softmax(scores, ones), scores.softmax(-1), atol=1e-6)
    assert torch.allclose(constrained_sparsemax(scores, ones), sparsemax(scores), atol=1e-6)


def test_sparsemax_without_its_package_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "entmax", None)
    with pytest.raises(UsageError, match=r"install subfit\[attention\]"):
        sparsemax(torch.zeros(3))


def test_the_steps_of_the_paper_s_figure() -> None:
    """Figure 2: fertility 1 for each of three words; each row is spent before the next."""
    rows = torch.tensor([[1.2, 0.8, -0.2], [0.7, 0.9, 0.1], [-0.2, 0.2, 0.9]])
    left, spent = torch.ones(3), []
    for row in rows:
        spent.append(constrained_sparsemax(row, left))
        left = (left - spent[-1]).clamp(min=0)
    assert spent[0].tolist() == pytest.approx([0.7, 0.3, 0.0])
    assert spent[1].tolist() == pytest.approx([0.3, 0.7, 0.0], abs=1e-6)
    assert spent[2].tolist() == pytest.approx([0.0, 0.0, 1.0], abs=1e-6)


SINK = 9
SOURCE = torch.tensor([[3, 4, 2, SINK], [5, 2, SINK, 0]])
STATES = torch.randn(2, 4, 8, generator=torch.Generator().manual_seed(1))


def fertilities(way: str, constant: float = 2.0, pieces: int = 10) -> FertilityBounds:
    config = ModelConfig(d_model=8, vocab_size=pieces, fertility=way, sink_token=SINK)
    config.constant_fertility = constant
    return FertilityBounds(config)


@pytest.mark.parametrize("constant", [1.5, 2])
def test_the_sink_alone_has_no_bound(constant: float) -> None:
    bounds = fertilities("constant", constant)(SOURCE, STATES)
    assert bounds.tolist() == [
        [*[constant] * 3, torch.inf],
        [constant, constant, torch.inf, constant],
    ]


def test_the_head_learns_and_the_encoder_is_left_alone() -> None:
    torch.manual_seed(1)
    states = torch.randn(30, 8, requires_grad=True)
    told = torch.randint(0, 4, (30,))
    told[4::5] = -100  # the ends and sinks of sources
    fertility = fertilities("predicted")
    optimizer = torch.optim.Adam(fertility.parameters(), lr=0.05)
    losses = []
    for _ in range(150):
        loss = fertility.loss(states, told)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert losses[-1] < 0.1 * losses[0]
    assert states.grad is None
    bounds, known = fertility(torch.full((30,), 3), states), told >= 0
    assert torch.allclose(bounds[known], told[known] + SLACK, atol=0.5)
    assert not bounds.requires_grad


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


@pytest.mark.parametrize("kind", CONSTRAINED)
@pytest.mark.parametrize("fertility", [0.3, 0.7, 1.0])
def test_no_place_has_more_than_its_fertility_over_all_steps(kind, fertility):
    shares = SourceAttention(kind).share_all(scores_of(2), bounds_of(fertility))
    spent = shares.mean(1).sum(1)  # the mean over heads, over all steps
    assert (spent <= bounds_of(fertility) + 1e-5).all()
    free = SourceAttention(kind.removeprefix("c")).share_all(scores_of(2), None)
    assert (free.mean(1).sum(1) > bounds_of(fertility)).any()


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
