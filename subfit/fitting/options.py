"""What a user may choose about translating a track: one dataclass from command line to stages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings
from subfit.limits.budget import LengthRatio
from subfit.limits.dubbing_budgets import DEFAULT_DUBBING, Dubbing
from subfit.memory.recall import DEFAULT_GUIDING, Guiding
from subfit.subtitles.sdh import SdhWish
from subfit.terms.glossary import Term
from subfit.text.formality import FormalityWish

Timing = Literal["keep", "extend"]
"""Whether cues keep their out-times, or may end later, as far as the guideline allows."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to translate tracks, beside the guideline: every field is an option of `translate`."""

    length_ratio: LengthRatio | tuple[LengthRatio, ...] | None = None
    """Floor and ceiling as multiples of the source's characters; for all cues, or one for each."""
    translate_sounds: bool = False
    """Also translate sound descriptions such as ``[DOOR SLAMS]``."""
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
    condense: bool = True
    """Leave out what can be spared of a source where it cannot be said whole in its budget."""
    strict_budget: bool = False
    """Keep to budgets at any price: also with a translation that loses what a longer one says."""
    formality: FormalityWish | None = None
    """How people are addressed; ``auto`` for what each track calls for, ``any`` as it comes, None
    for ``auto`` where that costs little (`subfit.fitting.address.addressed`)."""
    context: int = 2
    """How many sentences before each one models are shown that are told in words what to do."""
    timing: Timing = "keep"
    """Let cues end later where that saves shortening (``extend``), as the guideline allows it."""


DEFAULT_OPTIONS = Options()
