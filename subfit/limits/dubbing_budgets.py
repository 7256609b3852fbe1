"""The budgets of a dubbing script: the time there is to say a line, or its source's length."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from subfit.errors import UsageError
from subfit.limits.budget import LengthBudget, LengthRatio, Limit, budget_for, limited
from subfit.limits.guideline import Guideline
from subfit.speech.speaking import SpeakingTime, estimate_seconds
from subfit.speech.voice import VoiceName
from subfit.subtitles.cues import Cue
from subfit.subtitles.markup.cuetext import CueText

DubBudget = Literal["isochronous", "isometric", "both"]
ISOMETRIC = LengthRatio(0.9, 1.1)


@dataclass(frozen=True, slots=True)
class Dubbing:
    """What the lines of dubbing scripts are held to."""

    budget: DubBudget = "isochronous"
    """isochronous: the time a line takes to say; isometric: its characters beside its source's.
    Lines without times are always isometric."""
    speed_factor: float = 1.2
    """How much faster or slower than usual a line may be spoken."""
    voice: VoiceName | None = None
    """What measures the translations, if anything."""
    source_language: str = "en"

    def __post_init__(self) -> None:
        if not 1 <= self.speed_factor <= 3:
            raise UsageError(f"--speed-factor {self.speed_factor:g}: it must be from 1 to 3")


DEFAULT_DUBBING = Dubbing()


def speaking_time(cue: Cue, source: str, dubbing: Dubbing, language: str) -> SpeakingTime | None:
    """Work out how long the translation of a line may take; None of a line without times.

    Args:
        cue: The line, with its slot.
        source: What is said in it: a translation that takes as long need not fill a longer slot.
        dubbing: How much faster or slower than usual it may be spoken, and what measures.
        language: Tag of the language of the translation.
    """
    if cue.duration <= 0:
        return None
    slot, factor = cue.duration / 1000, dubbing.speed_factor
    shortest = min(slot, estimate_seconds(source, dubbing.source_language)) / factor
    return SpeakingTime(language, slot, shortest, slot * factor, dubbing.voice)


def dubbing_budget(
    cue: Cue,
    text: CueText,
    guideline: Guideline,
    dubbing: Dubbing = DEFAULT_DUBBING,
    ratio: LengthRatio | None = None,
) -> LengthBudget:
    """Work out the budget of one line of a dubbing script.

    Args:
        cue: The line, with its slot.
        text: Its payload; directions do not count.
        guideline: Says what a character is, and names the target language.
        dubbing: What the line is held to.
        ratio: Floor and ceiling as multiples of the source's characters, which hold whatever else
            does.
    """
    source = text.shown
    time = speaking_time(cue, source, dubbing, guideline.language)
    timed = time is not None and dubbing.budget != "isometric"
    if ratio is None and (not timed or dubbing.budget == "both"):
        ratio = ISOMETRIC
    budget = budget_for(source, None, guideline, ratio)
    if time is None or not timed:
        return budget
    ceilings: list[tuple[Limit, float]] = [*budget.limits, ("speech", time.most_characters)]
    return limited(replace(budget, speaking=time), ceilings, apart=False)
