"""An estimate of what a training took from the grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WATTS = 100.0
"""What a desktop processor with its memory draws under load, about."""
GRAMS_PER_KWH = 475.0
"""CO2 equivalent of the world's electricity in the years 2023 and 2024, about (Ember, Global
Electricity Review 2024 and 2025: 480 and 473)."""


def energy_text(seconds: float, assumed: Mapping[str, Any]) -> str:
    """Describe the energy of a training, and what it is estimated from.

    Args:
        seconds: The training took.
        assumed: ``watts`` of the machine and ``grams_per_kwh`` of the grid.
    """
    watts, grams = assumed["watts"], assumed["grams_per_kwh"]
    hours = seconds / 3600
    energy = hours * watts / 1000
    return (
        f"about {_short(energy)} kWh and {_short(energy * grams / 1000)} kg of CO2 equivalent:"
        f" an estimate from {hours:.1f} hours × {watts:g} W × {grams:g} g/kWh, not a measurement"
    )


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
