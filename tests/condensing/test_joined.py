"""Clauses joined by a coordinator."""

from __future__ import annotations

import pytest

from tests.condensing.shortened import shortened


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("It fell into the pond, and now it is gone.", "It fell into the pond."),
        ("I had a plan, but then you came.", "But then you came."),
    ],
)
def test_one_of_two_clauses_can_be_dropped(text: str, rest: str) -> None:
    assert rest in shortened(text, 0.85) + shortened(text, 0.55)
