"""What a user may choose about translating a track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from subfit.errors import UsageError
from subfit.limits.budget import LengthRatio
from subfit.limits.cue_budgets import DEFAULT_DUBBING, Dubbing
from subfit.subtitles.sdh import SdhWish
from subfit.terms.glossary import Term
from subfit.terms.persons import Person
from subfit.text.formality import FormalityWish

Timing = Literal["keep", "extend"]
"""Whether cues keep their out-times, or may end later, as far as the guideline allows."""


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

    def __post_init__(self) -> None:
        """Refuse what type checkers would: a misspelt choice must not pass for the default.

        Raises:
            UsageError: A choice is none.
        """
        for name, kind in (("sdh", SdhWish), ("timing", Timing), ("formality", FormalityWish)):
            known, own = get_args(kind), getattr(self, name)
            if own is not None and own not in known:
                raise UsageError(f"{name} must be one of {', '.join(known)}, not {own!r}")


DEFAULT_OPTIONS = Options()
