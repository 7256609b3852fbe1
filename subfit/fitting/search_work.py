"""Tasks on their way through the searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from subfit.fitting.fit import Fitted, least_bad
from subfit.fitting.policy import Policy
from subfit.fitting.ranking import Candidate
from subfit.fitting.task import Task, place_in
from subfit.limits.budget import excess
from subfit.limits.guideline import Guideline
from subfit.terms.glossary import Occurrence, plain_characters
from subfit.text.typography import Style


@dataclass(slots=True)
class Work:
    """A task on its way through the searches."""

    task: Task
    style: Style
    """Its source's, over all tasks of the track."""
    candidates: list[Candidate] = field(default_factory=list)
    """What has been found, the best natural translation first."""
    fitted: Fitted | None = None
    given: Task | None = None
    """The task in its own time, where it was let take more."""
    apart: list[Work] = field(default_factory=list)
    """Its cues by themselves, where it was given up as one sentence."""


def separated(task: Task) -> list[Task]:
    """Return the cues of a sentence as tasks of their own; each has the terms that begin in it."""
    terms: list[list[Occurrence]] = [[] for _ in task.budgets]
    parts = task.sentence.parts
    for term in task.terms:
        number, start = place_in(task.sentence, term)
        start += len(plain_characters(parts[number].opening))
        terms[number].append(replace(term, start=start))
    tasks = [
        Task(sentence, (budget,), tuple(own), words=task.words, counting=task.counting)
        for sentence, budget, own in zip(
            task.sentence.separated(), task.budgets, terms, strict=True
        )
    ]
    if task.extended is None:
        return tasks
    longer = zip(tasks, task.extended, strict=True)
    return [replace(each, extended=(budget,)) for each, budget in longer]


def settled(works: Sequence[Work], guideline: Guideline, policy: Policy) -> list[Work]:
    """Return the works whose results count: of those given up, their cues if these are better.

    They are if fewer of them stay without words, or else fewer do not fit, or else by less.
    """
    return [
        each
        for work in works
        for each in (work.apart if _better_apart(work, guideline, policy) else [work])
    ]


def least_bad_of(work: Work, guideline: Guideline, policy: Policy) -> Fitted | None:
    """Return what was found for a work, the least bad where nothing fits."""
    language = guideline.language
    return work.fitted or least_bad(work.task, work.candidates, guideline, language, policy)


def _better_apart(work: Work, guideline: Guideline, policy: Policy) -> bool:
    """Whether the cues of a sentence that was given up are better each by itself."""
    if not work.apart:
        return False
    whole = least_bad_of(work, guideline, policy)
    parts = (least_bad_of(part, guideline, policy) for part in work.apart)
    apart = [each for each in parts if each is not None]
    if whole is None or len(apart) < len(work.apart):
        return whole is None
    return _misfit(apart, guideline) < _misfit([whole], guideline)


def _misfit(fitted: Sequence[Fitted], guideline: Guideline) -> tuple[int, int, float]:
    """Count the cues of a sentence without a word, those that do not fit, and characters over."""
    cues = [
        ("\n".join(lines), budget)
        for each in fitted
        for lines, budget in zip(each.lines, each.task.budgets, strict=True)
    ]
    return (
        sum(not text.strip() for text, _ in cues),
        sum(not budget.fits(text, guideline) for text, budget in cues),
        sum(excess(text, budget, guideline) for text, budget in cues),
    )
