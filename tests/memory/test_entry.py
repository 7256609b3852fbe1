"""The bands that matches are counted in."""

from __future__ import annotations

import pytest

from subfit.memory.entry import ALL_CLASSES, NO_MATCH, match_class


@pytest.mark.parametrize(
    ("similarity", "band"),
    [(1.0, "100 %"), (0.99, "95–99 %"), (0.9, "85–94 %"), (0.5, "50–74 %"), (0.49, NO_MATCH)],
)
def test_the_band_of_a_similarity(similarity: float, band: str) -> None:
    assert match_class(similarity) == band and band in ALL_CLASSES
