"""What goes from pass to pass of fitting: plain data, never changed, only replaced.

A `Translation` is what a search found, with the evidence for and against it; a `State` is a
sentence with all its translations; a `Fitted` is a text in its cues, which is what comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

from subfit.decoding.any_translator import AnyTranslator, Capabilities
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.condensing import Condensation
from subfit.fitting.options import FittingSettings, Weights
from subfit.fitting.outcomes import Alternative, TermUse
from subfit.fitting.risk import RiskFeatures
from subfit.fitting.task import Lines, Ranges, Task
from subfit.limits.guideline import Guideline
from subfit.text.alignment import WordScores
from subfit.text.typography import Style

Losses = tuple[tuple[str, int], ...]
"""Values of `subfit.fitting.losses.Loss`, each with the place in the source's text it is about."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What all passes over all sentences have in common."""

    translator: AnyTranslator
    guideline: Guideline
    """Says what a character is and names the target language."""
    settings: FittingSettings
    strict: bool = False
    """Whether budgets are kept at any price."""

    @property
    def able(self) -> Capabilities:
        """What the translator can do."""
        return self.translator.capabilities

    @property
    def words(self) -> WordScores | None:
        """Knows which words translate each other; None where nothing does."""
        return self.translator.word_scores

    @property
    def language(self) -> str:
        """Tag of the target language."""
        return self.guideline.language


@dataclass(frozen=True, slots=True)
class Ask:
    """One search for one sentence."""

    request: Request
    condensation: Condensation | None = None
    """What the request's text leaves out of the source, if it is not all of it."""
    natural: bool = False
    """Whether nothing limits the length."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation that was found, typeset, with the evidence for and against it."""

    hypothesis: Hypothesis
    natural: bool = True
    """Whether nothing limited its length."""
    asked: int = FREE
    """The length that was asked for, in characters; 0 for the natural length."""
    missing_terms: int = 0
    """How many of the source's terms and placeables it lacks, but for numbers in words."""
    missing_numbers: int = 0
    """How many of the source's numbers in words it lacks."""
    condensation: Condensation | None = None
    """What of the source was translated, if not all of it."""
    omitted: tuple[Ranges, ...] = ()
    """For each part of the sentence where something of its text was left out."""
    prompted: bool = False
    """Whether its model was told in words to be brief, and may say all of the source otherwise."""
    recalled: bool = False
    """Whether it is what a translation memory has for the source, word for word."""
    rated: bool = False
    """Whether its score is comparable with those found at other lengths."""

    @property
    def text(self) -> str:
        """The translation in one line."""
        return self.hypothesis.text

    @property
    def characters(self) -> float:
        """Its length, in the guideline's counting."""
        return self.hypothesis.characters

    @property
    def shortened(self) -> bool:
        """Whether it was made shorter, or of less than all of the source."""
        return not self.natural or self.condensation is not None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text with the translation that was chosen for it, in the lines of its cues."""

    task: Task
    lines: tuple[Lines, ...]
    """The lines of each part of the sentence."""
    translation: Translation
    natural: Translation
    """The best translation had nothing limited it."""
    fits: bool
    """Whether every part is within its budget and its lines."""
    losses: Losses = ()
    """What it loses of what the natural translation says."""
    withheld: Losses = ()
    """What a translation within the budgets would lose, for which this one was taken."""
    alternatives: tuple[tuple[Alternative, ...], ...] = ()
    """For each part of the sentence its text in other translations that fit, all in one order."""
    terms: tuple[tuple[TermUse, ...], ...] = ()
    """For each part of the sentence the terms that begin in it, and what became of them."""
    risk_features: tuple[tuple[RiskFeatures, ...], ...] = ()
    """For each part of the sentence what its risk is worked out of, sentence by sentence."""


@dataclass(frozen=True, slots=True)
class State:
    """One sentence between two passes."""

    task: Task
    style: Style
    """The style of its source, over all sentences of the track."""
    found: tuple[Translation, ...] = ()
    """All that was found, the best natural translation first."""
    chosen: Fitted | None = None
    """What fits and need not be bettered or, in the end, what is taken; None as yet."""

    @property
    def natural(self) -> Translation | None:
        """The best translation had nothing limited it; None if none was found."""
        return self.found[0] if self.found else None


def score(one: Translation, weights: Weights, demerits: float = 0.0) -> float:
    """Return what a translation is worth, in nats per token; higher is better.

    It is the length-normalised log-probability with what speaks for it (a likely end, giving its
    source back, following a memory) and less what speaks against it (numbers that it lacks, what
    its source left out, how its words are parted).

    Args:
        one: What a search found.
        weights: What each of these is worth.
        demerits: Of its placement over cues and lines.
    """
    hypothesis = one.hypothesis
    value = hypothesis.score + weights.closing * hypothesis.closing
    value += weights.channel * hypothesis.channel + weights.guided * hypothesis.guided
    value -= weights.number * one.missing_numbers
    if one.condensation is not None:
        value -= weights.omission * (1 + one.condensation.parts)
    return value - weights.demerit * demerits
