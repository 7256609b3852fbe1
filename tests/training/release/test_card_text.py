"""Settings in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.model.transformer import SubfitConfig
from subfit.training.recipe.model import Length
from subfit.training.release.card_text import length_signals
from tests.tiny import RECIPE


@pytest.mark.parametrize(
    ("length", "config", "told"),
    [
        (Length(), SubfitConfig(), "none"),
        (
            Length(encodings=("rel",), rel_steps=7, positions=False),
            SubfitConfig(length_encodings=["rel"], rel_steps=7, decoder_positions=False),
            "encodings `rel` instead of positions in the decoder; 7 steps of `rel`; noise ±0"
            " characters in training; 0% of the training texts without any",
        ),
    ],
)
def test_length_signals_are_told(length, config, told):
    assert length_signals(replace(RECIPE, length=length), config) == told
