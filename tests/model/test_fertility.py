"""What source tokens may have of attention."""

from __future__ import annotations

import pytest
import torch

from subfit.model.attention import MOST, SLACK, FertilityBounds

SINK = 9
SOURCE = torch.tensor([[3, 4, 2, SINK], [5, 2, SINK, 0]])
STATES = torch.randn(2, 4, 8, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("constant", [1.5, 2])
def test_the_sink_alone_has_no_bound(constant: float) -> None:
    bounds = FertilityBounds("constant", constant, 10, 8, SINK)(SOURCE, STATES)
    assert bounds.tolist() == [
        [*[constant] * 3, torch.inf],
        [constant, constant, torch.inf, constant],
    ]


def test_a_piece_may_have_what_it_had_at_most_and_at_least_one() -> None:
    fertility = FertilityBounds("max-align", 2.0, 11, 8, SINK)
    fertility.set_table([0, 0, 0, 4, 1, 0])  # the length of the vocabulary without added tokens
    bounds = fertility(SOURCE, STATES)
    assert bounds[0].tolist() == [4.0, 1.0, 1.0, torch.inf]
    assert bounds[1, 0] == 1.0


def test_what_is_predicted_begins_with_the_mean_of_what_was_counted() -> None:
    fertility = FertilityBounds("predicted", 2.0, 10, 8, SINK)
    fertility.start()
    fertility.set_frequencies([0, 999_999, 999_999, *[0] * (MOST - 2)])
    assert fertility(SOURCE, STATES)[0, 0].item() == pytest.approx(SLACK + 1.5, abs=1e-3)


def test_the_head_learns_and_the_encoder_is_left_alone() -> None:
    torch.manual_seed(1)
    states = torch.randn(6, 5, 8, requires_grad=True)
    told = torch.randint(0, 4, (6, 5))
    told[:, -1] = -100  # padding
    fertility = FertilityBounds("predicted", 2.0, 10, 8, SINK)
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
    bounds = fertility(torch.full((6, 5), 3), states)
    assert torch.allclose(bounds[:, :4], told[:, :4] + SLACK, atol=0.5)
    assert not bounds.requires_grad


def test_where_nothing_is_known_there_is_nothing_to_learn() -> None:
    fertility = FertilityBounds("predicted", 2.0, 10, 8, SINK)
    assert fertility.loss(STATES, torch.full((2, 4), -100)).item() == 0.0
