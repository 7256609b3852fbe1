"""Translations that tests write down, as the runner would get them."""

from __future__ import annotations

from benchmarks.challenge.cases import Case
from benchmarks.challenge.checks import Answer
from benchmarks.challenge.run import GUIDELINE, track_of
from benchmarks.challenge.texts import without_tags
from subfit.limits.cue_budgets import cue_budgets
from subfit.limits.guideline import Guideline
from subfit.text.counting import count_characters
from subfit.text.linebreak import break_lines


def answer_with(case: Case, language: str, payloads: tuple[str, ...]) -> Answer:
    """Return payloads as a translation, after holding them against the case's budgets."""
    guideline = Guideline.load(GUIDELINE, language)
    track = track_of([case], language, guideline)
    budgets = cue_budgets(track, guideline)
    fits = all(
        budget.fits(_broken(without_tags(payload), language), guideline)
        for budget, payload in zip(budgets, payloads, strict=True)
    )
    return Answer(case, language, payloads, fits)


def _broken(text: str, language: str) -> str:
    """Return a text in lines, as it is if it has several."""
    if "\n" in text:
        return text
    guideline = Guideline.load(GUIDELINE, language)
    lines = break_lines(text, guideline.cpl, None, count_characters, language)
    return text if lines is None else "\n".join(lines)
