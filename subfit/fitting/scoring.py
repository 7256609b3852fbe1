"""The one score of a candidate."""

from __future__ import annotations

from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.settings import Weights
from subfit.fitting.state import Candidate


def score(candidate: Candidate, weights: Weights, demerits: float = 0.0) -> float:
    """Return what a candidate is worth, in nats per token; higher is better.

    It is the length-normalised log-probability of the translation, as rated without a length
    signal, with what speaks for it (a likely end, giving its source back) and less what speaks
    against it (numbers that it lacks, what its source left out, how its words are parted).

    Args:
        candidate: What a search found.
        weights: What each of these is worth.
        demerits: Of its placement over cues and lines.
    """
    hypothesis, condensation = candidate.hypothesis, candidate.condensation
    value = hypothesis.score
    value += weights.closing * hypothesis.closing
    value += weights.channel * hypothesis.channel
    value += weights.guided * hypothesis.guided
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
