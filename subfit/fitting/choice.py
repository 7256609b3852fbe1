"""Which of a sentence's candidates is taken."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from subfit.fitting.cue_lines import Placement, place, place_overlong
from subfit.fitting.losses import loses_any
from subfit.fitting.scoring import overlong_score, score
from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings
from subfit.fitting.state import Candidate, Fitted, Setup, State
from subfit.fitting.task import Task
from subfit.limits.budget import excess
from subfit.limits.guideline import Guideline

_CLOSING = re.compile(r"[.!?…:]\W*$")


def choose(
    task: Task,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    settings: FittingSettings = DEFAULT_SETTINGS,
) -> Fitted | None:
    """Take the best candidate that fits its cues and breaks into their lines.

    It is the best of those that lose nothing of what the natural translation says
    (`subfit.fitting.losses`), unless that lacks terms which another has; if all that fit lose
    something, the best of these.

    Args:
        task: Sentence and budgets.
        candidates: What the searches found; the first is the natural translation's best.
        guideline: Says what a character is and names the target language.
        settings: Say what is better.

    Returns:
        The sentence fitted, or None if no candidate fits.
    """
    best = best_that_fits(task, candidates, guideline, settings)
    if best is None:
        return None
    if not loses_any(task, best.candidate, best.natural, guideline.language, settings):
        return best
    whole = best_that_fits(task, candidates, guideline, settings, lossless=True)
    if whole is not None and whole.candidate.missing_terms <= best.candidate.missing_terms:
        return whole
    return best


def best_that_fits(
    task: Task,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    settings: FittingSettings,
    *,
    lossless: bool = False,
) -> Fitted | None:
    """Return the first in rank that fits; of those that rank alike, the one with the best score.

    Args:
        task: Sentence and budgets.
        candidates: What the searches found; the first is the natural translation's best.
        guideline: Says what a character is and names the target language.
        settings: Say what is better.
        lossless: Pass over those that lose something (`subfit.fitting.losses`).
    """
    for alike in by_rank(candidates, task, settings):
        best: tuple[float, Candidate, Placement] | None = None
        for candidate in alike:
            if best is not None and score(candidate, settings.weights) <= best[0]:
                break  # and so do all that follow
            placement = place(candidate.hypothesis.text, task, guideline)
            if placement is None:
                continue
            value = score(candidate, settings.weights, placement.demerits)
            if best is not None and value <= best[0]:
                continue
            if not lossless or not loses_any(
                task, candidate, candidates[0], guideline.language, settings
            ):
                best = value, candidate, placement
        if best is not None:
            _, chosen, placement = best
            return Fitted(task, placement.lines, chosen, candidates[0], fits=True)
    return None


def by_rank(
    candidates: Sequence[Candidate], task: Task, settings: FittingSettings = DEFAULT_SETTINGS
) -> list[list[Candidate]]:
    """Return the candidates that say anything, each text once, those that rank alike together.

    Those with all terms and placeables go before those that lack some, those that reach the floor
    before those that do not, and those that close as the source does before those that just stop;
    then the score counts.

    Args:
        candidates: What the searches found.
        task: The sentence.
        settings: Say what the score is.
    """

    def value(candidate: Candidate) -> float:
        return -score(candidate, settings.weights)

    best: dict[str, Candidate] = {}
    saying = with_words(candidates, task)
    for candidate in sorted(saying, key=lambda one: (one.missing_terms, value(one))):
        best.setdefault(candidate.hypothesis.text, candidate)
    alike: defaultdict[tuple[int, bool, bool], list[Candidate]] = defaultdict(list)
    for candidate in sorted(best.values(), key=value):
        alike[_rank(candidate, task)].append(candidate)
    return [alike[rank] for rank in sorted(alike)]


def least_overlong(
    task: Task,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    settings: FittingSettings = DEFAULT_SETTINGS,
) -> Fitted | None:
    """Take what passes its budgets by least for what it is worth, and mark it as overflow.

    Returns:
        The sentence with that translation, never cut; None if no candidate says anything.
    """

    def value(candidate: Candidate) -> float:
        over = max(candidate.hypothesis.characters - task.ceiling, 0.0)
        return overlong_score(candidate, over / len(task.sentence.text), settings.weights)

    saying = with_words(candidates, task)
    if candidates and candidates[0].recalled:  # nothing longer is better than what a memory has
        most = candidates[0].hypothesis.characters
        saying = [one for one in saying if one.hypothesis.characters <= most]
    best = max(saying, key=value, default=None)
    if best is None:
        return None
    lines = place_overlong(best.hypothesis.text, task, guideline)
    return Fitted(task, lines, best, candidates[0], fits=False)


def best_of(state: State, setup: Setup) -> Fitted | None:
    """Return what was chosen for a sentence, or what is over its budget by least."""
    if state.chosen is not None:
        return state.chosen
    return least_overlong(state.task, state.candidates, setup.guideline, setup.settings)


def whole_instead(
    task: Task,
    candidates: Sequence[Candidate],
    guideline: Guideline,
    settings: FittingSettings = DEFAULT_SETTINGS,
) -> Fitted | None:
    """Take the least overlong of the candidates that lose nothing.

    One that fits is better, but not whatever it says: what keeps to a tight budget has often lost
    its words, which some characters over would save.

    Returns:
        The sentence with that translation, as overflow if it does not fit; None if no candidate
        says anything.
    """
    if not candidates:
        return None
    whole = without_losses(task, candidates, guideline.language, settings)
    fitted = least_overlong(task, whole, guideline, settings)
    if fitted is None:
        return None
    fitted = replace(fitted, natural=candidates[0])
    placed = place(fitted.candidate.hypothesis.text, task, guideline)
    return fitted if placed is None else replace(fitted, lines=placed.lines, fits=True)


def without_losses(
    task: Task, candidates: Sequence[Candidate], language: str, settings: FittingSettings
) -> list[Candidate]:
    """Return the candidates that lose nothing of what the first, the natural one, says."""
    natural = candidates[0]
    return [
        candidate
        for candidate in candidates
        if not loses_any(task, candidate, natural, language, settings)
    ]


def with_words(candidates: Sequence[Candidate], task: Task) -> list[Candidate]:
    """Return the candidates that have words, if their source has any."""
    wordless = not any(map(str.isalnum, task.sentence.text))
    return [
        candidate
        for candidate in candidates
        if (text := candidate.hypothesis.text.strip()) and (wordless or any(map(str.isalnum, text)))
    ]


def misfit(fitted: Sequence[Fitted], guideline: Guideline) -> tuple[int, int, float]:
    """Return how badly a sentence, or its cues apart, fit: less is better.

    Returns:
        How many cues are without a word, how many do not fit, and the characters over.
    """
    cues = [
        ("\n".join(lines), budget)
        for one in fitted
        for lines, budget in zip(one.lines, one.task.budgets, strict=True)
    ]
    return (
        sum(not text.strip() for text, _ in cues),
        sum(not budget.fits(text, guideline) for text, budget in cues),
        sum(excess(text, budget, guideline) for text, budget in cues),
    )


def _rank(candidate: Candidate, task: Task) -> tuple[int, bool, bool]:
    """What counts before the score: candidates with less go first."""
    hypothesis = candidate.hypothesis
    stops = not _CLOSING.search(hypothesis.text) and _CLOSING.search(task.sentence.text)
    return candidate.missing_terms, not task.reaches(hypothesis), bool(stops)
