"""What became of every cue: the plain data that reports are made of, and the risk worked out of it.

The risk is how likely someone must change a translation before it is shown: a logistic function of
what fitting knows of it. Its weights were set on translations of cues by smaller models that
someone read and rated, its slope on others by later ones (``benchmarks/risk.py``, docs/report.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from subfit.limits.budget import LengthBudget
from subfit.speech import Speaking
from subfit.subtitles.cues import Cue

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


Status = Literal["fits", "overflow", "passed", "untranslated"]
"""``fits``: translated within its budget. ``overflow``: translated, but over its budget or lines.
Either may have been translated already, in a dubbing script.
``passed``: kept by rule (empty, music, sound). ``untranslated``: kept because it could not be
translated."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another translation that fits; of a sentence over several cues its part in one cue."""

    text: str
    """The text in one line per speaker."""
    characters: float
    share: float
    """Of the budget of the sentence, or of its natural length where that is shorter: the least of
    `subfit.fitting.alternatives.SHARES` that the whole translation keeps to, 1 if it keeps to
    none."""
    score: float
    """Length-normalised log-probability of the whole translation."""
    target: str = ""
    """The text as broken into lines."""
    payload: str = ""
    """The target as it would be written to the file, with markup; empty of a part of a cue."""


@dataclass(frozen=True, slots=True)
class TermUse:
    """A term of the glossary, or what is to be kept, that the source of a cue has."""

    source: str
    """As the source has it; of a sentence over several cues, in the cue where it begins."""
    targets: tuple[str, ...]
    """What may stand for it, the preferred form first."""
    placed: bool
    """Whether the translation of the sentence has one of them, or need not have one: a number in
    words that was left out with what it counts."""
    reason: str = ""
    """Why it has not."""
    placeable: bool = False
    """Whether it is no term, but has to be kept all the same; see `subfit.terms.protected`."""


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """What translation memories had for a sentence, and what was made of it."""

    match_class: str
    """The band of its best match, as CAT tools name it; see `subfit.memory.store`."""
    similarity: float | None = None
    """How like the sentence that match is; None where there is none."""
    used: Literal["exact", "guided", ""] = ""
    """``exact``: taken word for word. ``guided``: the translation was rewarded for following it.
    Empty if neither."""
    source: str = ""
    """The source of the match."""
    target: str = ""
    """The translation of the match."""
    origin: str = ""
    """The file it came from."""


@dataclass(frozen=True, slots=True)
class CueOutcome:
    """One cue with its translation and how it came about."""

    cue: Cue
    """The source cue."""
    status: Status
    source: str
    """Plain source text, speakers' turns parted by ``\\n``; the lines of a cue that is kept."""
    target: str
    """Plain target text as broken into lines, dialogue dashes included."""
    payload: str
    """The target payload with its markup, as written to the file."""
    budget: LengthBudget | None = None
    """The whole cue's budget; None for cues that were not translated."""
    natural: str = ""
    """What stood in the cue if nothing limited the translation; empty if not translated."""
    asked: int = 0
    """Characters asked for of the sentence when its translation was found; 0 for no length."""
    score: float = 0.0
    """Lowest length-normalised log-probability of the sentences in the cue."""
    losses: tuple[str, ...] = ()
    """What its sentences lose of what their natural translations say, as far as that can be told:
    values of `subfit.fitting.losses.Loss`."""
    withheld: tuple[str, ...] = ()
    """What a translation within the budget would have lost, of a cue that was let go over it."""
    omitted: tuple[str, ...] = ()
    """What was left out of what stood there, since it can be spared."""
    joined: tuple[int, ...] = ()
    """Indices of the cues its sentence runs over, if more than this one."""
    alternatives: tuple[Alternative, ...] = ()
    """Longer ones first, and of about the same length the best."""
    unplaced: tuple[str, ...] = ()
    """Inner markup that could not be placed in the translation."""
    terms: tuple[TermUse, ...] = ()
    """What the glossary has for its source, and what of it is to be kept."""
    memory: MemoryUse | None = None
    """What translation memories had for its sentence, of several the worst; None without any."""
    note: str = ""
    """Why the cue was passed or left untranslated."""
    speaking: Speaking | None = None
    """How it is spoken, of dubbing scripts."""
    end: int | None = None
    """The out-time it is to have, in milliseconds; None for the source's."""
    given_budget: LengthBudget | None = None
    """Its budget with the source's out-time, where it is to have another one."""
    risk_features: tuple[RiskFeatures, ...] = ()
    """The risk features of what each sentence has in it."""

    @property
    def written_end(self) -> int:
        """The out-time it has in the target, in milliseconds."""
        return self.cue.end if self.end is None else self.end

    @property
    def risk(self) -> float | None:
        """How likely someone must change it, from 0 to 1; None if it was not translated."""
        return risk_of_any(self.risk_features)
