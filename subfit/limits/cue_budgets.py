"""The budget of every cue of a track, and of every line of a dubbing script: the time there is to
say it, or its source's length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from subfit.errors import UsageError
from subfit.limits.budget import (
    LengthBudget,
    LengthRatio,
    Limit,
    budget_for,
    limited,
    ratio_of,
    split_budget,
    without_kept,
)
from subfit.limits.guideline import Guideline
from subfit.limits.timing_slack import later_ends
from subfit.speech import SpeakingTime, estimate_seconds
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.markup import CueText, Turn
from subfit.subtitles.sentences import Part, Sentence, parse_cues
from subfit.text.counting import count_characters

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
        dubbing: How much faster or slower than usual it may be spoken.
        language: Tag of the language of the translation.
    """
    if cue.duration <= 0:
        return None
    slot, factor = cue.duration / 1000, dubbing.speed_factor
    shortest = min(slot, estimate_seconds(source, dubbing.source_language)) / factor
    return SpeakingTime(language, slot, shortest, slot * factor)


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


@dataclass(frozen=True, slots=True)
class TrackBudgets:
    """What the cues of a track may take."""

    own: tuple[LengthBudget, ...]
    """The budget of every cue in the time it has."""
    most: tuple[LengthBudget, ...]
    """Its budget with all the time it may get."""
    ends: tuple[tuple[int, ...], ...] | None = None
    """Out-times that each cue may have beside its own; None where times are kept."""

    def latest(self, track: Track) -> list[int]:
        """Where each cue may end at the latest, in milliseconds."""
        ends = self.ends or ((),) * len(track.cues)
        return [max((cue.end, *more)) for cue, more in zip(track.cues, ends, strict=True)]


def track_budgets(
    track: Track,
    guideline: Guideline,
    length_ratio: LengthRatio | Sequence[LengthRatio] | None = None,
    dubbing: Dubbing = DEFAULT_DUBBING,
    *,
    extend: bool = False,
) -> TrackBudgets:
    """Work out the budget of every cue, and what it would be if the cue ended later.

    Args:
        track: The source cues.
        guideline: The limits for the target language.
        length_ratio: As in `cue_budgets`.
        dubbing: What the lines of a dubbing script are held to.
        extend: Whether cues may end later, as far as the guideline has slack for it.
    """
    own = cue_budgets(track, guideline, length_ratio, dubbing)
    if not (extend and track.timed):
        return TrackBudgets(own, own)
    budgets = TrackBudgets(own, own, later_ends(track, guideline))
    later = track.with_ends(budgets.latest(track))
    return replace(budgets, most=cue_budgets(later, guideline, length_ratio))


def cue_budgets(
    track: Track,
    guideline: Guideline,
    length_ratio: LengthRatio | Sequence[LengthRatio] | None = None,
    dubbing: Dubbing = DEFAULT_DUBBING,
) -> tuple[LengthBudget, ...]:
    """Work out the budget of every whole cue, its dialogue dashes included.

    Args:
        track: The source cues.
        guideline: The limits for the target language.
        length_ratio: Floor and ceiling as multiples of the source's characters; for all cues, or
            one for each.
        dubbing: What the lines of a dubbing script are held to.
    """

    def budget_of(index: int, cue: Cue, text: CueText) -> LengthBudget:
        ratio = ratio_of(length_ratio, index)
        if track.spoken:
            return dubbing_budget(cue, text, guideline, dubbing, ratio)
        return budget_for(text.shown, cue.duration if track.timed else None, guideline, ratio)

    texts = parse_cues(track.cues, track.format)
    pairs = zip(track.cues, texts, strict=True)
    return tuple(budget_of(index, *pair) for index, pair in enumerate(pairs))


def sentence_budgets(
    sentences: Sequence[Sentence],
    texts: Sequence[CueText],
    budgets: Sequence[LengthBudget],
    guideline: Guideline,
) -> list[tuple[LengthBudget, ...]]:
    """Return the budget of every part of sentences: its cue's, or its turn's share of it.

    Turns that are in no sentence stay as they are, and what they take is not shared.
    """
    places = {(part.cue, part.turn) for sentence in sentences for part in sentence.parts}
    shared: dict[int, Mapping[int, LengthBudget]] = {}

    def budget_of(part: Part) -> LengthBudget:
        budget, turns = budgets[part.cue], texts[part.cue].turns
        if len(turns) == 1 and not turns[0].dash:
            return budget
        if part.cue not in shared:
            said = [number for number in range(len(turns)) if (part.cue, number) in places]
            shared[part.cue] = _shares(budget, turns, said, guideline)
        return shared[part.cue][part.turn]

    return [tuple(map(budget_of, sentence.parts)) for sentence in sentences]


def _shares(
    budget: LengthBudget, turns: Sequence[Turn], said: Sequence[int], guideline: Guideline
) -> Mapping[int, LengthBudget]:
    """The budgets of those turns of a cue that are translated."""
    lengths = [count_characters(turn.text, guideline.counting) for turn in turns]
    dash = max(count_characters(turn.dash, guideline.counting) for turn in turns)
    kept = [length for number, length in enumerate(lengths) if number not in said]
    if kept:
        budget = without_kept(budget, kept, dash=dash)
    shares = split_budget(budget, [lengths[number] for number in said], dash=dash)
    return dict(zip(said, shares, strict=True))


def turn_budgets(
    text: CueText, budget: LengthBudget, guideline: Guideline
) -> tuple[LengthBudget, ...]:
    """Return what each turn of a cue may take up if the others stay as they are."""
    turns = text.turns
    if len(turns) < 2 and not (turns and turns[0].dash):
        return (budget,) * len(turns)
    return tuple(_shares(budget, turns, [n], guideline)[n] for n in range(len(turns)))
