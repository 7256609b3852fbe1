"""Fillers, addresses and what else marks set off."""

from __future__ import annotations

import pytest

from tests.condensing.shortened import shortened


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("We are saving the moon, Mrs. Owl.", "We are saving the moon."),
        ("Captain, the engine is on fire!", "The engine is on fire!"),
        ("You could close that door, you know.", "You could close that door."),
        ("The police, however, did not come.", "The police did not come."),
        ("Excuse me. Can I ask a question?", "Can I ask a question?"),
        ("After the rain, we went home.", "We went home."),
        ("My brother, who lives in Spain, is ill.", "My brother is ill."),
        ("The children, especially the girls, sing well.", "The children sing well."),
        ("They took the road (the long one) back.", "They took the road back."),
        ("We forget names. We forget our keys.", "We forget our keys."),
    ],
)
def test_what_is_set_off_can_be_dropped(text: str, rest: str) -> None:
    assert rest in shortened(text, 0.85) + shortened(text, 0.55)
