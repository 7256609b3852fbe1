"""The one score of a candidate, and what is wrong with one that was chosen."""

from __future__ import annotations

from enum import Enum, auto

from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.settings import FittingSettings, Weights
from subfit.fitting.state import Candidate, Fitted


def score(candidate: Candidate, weights: Weights, demerits: float = 0.0) -> float:
    """Return what a candidate is worth, in nats per token; higher is better.

    It is the length-normalised log-probability of the translation, as rated without a length
    signal, with what speaks for it (a likely end, saying all of its source) and less what speaks
    against it (out-of-vocabulary words, numbers that it lacks, what its source left out, how its
    words are parted).

    Args:
        candidate: What a search found.
        weights: What each of these is worth.
        demerits: Of its placement over cues and lines.
    """
    hypothesis, condensation = candidate.hypothesis, candidate.condensation
    value = hypothesis.score - weights.unfamiliar * len(hypothesis.unfamiliar)
    value += weights.closing * hypothesis.closing
    value += weights.coverage * hypothesis.coverage
    value -= weights.number * candidate.missing_numbers
    if condensation is not None:
        value -= weights.omission + weights.omitted_word * condensation.cost
    return value - weights.demerit * demerits


def overlong_score(candidate: Candidate, excess: float, weights: Weights) -> float:
    """Return what a candidate is worth where nothing fits.

    A poor translation does not become a good one by being a little shorter: one nat per token
    weighs as much as an excess of the source's whole length.

    Args:
        candidate: What a search found.
        excess: Its characters over the budget, as a share of the source's length.
        weights: What else counts.
    """
    return score(candidate, weights) - excess - weights.term * candidate.missing_terms


def in_doubt(hypothesis: Hypothesis, natural: Hypothesis, doubtful: float) -> bool:
    """Tell whether a translation was shortened so far that it may end too early.

    Args:
        hypothesis: With its `Hypothesis.closing`, as rated without a length signal.
        natural: The best translation had nothing limited it.
        doubtful: Below how many nats an end is doubtful.
    """
    return hypothesis.characters < natural.characters and hypothesis.closing < doubtful


def is_doubtful(fitted: Fitted, settings: FittingSettings) -> bool:
    """Tell whether the translation that was chosen for a sentence is in doubt."""
    chosen, natural = fitted.candidate.hypothesis, fitted.natural.hypothesis
    return in_doubt(chosen, natural, settings.doubtful)


class Flaw(Enum):
    """What may be wrong with a translation that fits, for which others are searched for."""

    DOUBT = auto()
    """It may end too early."""
    UNFAMILIAR = auto()
    """It has more out-of-vocabulary words than the natural translation."""
    TERM = auto()
    """It lacks a term of the glossary."""
    NUMBER = auto()
    """It lacks a number in words."""
    POOR = auto()
    """Its score is much worse than that of the natural translation."""


def flaws_of(fitted: Fitted, settings: FittingSettings) -> frozenset[Flaw]:
    """Return what is wrong with a translation, for all that its budget allows.

    Args:
        fitted: A sentence with the translation that was chosen for it.
        settings: Say what is doubtful, and what is poor.
    """
    chosen, natural = fitted.candidate.hypothesis, fitted.natural.hypothesis
    missing = fitted.task.missing(chosen.text, fitted.omitted)
    loss = score(fitted.natural, settings.weights) - score(fitted.candidate, settings.weights)
    flaws = {
        Flaw.DOUBT: is_doubtful(fitted, settings),
        Flaw.UNFAMILIAR: len(chosen.unfamiliar) > len(natural.unfamiliar),
        Flaw.TERM: any(not each.placeable for each in missing),
        Flaw.NUMBER: any(each.spelt for each in missing),
        Flaw.POOR: loss > settings.much_worse,
    }
    return frozenset(flaw for flaw, applies in flaws.items() if applies)
