"""The numbers of the fitting policy, tuned once on development sentences.

``benchmarks/fit_policy.py`` and ``benchmarks/cut_weight.py`` try others and show what each is
worth.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """How far to shorten, and what makes a shortened translation good."""

    rounds: tuple[tuple[float, ...], ...] = ((1.0, 0.94), (0.85, 0.75), (0.64,))
    """Shares of the budget that are asked for, round by round, until a translation fits."""
    closing_weight: float = 0.05
    """What a translation's `Hypothesis.closing`, in nats, adds to its score per token. A text that
    stops before its verb scores well but for its end."""
    doubtful: float = -3.0
    """A shortened translation whose closing is below this does not end the search: the rounds that
    are left are gone through as well. If it is kept, reports call it doubtful."""
    wide_beams: int = 16
    """If nothing fits after all rounds, or the best that does is doubtful, so many hypotheses are
    kept in a last search, unless they always are; 0 for no such search."""
    cut_weight: float = 0.001
    """What the demerits of cuts between cues (`subfit.fitting.cue_splits`), and of line breaks that
    part a phrase, take off a translation's score per token: of two about as good, the one that can
    be cut and broken better is taken."""
    condensations: int = 12
    """Where what fits is doubtful, or much worse than the natural translation, so many
    condensations of the source (`subfit.condensing`) are translated as well; 0 for none."""
    much_worse: float = 0.4
    """So much lower a score per token, all that is added to it included, is much worse."""
    omission: float = 0.2
    """What being of a condensation takes off a translation's score per token."""
    omission_weight: float = 0.1
    """What each word of meaning that was left out takes off besides."""
    coverage_weight: float = 0.8
    """What a translation's `Hypothesis.coverage`, from 0 to 1, adds to its score per token, if the
    model has a lexical table."""

    unfamiliar_weight: float = 0.05
    """What each word of `Hypothesis.unfamiliar` takes off a translation's score per token. Where
    the best natural translation has one, it is searched once more with ``wide_beams``."""

    number_weight: float = 0.5
    """What each number in words that it lacks takes off a translation's score per token."""

    @property
    def checksum(self) -> str:
        """Differs where what is chosen may differ."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]


DEFAULT_POLICY = Policy()
