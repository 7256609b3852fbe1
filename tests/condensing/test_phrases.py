"""Phrases and clauses that describe further."""

from __future__ import annotations

import pytest

from tests.condensing.shortened import shortened


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("The last boat leaves in ten minutes.", "The last boat leaves."),
        ("I owe you a bottle of milk.", "I owe you a bottle."),
        ("She stayed because it was late.", "She stayed."),
    ],
)
def test_what_describes_further_can_be_dropped(text: str, rest: str) -> None:
    assert rest in shortened(text, 0.85) + shortened(text, 0.55)
