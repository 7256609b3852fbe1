"""What a user may choose about translating a track, and the numbers of fitting."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from subfit.limits.budget import LengthRatio
from subfit.limits.cue_budgets import DEFAULT_DUBBING, Dubbing
from subfit.memory.recall import DEFAULT_GUIDING, Guiding
from subfit.subtitles.sdh import SdhWish
from subfit.terms.glossary import Term
from subfit.terms.persons import Person
from subfit.text.formality import FormalityWish

Timing = Literal["keep", "extend"]
"""Whether cues keep their out-times, or may end later, as far as the guideline allows."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Of `subfit.fitting.task.score`, in nats per token."""

    closing: float = 0.05
    """For each nat of `Hypothesis.closing`: a text that stops before its verb scores well but for
    its end."""
    channel: float = 0.3
    """For each nat of `Hypothesis.channel`, if there is a channel model."""
    guided: float = 2.0
    """For all of `Hypothesis.guided`: following a like translation in full is worth as much as it
    makes the translation less probable."""
    number: float = 0.5
    """Off for each number in words that is lacking."""
    demerit: float = 0.001
    """Off for each demerit of cuts between cues (`subfit.fitting.cue_splits`) and of line breaks
    that part a phrase."""


@dataclass(frozen=True, slots=True)
class FittingSettings:
    """How far sentences are shortened, and what makes a shortened translation good."""

    first: tuple[float, ...] = (1.0, 0.94)
    """Shares of the budget that are asked for where no natural translation fits."""
    second: float = 0.85
    """The share that is asked for where nothing of that fits and loses nothing."""
    hopeless: float = 0.7
    """Unless budgets are strict, nothing is asked for under a budget of less than this share of the
    natural translation: of 23 such ones of 755 none got a translation that says all."""
    nearly: float = 0.85
    """Likewise, less of a budget is tried where it has so much of the natural length: of shorter
    ones none was ever found that says all."""
    doubtful: float = -3.0
    """A shortened translation whose `Hypothesis.closing` is below this, in nats, may end too
    early."""
    much_worse: float = 0.4
    """By so many nats per token a lower score than the natural translation's, a shortened one is no
    fit."""
    lost_words: float = 0.5
    """From so many source words of meaning on that the natural translation says and a shortened one
    does not, it has lost something."""
    much_shorter: float = 0.6
    """So many nats shorter than the natural translation, for as much of the source, a translation
    must have lost something."""
    channel_margin: float = 0.05
    """Only natural translations no further below the best, in nats per token, are read by a channel
    model, if there is one."""
    weights: Weights = Weights()
    """The weights of the score that translations are compared by."""

    @property
    def checksum(self) -> str:
        """Differs where what is chosen may differ."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]


DEFAULT_SETTINGS = FittingSettings()


@dataclass(frozen=True, slots=True)
class Options:
    """How to translate tracks, beside the guideline: every field is an option of `translate`."""

    length_ratio: LengthRatio | tuple[LengthRatio, ...] | None = None
    """Floor and ceiling as multiples of the source's characters; for all cues, or one for each."""
    sdh: SdhWish = "keep"
    """Keep labels such as ``[DOOR SLAMS]`` and ``MAN:`` in subtitles, translate those that are
    known, or remove all, and cues that are nothing else."""
    join: bool = True
    """Translate a sentence that runs over several cues as one."""
    source_language: str = "en"
    """Tag of the tracks' language, which tells where its sentences end."""
    fitting: FittingSettings = DEFAULT_SETTINGS
    """How far to shorten, and what makes a shortened translation good; no option of a command."""
    dubbing: Dubbing = DEFAULT_DUBBING
    """What the lines of dubbing scripts must keep."""
    alternatives: int = 0
    """How many other translations to search for, at several lengths, of every sentence; 0 for some
    that come up anyway."""
    terms: tuple[Term, ...] = ()
    """Terms to translate in one way, and names to keep; those of other target languages are
    passed over."""
    memory: tuple[str, ...] = ()
    """Translation memories, other files of earlier translations, or two subtitle files parted by a
    colon (`subfit.memory.files`); of what several have the last one's is preferred."""
    guiding: Guiding = DEFAULT_GUIDING
    """What following memories is worth; no option of a command."""
    strict_budget: bool = False
    """Keep to budgets at any price: also with a translation that loses what a longer one says."""
    formality: FormalityWish | None = None
    """How people are addressed, by models that are trained for it; ``auto`` for what each track
    calls for, ``any`` as it comes; None for ``auto`` of models with tokens for it."""
    scene: int = 20
    """Most sentences that models are asked for together which are told in words what to do; with 1
    each is asked for by itself, with 0 without those before it as well."""
    synopsis: str | None = None
    """What the film is about, which they are told."""
    people: tuple[Person, ...] = ()
    """Who is who: how they are called, and whom they address formally."""
    timing: Timing = "keep"
    """Let cues end later where that saves shortening (``extend``), as the guideline allows it."""


DEFAULT_OPTIONS = Options()
