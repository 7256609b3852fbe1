"""Translations with everything put back that the model did not read."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.cleaning import clean
from subfit.text.cleaning.restoring import restore


@pytest.mark.parametrize(
    ("source", "made", "whole"),
    [
        ("STOP! Go home.", "Halt! Geh heim.", "HALT! Geh heim."),
        ("W-what is it?", "Was ist es?", "W-Was ist es?"),
        ("It cost $20.", "Es kostete 20 Dollar.", "Es kostete 20\u00a0$."),
        ("I know. [SIGHS] Go on.", "Ich weiß. Weiter.", "Ich weiß. [SIGHS] Weiter."),
        ("What?! Go!", "Was? Geh!", "Was?! Geh!"),
        ("Go home.", "Geh heim.", "Geh heim."),
    ],
)
def test_a_translation_has_the_look_of_its_source(source: str, made: str, whole: str) -> None:
    assert restore(clean(source, "en", "de"), made) == whole


def test_what_the_model_left_out_is_put_nowhere() -> None:
    assert restore(clean("It cost $20.", "en", "de"), "Es war teuer.") == "Es war teuer."
    assert restore(clean("It cost $20.", "en", "de"), "") == ""
