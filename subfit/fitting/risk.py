"""The risk of a cue: how likely someone must change its translation before it is shown.

A logistic function of what fitting knows of a translation. Its weights were set on translations of
cues by smaller models that someone read and rated, its slope on others by later ones
(``benchmarks/risk.py``, docs/report.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

RISKY = 0.7
"""From this risk on a cue is told as one to look at. (``benchmarks/risk.py``)"""


@dataclass(frozen=True, slots=True)
class RiskFeatures:
    """What speaks against the translation of a sentence in a cue: the more, the riskier.

    None where the model cannot tell: a typical value stands in for it.
    """

    surprise: float | None = None
    """Natural logarithm of 1 + the nats of its pieces; of a sentence over several cues, of its
    part's share in the text."""
    unsaid: float | None = None
    """Share of the source's words of meaning that nothing in the translation stands for."""
    unfounded: float | None = None
    """Share of the translation's words that stand for nothing in the source."""
    shortening: float = 0.0
    """Natural logarithm of the natural translation's characters to those of all of it; 0 if it is
    longer."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a feature adds to the logit of the risk."""

    per_unit: float
    """What each unit above the typical value adds; never negative."""
    typical: float
    """Mean over the rated cues, which stands in for what is not known."""


WEIGHTS: Mapping[str, Weight] = {
    "surprise": Weight(2.160, 2.187),
    "unsaid": Weight(1.847, 0.083),
    "unfounded": Weight(1.559, 0.039),
    "shortening": Weight(4.052, 0.092),
}
"""By feature. (``benchmarks/risk.py``)"""
INTERCEPT = 1.97
"""Logit of the risk of a typical sentence. (The same.)"""
SLOPE, SHIFT = 0.505, -0.204
"""What the logit is multiplied by, and what is added then (Platt 1999). (``benchmarks/risk.py
scale``)"""


def logit_of(features: RiskFeatures) -> float:
    """Return the logit that features add up to, before slope and shift; see `risk_of`."""
    values = ((getattr(features, name), weight) for name, weight in WEIGHTS.items())
    logit = INTERCEPT
    for value, weight in values:
        if value is not None:
            logit += weight.per_unit * (value - weight.typical)
    return logit


def risk_of(features: RiskFeatures) -> float:
    """Return how likely someone must change a translation, between 0 and 1."""
    logit = SLOPE * logit_of(features) + SHIFT
    return 1 / (1 + math.exp(-logit)) if logit > 0 else math.exp(logit) / (1 + math.exp(logit))


def risk_of_any(sentences: Iterable[RiskFeatures]) -> float | None:
    """Return how likely any of the sentences in a cue must be changed; None if there is none.

    Args:
        sentences: Features of each; what is wrong with one is taken to tell nothing of the others.
    """
    risks = [risk_of(features) for features in sentences]
    return 1 - math.prod(1 - risk for risk in risks) if risks else None
