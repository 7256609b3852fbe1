"""Adverbs, and times said like adverbs."""

from __future__ import annotations

import pytest

from tests.condensing.shortened import shortened


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("She really is a very good cook.", "She is a very good cook."),
        ("He closed the door quietly.", "He closed the door."),
        ("I saw her again last Monday.", "I saw her again."),
        ("After all, about forty people came.", "After all, forty people came."),
    ],
)
def test_adverbs_can_be_dropped(text: str, rest: str) -> None:
    assert rest in shortened(text, 0.85) + shortened(text, 0.55)
