"""What condensing makes of a text, for tests."""

from __future__ import annotations

from subfit.condensing import condensations


def shortened(text: str, share: float = 0.9) -> list[str]:
    """Return what a text may be condensed to."""
    return [each.text for each in condensations(text, share, "en", most=50)]
