"""What the page's counter knows of Unicode."""

from __future__ import annotations

import pytest

from subfit.reporting.files.characters import character_ranges


@pytest.mark.parametrize(
    ("char", "kind"),
    [("a", ""), ("é", ""), ("\u0301", "baseless"), ("字", "wide"), ("Ａ", "wide"), ("𠀋", "wide")],
)
def test_characters_are_in_the_ranges_of_their_kind(char: str, kind: str) -> None:
    kinds = [
        name
        for name, points in character_ranges().items()
        for first, last in zip(points[::2], points[1::2], strict=True)
        if first <= ord(char) <= last
    ]
    assert kinds == ([kind] if kind else [])
