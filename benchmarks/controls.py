"""Under which ceilings systems are measured."""

from __future__ import annotations

from collections.abc import Mapping

from subfit.evaluation.length_control import NATURAL, LengthControl
from subfit.limits.budget import LengthRatio

ISOMETRIC = LengthRatio(0.9, 1.1)

LENGTH_CONTROLS: Mapping[str, LengthControl] = {
    "natural": LengthControl(NATURAL),
    "isometric": LengthControl(NATURAL, length_ratio=ISOMETRIC),
    "−15 %": LengthControl(NATURAL, natural_ratio=0.85),
    "−30 %": LengthControl(NATURAL, natural_ratio=0.7),
    "−30 %, whole": LengthControl(NATURAL, natural_ratio=0.7, strict_budget=False),
}
"""Ceilings that systems are measured under, by their names in tables.

The two shorter ones are shares of the model's own natural translation, not of the source: this is
how much has to go when a subtitler finds a cue too long, and it is as hard in every language. The
last one goes over its ceiling rather than end a sentence too early.
"""
