"""The budget of every cue of a track, before anything is translated."""

from __future__ import annotations

from collections.abc import Sequence

from subfit.budget import LengthBudget, LengthRatio, budget_for, ratio_of, split_budget
from subfit.cues import Track
from subfit.formats.markup import CueText
from subfit.guideline import Guideline, count_characters
from subfit.sentences import Sentence


def cue_budgets(
    track: Track,
    texts: Sequence[CueText],
    guideline: Guideline,
    length_ratio: LengthRatio | Sequence[LengthRatio] | None = None,
) -> tuple[LengthBudget, ...]:
    """Work out the budget of every whole cue, its dialogue dashes included.

    Args:
        track: The source cues.
        texts: Their payloads, from `subfit.sentences.parse_cues`.
        guideline: The limits for the target language.
        length_ratio: Floor and ceiling as multiples of the source's characters; for all cues, or
            one for each.
    """
    return tuple(
        cue_budget(
            text, cue.duration if track.timed else None, guideline, ratio_of(length_ratio, index)
        )
        for index, (cue, text) in enumerate(zip(track.cues, texts, strict=True))
    )


def cue_budget(
    text: CueText, duration_ms: int | None, guideline: Guideline, ratio: LengthRatio | None = None
) -> LengthBudget:
    """Work out the budget of one whole cue.

    Args:
        text: Its payload.
        duration_ms: Its time on screen; None if it has none.
        guideline: The limits for the target language.
        ratio: Floor and ceiling as multiples of the source's characters.
    """
    return budget_for(text.shown, duration_ms, guideline, ratio)


def sentence_budgets(
    sentence: Sentence,
    texts: Sequence[CueText],
    budgets: Sequence[LengthBudget],
    guideline: Guideline,
) -> tuple[LengthBudget, ...]:
    """Return the budget of every part of a sentence: its cue's, or its turn's share of it.

    Args:
        sentence: The sentence.
        texts: The payloads of all cues.
        budgets: The budgets of all cues, from `cue_budgets`.
        guideline: Says what a character is.
    """
    parts = []
    for part in sentence.parts:
        budget, turns = budgets[part.cue], texts[part.cue].turns
        if len(turns) > 1 or turns[0].dash:
            lengths = [count_characters(turn.text, guideline.counting) for turn in turns]
            dash = max(count_characters(turn.dash, guideline.counting) for turn in turns)
            parts.append(split_budget(budget, lengths, dash=dash)[part.turn])
        else:
            parts.append(budget)
    return tuple(parts)
