"""Settings of fitting."""

from __future__ import annotations

from dataclasses import replace

from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings


def test_the_checksum_differs_where_what_is_chosen_may_differ() -> None:
    assert FittingSettings().checksum == DEFAULT_SETTINGS.checksum
    weights = replace(DEFAULT_SETTINGS.weights, closing=DEFAULT_SETTINGS.weights.closing + 0.01)
    assert replace(DEFAULT_SETTINGS, weights=weights).checksum != DEFAULT_SETTINGS.checksum
