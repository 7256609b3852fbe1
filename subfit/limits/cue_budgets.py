"""The budget of every cue of a track, before anything is translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from subfit.limits.budget import (
    LengthBudget,
    LengthRatio,
    budget_for,
    ratio_of,
    split_budget,
    without_kept,
)
from subfit.limits.dubbing_budgets import DEFAULT_DUBBING, Dubbing, dubbing_budget
from subfit.limits.guideline import Guideline
from subfit.limits.timing_slack import later_ends
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.markup.cuetext import CueText, Turn
from subfit.subtitles.sentences import Part, Sentence, parse_cues
from subfit.text.counting import count_characters


@dataclass(frozen=True, slots=True)
class TrackBudgets:
    """What the cues of a track may take."""

    own: tuple[LengthBudget, ...]
    """The budget of every cue in the time it has."""
    most: tuple[LengthBudget, ...]
    """Its budget with all the time it may get."""
    ends: tuple[tuple[int, ...], ...] | None = None
    """Out-times that each cue may have beside its own; None where times are kept."""


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
    ends = later_ends(track, guideline)
    latest = [max((cue.end, *more)) for cue, more in zip(track.cues, ends, strict=True)]
    return TrackBudgets(own, cue_budgets(track.with_ends(latest), guideline, length_ratio), ends)


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
        return cue_budget(text, cue.duration if track.timed else None, guideline, ratio)

    texts = parse_cues(track.cues, track.format)
    pairs = zip(track.cues, texts, strict=True)
    return tuple(budget_of(index, *pair) for index, pair in enumerate(pairs))


def cue_budget(
    text: CueText, duration_ms: int | None, guideline: Guideline, ratio: LengthRatio | None = None
) -> LengthBudget:
    """Work out the budget of one whole cue."""
    return budget_for(text.shown, duration_ms, guideline, ratio)


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
