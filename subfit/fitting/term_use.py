"""What became of the terms of a sentence, and why one is missing."""

from __future__ import annotations

from collections.abc import Sequence

from subfit.fitting.cue_lines import place
from subfit.fitting.outcomes import TermUse
from subfit.fitting.state import Candidate, Fitted
from subfit.fitting.task import place_in
from subfit.limits.guideline import Guideline
from subfit.terms.glossary import OPEN_END, Occurrence
from subfit.text.counting import count_characters


def term_uses(
    fitted: Fitted, candidates: Sequence[Candidate], guideline: Guideline
) -> tuple[tuple[TermUse, ...], ...]:
    """Say what became of every term of a sentence.

    Args:
        fitted: The sentence with the translation it was given.
        candidates: All that was found for it.
        guideline: Says what a character is and names the target language.

    Returns:
        For each part of the sentence the terms that begin in it.
    """
    task = fitted.task
    uses: list[list[TermUse]] = [[] for _ in task.sentence.parts]
    missing = task.missing(fitted.candidate.hypothesis.text, fitted.candidate.omitted)
    for term in task.terms:
        placed = term not in missing
        reason = "" if placed else _why_not(term, fitted, candidates, guideline)
        use = TermUse(term.source, term.targets, placed, reason, term.placeable)
        uses[place_in(task.sentence, term)[0]].append(use)
    return tuple(map(tuple, uses))


def _why_not(
    term: Occurrence, fitted: Fitted, candidates: Sequence[Candidate], guideline: Guideline
) -> str:
    """Why a translation was taken that has not got a term."""
    task, counting = fitted.task, guideline.counting
    shortest = min(
        count_characters(target.removesuffix(OPEN_END), counting) for target in term.targets
    )
    if shortest > task.ceiling:
        return f"it has {shortest:g} characters, and there is room for {task.ceiling:g}"
    having = [one for one in candidates if term.is_in(one.hypothesis.text)]
    if not having:
        return "no translation with it was found"
    if not any(place(one.hypothesis.text, task, guideline) for one in having):
        return "no translation with it fits"
    return "translations with it that fit lack other terms, are too short, or may end too early"
