"""The largest sums, beside `torch.topk` over all of them."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from subfit.decoding.pieces import BLOCK, top_k
from tests.properties import examples

SIZES = st.one_of(
    st.integers(1, 3 * BLOCK), st.sampled_from([BLOCK - 1, BLOCK, BLOCK + 1, 9 * BLOCK, 900])
)


@examples(150)
@given(
    rows=st.integers(1, 4),
    groups=st.integers(1, 6),
    size=SIZES,
    k=st.integers(1, 24),
    ties=st.booleans(),
    banned=st.floats(0, 1),
    seed=st.integers(0, 10_000),
)
def test_it_finds_what_sorting_everything_finds(rows, groups, size, k, ties, banned, seed):
    k = min(k, groups * size)
    draw = torch.Generator().manual_seed(seed)
    scores = torch.randn(rows, groups, size, generator=draw)
    added = torch.randn(rows, groups, generator=draw)
    if ties:  # a few values only, so that many sums are equal
        scores, added = scores.round(), added.round()
    scores[torch.rand(scores.shape, generator=draw) < banned] = float("-inf")
    added[torch.rand(added.shape, generator=draw) < banned / 2] = float("-inf")
    sums = (scores + added.unsqueeze(2)).flatten(1)
    found, places = top_k(scores, added, k)
    assert torch.equal(found, sums.topk(k, dim=1).values)
    assert torch.equal(sums.gather(1, places), found)
    for row in places.tolist():
        assert len(set(row)) == k


def test_a_row_without_any_hypothesis_is_a_row_of_never():
    scores = torch.randn(2, 3, 10 * BLOCK)
    added = torch.tensor([[float("-inf")] * 3, [0.0, 1.0, 2.0]])
    found, _ = top_k(scores, added, 4)
    assert found[0].eq(float("-inf")).all()
    assert found[1].isfinite().all()
