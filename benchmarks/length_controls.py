"""What models are asked for where several lengths are measured."""

from __future__ import annotations

from subfit.evaluation.length_control import NATURAL, LengthControl
from subfit.limits.budget import ISOMETRIC

LENGTH_CONTROLS = {
    "natural": LengthControl(NATURAL),
    "isometric": LengthControl(NATURAL, length_ratio=ISOMETRIC),
    "−15 %": LengthControl(NATURAL, natural_ratio=0.85),
    "−30 %": LengthControl(NATURAL, natural_ratio=0.7),
    "−30 %, whole": LengthControl(NATURAL, natural_ratio=0.7, strict_budget=False),
}
"""The shorter ones have a ceiling that is a share of the model's own natural translation, not of
the source, so that it is as hard in every language."""
