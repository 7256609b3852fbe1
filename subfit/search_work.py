"""Tasks on their way through the searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from subfit.fit import Fitted, Task
from subfit.glossary import Occurrence
from subfit.ranking import Candidate
from subfit.term_use import part_of
from subfit.typography import Style


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
    for term in task.terms:
        terms[part_of(task.sentence, term)].append(replace(term, start=0))
    tasks = [
        Task(sentence, (budget,), tuple(own))
        for sentence, budget, own in zip(
            task.sentence.separated(), task.budgets, terms, strict=True
        )
    ]
    if task.extended is None:
        return tasks
    longer = zip(tasks, task.extended, strict=True)
    return [replace(each, extended=(budget,)) for each, budget in longer]


def settled(works: Sequence[Work]) -> list[Work]:
    """Return the works whose results count: of those given up, their cues if these fit."""
    found: list[Work] = []
    for work in works:
        use_apart = work.apart and all(each.fitted for each in work.apart)
        found += work.apart if use_apart else [work]
    return found
