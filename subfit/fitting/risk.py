"""The risk of a cue: how likely someone must change its translation before it is shown.

A logistic function of what fitting knows of a translation. Its weights were set on translations of
cues by smaller models that someone read and rated, its slope on others by the present ones
(``benchmarks/risk.py``, docs/report.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

RISKY = 0.7
"""From this risk on a cue is told as one to look at: of rated cues three in four of these had to be
changed, two in five translated again. (``benchmarks/risk.py``)"""


@dataclass(frozen=True, slots=True)
class RiskFeatures:
    """What speaks against the translation of a sentence in a cue: the more, the riskier.

    None where the model cannot tell: a typical value stands in for it. Of a sentence over several
    cues each has its own; what cannot be told apart is that of all of it.
    """

    improbability: float | None = None
    """Nats per piece, as rated without a length signal."""
    surprise: float | None = None
    """Natural logarithm of 1 + the nats of all its pieces."""
    loss: float | None = None
    """Nats per token by which all of it is less likely than the natural translation."""
    early_end: float | None = None
    """Nats of its end (less `subfit.decoding.hypotheses.Hypothesis.closing`), at most `MOST_NATS`;
    0 of the natural translation and where the sentence goes on."""
    dropped: float | None = None
    """Words of meaning in the source that the natural translation has and this one has not, each
    by how sure that is."""
    unsaid: float | None = None
    """Share of the source's words of meaning that nothing in the translation stands for."""
    unfounded: float | None = None
    """Share of the translation's words that stand for nothing in the source."""
    shortening: float = 0.0
    """Natural logarithm of the natural translation's characters to those of all of it; 0 if it is
    longer."""
    omitted: float = 0.0
    """Words of meaning that were left out of its source before it was translated."""
    missing: float = 0.0
    """Terms of the glossary, numbers, addresses and the like that it lacks."""
    names: float | None = None
    """Words of meaning with a capital inside its source that the translation of the sentence does
    not have; not known of languages that capitalise nouns."""
    length: float = 0.0
    """Natural logarithm of 1 + the words of the source."""
    unreturned: float | None = None
    """Nats per piece of the source, given the translation, to a model that translates the other
    way."""
    unreturned_piece: float | None = None
    """Nats of the piece of the source that is the least probable so."""


MOST_NATS = 6.0


@dataclass(frozen=True, slots=True)
class Weight:
    """What a feature adds to the logit of the risk."""

    per_unit: float
    """What each unit above the typical value adds; never negative."""
    typical: float
    """Mean over the rated cues, which stands in for what is not known."""


WEIGHTS: Mapping[str, Weight] = {
    "surprise": Weight(1.371, 2.187),
    "unsaid": Weight(0.915, 0.083),
    "unfounded": Weight(1.126, 0.039),
    "shortening": Weight(1.954, 0.092),
    "early_end": Weight(0.084, 0.524),
    "names": Weight(0.228, 0.198),
    "unreturned": Weight(0.433, 1.581),
    "unreturned_piece": Weight(0.136, 6.764),
}
"""By feature; others add nothing to these. (``benchmarks/risk.py``)"""
INTERCEPT = 2.05
"""Logit of the risk of a typical sentence. (The same.)"""
SLOPE, SHIFT = 0.479, -0.172
"""What the logit is multiplied by, and what is added then: the larger models, which came after the
weights, need to be changed less often (Platt 1999). (``benchmarks/risk.py scale``)"""


def logit_of(
    features: RiskFeatures,
    weights: Mapping[str, Weight] | None = None,
    intercept: float | None = None,
) -> float:
    """Return the logit that features add up to, before slope and shift; see `risk_of`."""
    logit = INTERCEPT if intercept is None else intercept
    for name, weight in (WEIGHTS if weights is None else weights).items():
        value = getattr(features, name)
        if value is not None:
            logit += weight.per_unit * (value - weight.typical)
    return logit


def risk_of(
    features: RiskFeatures,
    weights: Mapping[str, Weight] | None = None,
    intercept: float | None = None,
) -> float:
    """Return how likely someone must change a translation, between 0 and 1.

    Args:
        features: Of the translation of a sentence.
        weights: By feature; `WEIGHTS` if None.
        intercept: Logit of a typical sentence's risk; `INTERCEPT` if None.
    """
    logit = SLOPE * logit_of(features, weights, intercept) + SHIFT
    return 1 / (1 + math.exp(-logit)) if logit > 0 else math.exp(logit) / (1 + math.exp(logit))


def risk_of_any(sentences: Iterable[RiskFeatures]) -> float | None:
    """Return how likely any of the sentences in a cue must be changed; None if there is none.

    Args:
        sentences: Features of each; what is wrong with one is taken to tell nothing of the others.
    """
    risks = [risk_of(features) for features in sentences]
    return 1 - math.prod(1 - risk for risk in risks) if risks else None
