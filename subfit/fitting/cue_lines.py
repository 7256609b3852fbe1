"""A translation in the lines of its cues: spread over them, and each part broken into lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from subfit.fitting.cue_splits import BETWEEN_PHRASES, cut_cost, split_over_cues
from subfit.fitting.task import Lines, Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part
from subfit.text.alignment import WordScores
from subfit.text.linebreak import break_lines, break_lines_overlong
from subfit.text.linebreak_rules import joined, split_pieces


@dataclass(frozen=True, slots=True)
class Placement:
    """A translation in its cues, every one within its budget."""

    lines: tuple[Lines, ...]
    """The lines of each part of the sentence."""
    demerits: float = 0.0
    """Those of `subfit.fitting.cue_splits`, and what line breaks cost that part a phrase."""


def place(
    text: str, task: Task, guideline: Guideline, words: WordScores | None = None
) -> Placement | None:
    """Spread a translation over its cues as well as it goes, and break each part into lines.

    Returns:
        The placement, or None if there is no way that keeps every budget.
    """
    return _placed(text, task.sentence.parts, task.budgets, guideline, words)


@lru_cache(maxsize=8192)  # every pass chooses anew among all that was found before it, too
def _placed(
    text: str,
    sources: tuple[Part, ...],
    budgets: tuple[LengthBudget, ...],
    guideline: Guideline,
    words: WordScores | None,
) -> Placement | None:
    split = split_over_cues(text, sources, budgets, guideline, words=words)
    if split is None:
        return None
    lines = [
        _break(part, budget, source, guideline)
        for part, budget, source in zip(split.parts, budgets, sources, strict=True)
    ]
    whole = tuple(broken for broken in lines if broken is not None)
    if len(whole) < len(lines):
        return None
    broken = (_broken(*part, guideline.language) for part in zip(split.parts, whole, strict=True))
    return Placement(whole, split.demerits + sum(broken))


def _break(text: str, budget: LengthBudget, source: Part, guideline: Guideline) -> Lines | None:
    """Break one part into lines, or return None if it is over its budget or cannot be broken."""
    if not budget.allows(text, guideline):
        return None
    if budget.cpl is None:
        return _break_like(text, source.lines, guideline)
    return break_lines(
        text,
        budget.cpl,
        budget.lines,
        guideline.count,
        guideline.language,
        min_balance=guideline.min_line_balance,
        bottom_heavy=guideline.bottom_heavy,
    )


def _broken(text: str, lines: Lines, language: str) -> float:
    """What the line breaks of a text cost beyond breaks anywhere between phrases."""
    if len(lines) < 2:
        return 0.0
    pieces, first, demerits = split_pieces(text, language), 0, 0.0
    for line in lines[:-1]:
        ends = (end for end in range(first + 1, len(pieces)) if joined(pieces[first:end]) == line)
        first = next(ends)
        demerits += max(cut_cost(pieces[first - 1].demerits) - BETWEEN_PHRASES, 0.0)
    return demerits


def _break_like(text: str, lines: int, guideline: Guideline) -> Lines:
    """Break a text that no width limits into about as many lines as its source has."""
    count, language = guideline.count, guideline.language
    for slack in (1.1, 1.3, 1.6):
        width = math.ceil(slack * count(text) / lines)
        broken = break_lines(text, width, lines, count, language) if lines > 1 else None
        if broken is not None:
            return broken
    return (text,)


def place_overlong(
    text: str, task: Task, guideline: Guideline, words: WordScores | None = None
) -> tuple[Lines, ...]:
    """Place a translation that does not fit: fewest characters over, least bad lines.

    Returns:
        For each part of the sentence its lines.
    """
    parts = spread_overlong(text, task, task.budgets, guideline, words)
    count, language = guideline.count, guideline.language
    return tuple(
        break_lines_overlong(part, budget.cpl, budget.lines, count, language) or ("",)
        for part, budget in zip(parts, task.budgets, strict=True)
    )


def spread_overlong(
    text: str,
    task: Task,
    budgets: Sequence[LengthBudget],
    guideline: Guideline,
    words: WordScores | None = None,
) -> tuple[str, ...]:
    """Spread a translation even if some cues get too much.

    If it has fewer words than there are cues, all of it stands in the first.
    """
    sources = task.sentence.parts
    split = split_over_cues(text, sources, budgets, guideline, words=words, overlong=True)
    return split.parts if split else (text, *[""] * (len(sources) - 1))
