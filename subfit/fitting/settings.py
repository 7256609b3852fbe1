"""The numbers of fitting, tuned once on development sentences."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Of `subfit.fitting.scoring.score`, in nats per token.

    The string under each ends with the benchmark that shows what others are worth.
    """

    closing: float = 0.05
    """For each nat of `Hypothesis.closing`. A text that stops before its verb scores well but for
    its end. (``benchmarks/fit_settings.py``)"""
    channel: float = 0.3
    """For each nat of `Hypothesis.channel`, if there is a channel model.
    (``benchmarks/channel.py``)"""
    guided: float = 2.0
    """For all of `Hypothesis.guided`: following a like translation in full is worth as much as it
    makes the translation less probable. (``benchmarks/guided.py``)"""
    number: float = 0.5
    """Off for each number in words that is lacking: more than other words are worth, so that it is
    lost only where nothing that fits has it. (``benchmarks/across_figures.py``)"""
    omission: float = 0.2
    """Off for being of a condensation. (``benchmarks/fit_settings.py --vary condensing``)"""
    omitted_word: float = 0.1
    """Off for each word of meaning that a condensation left out. (The same benchmark.)"""
    demerit: float = 0.001
    """Off for each demerit of cuts between cues (`subfit.fitting.cue_splits`) and of line breaks
    that part a phrase: of two about as good, the one that can be cut and broken better is taken.
    (``benchmarks/cut_weight.py``)"""
    term: float = 0.25
    """Off for each term that is lacking, but only where nothing fits: of what fits, candidates with
    all terms go first. (``benchmarks/glossary.py``)"""


@dataclass(frozen=True, slots=True)
class FittingSettings:
    """How far sentences are shortened, when searches go on, and what makes a candidate good."""

    rounds: tuple[tuple[float, ...], ...] = ((1.0, 0.94), (0.85, 0.75), (0.64,))
    """Shares of the budget that are asked for, round by round, until a translation fits and has no
    flaw. (``benchmarks/fit_settings.py``)"""
    hopeless: float = 0.65
    """Unless budgets are strict, nothing is asked for that is shorter than this share of the
    natural translation, but for the first try: it hardly ever says all. (docs/methods.md)"""
    doubtful: float = -3.0
    """A shortened translation whose `Hypothesis.closing` is below this, in nats, is in doubt: it
    may end too early. (``benchmarks/doubt.py`` counts such among sentences that someone read.)"""
    wide_beams: int = 16
    """So many hypotheses are kept in one more search where the best natural translation has
    out-of-vocabulary words (at most twice as many as else), and in a last one under the budget
    where what fits is still in doubt; 0 for no such searches. (docs/methods.md)"""
    channel_margin: float = 0.05
    """Only natural translations whose score is no more than this below the best of their search, in
    nats per token, are read by a channel model, if there is one. (``benchmarks/channel.py``)"""
    shorter_channel_margin: float = 0.3
    """Likewise of shortened translations, which differ more. (benchmarks/README.md)"""
    condensations: int = 12
    """So many condensations of the source (`subfit.condensing`) are translated where what fits is
    in doubt or poor; 0 for none. (``benchmarks/condensing.py``)"""
    much_worse: float = 0.4
    """By so much a lower score than the natural translation's, a shortened one is poor,
    and no fit (`subfit.fitting.losses`).
    (``benchmarks/fit_settings.py --vary condensing``)"""
    lost_words: float = 0.5
    """From so many source words of meaning on that the natural translation says and a shortened one
    does not, it has lost something (`subfit.fitting.losses`). (``benchmarks/losses.py``)"""
    much_shorter: float = 0.6
    """So many nats shorter than the natural translation, for as much of the source, a translation
    must have lost something. (``benchmarks/losses.py``)"""
    weights: Weights = Weights()
    """The weights of the score that candidates are compared by."""

    @property
    def checksum(self) -> str:
        """Differs where what is chosen may differ."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]


DEFAULT_SETTINGS = FittingSettings()
