"""Whether what is left of a sentence reads on."""

from __future__ import annotations

import pytest

from subfit.condensing.shortenings import Passage


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("Go to a folder called Boats.", "Go called Boats."),
        ("It is shown by a red line.", "It is shown."),
        ("My brother, who lives here, is ill.", "Who lives here, is ill."),
        ("These are read-only boats.", "These are boats."),
        ("Keyframes, are linked to it.", "Are linked to it."),
        ("*Come here! Come quickly!*", "*Come here!"),
    ],
)
def test_what_does_not_read_on_is_not_proposed(text: str, broken: str) -> None:
    shortenings = Passage(text, "en").shortenings(0, len(text), len(text) - 4)
    assert broken not in [each.text for each in shortenings]
