"""What goes from one pass of fitting to the next: plain data, never changed, only replaced."""

from __future__ import annotations

from dataclasses import dataclass

from subfit.condensing import Condensation
from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.fitting.outcomes import Alternative, TermUse
from subfit.fitting.risk import RiskFeatures
from subfit.fitting.settings import FittingSettings
from subfit.fitting.task import Lines, Ranges, Task
from subfit.limits.guideline import Guideline
from subfit.text.typography import Style


@dataclass(frozen=True, slots=True)
class Setup:
    """What all passes over all sentences have in common."""

    translator: AnyTranslator
    guideline: Guideline
    """Says what a character is and names the target language."""
    settings: FittingSettings
    strict: bool = False
    """Whether budgets are kept at any price."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One search for one sentence."""

    request: Request
    condensation: Condensation | None = None
    """What the request's text leaves out of the source, if it is not all of it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A translation that was found, typeset, with what is known of it."""

    hypothesis: Hypothesis
    asked: int
    """The length asked for when it was found, in characters; 0 for the natural length."""
    missing_terms: int = 0
    """How many of the source's terms and placeables it lacks, but for numbers in words."""
    condensation: Condensation | None = None
    """What of the source was translated, if not all of it."""
    omitted: tuple[Ranges, ...] = ()
    """For each part of the sentence where something of its text was left out."""
    missing_numbers: int = 0
    """How many of the source's numbers in words it lacks."""
    reworded: bool = False
    """Whether its model was told in words to be brief, and may say all of the source otherwise."""
    recalled: bool = False
    """Whether it is what a translation memory has for the source, word for word."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A sentence with the translation that was chosen for it."""

    task: Task
    lines: tuple[Lines, ...]
    """The lines of each part of the sentence."""
    candidate: Candidate
    natural: Candidate
    """The best translation had nothing limited it."""
    fits: bool
    """Whether every part is within its budget and its lines."""
    losses: tuple[str, ...] = ()
    """What it loses of what the natural translation says; see `subfit.fitting.losses.Loss`."""
    withheld: tuple[str, ...] = ()
    """What a translation within the budgets would lose, for which this one was taken instead."""
    alternatives: tuple[tuple[Alternative, ...], ...] = ()
    """For each part of the sentence its text in other translations that fit, all in one order."""
    terms: tuple[tuple[TermUse, ...], ...] = ()
    """For each part of the sentence the terms that begin in it, and what became of them."""
    risk_features: tuple[tuple[RiskFeatures, ...], ...] = ()
    """For each part of the sentence what its risk is worked out of; of a text in several sentences
    those of each."""


@dataclass(frozen=True, slots=True)
class State:
    """One sentence between two passes."""

    task: Task
    style: Style
    """The style of its source, over all sentences of the track."""
    natural_request: Request
    """What it is first searched with: the natural length, no ceiling."""
    candidates: tuple[Candidate, ...] = ()
    """All that was found, the best natural translation first."""
    chosen: Fitted | None = None
    """The best candidate that fits, if one does."""
    fits_naturally: bool = False
    """Whether its natural translation fits as it is: then it is not shortened."""
    own_task: Task | None = None
    """The task in the cues' own time, where it was let take more."""
    barred: tuple[str, ...] = ()
    """Words that would give it another form of address than its natural translation has."""
    apart: tuple[State, ...] = ()
    """Its cues as sentences of their own, where it was given up as one."""

    @property
    def natural(self) -> Candidate | None:
        """The best translation had nothing limited it; None if none was found."""
        return self.candidates[0] if self.candidates else None
