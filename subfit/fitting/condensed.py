"""Translating less than the whole source: what is asked for, and what of each cue was left out."""

from __future__ import annotations

import math
from dataclasses import dataclass

from subfit.condensing import Condensation, condensations
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.policy import Policy
from subfit.fitting.task import Ranges, Task
from subfit.subtitles.sentences import Sentence

_MARKS = " ,;:–—"


@dataclass(frozen=True, slots=True)
class CondensedRequest:
    """A condensed source to translate within the budget."""

    request: Request
    condensation: Condensation


def condensed_requests(
    task: Task,
    natural: Hypothesis,
    language: str,
    policy: Policy,
    *,
    asks: bool = True,
    freely: bool = True,
) -> list[CondensedRequest]:
    """Return what to translate in place of a sentence that cannot be said whole in its budget.

    A condensation that should fit is translated at its natural length; of one that may be a little
    too long the budget is asked for.

    Args:
        task: The sentence.
        natural: Its translation without a ceiling.
        language: Of the source.
        policy: Says how many condensations.
        asks: Whether the model can be asked for a length; otherwise it only gets the ceiling.
        freely: Whether it may be asked for none; otherwise it is asked for what is expected.

    Returns:
        The requests, those that lose least first; none without a budget, or if nothing can be
        spared.
    """
    ceiling = task.ceiling
    if ceiling < 1 or math.isinf(ceiling) or not natural.characters:
        return []
    found = condensations(
        task.sentence.spoken,
        ceiling / natural.characters,
        language,
        kept=[each.source for each in task.terms if not each.spelt],
        most=policy.condensations,
    )
    per_character = natural.characters / len(task.sentence.spoken)

    def asked(text: str) -> int:
        expected = per_character * len(text)
        if not asks or (freely and expected <= ceiling):
            return FREE
        return max(1, math.floor(min(expected, ceiling)))

    return [
        CondensedRequest(
            Request(task.brief(each.text), ceiling, asked(each.text), terms=task.wanted),
            each,
        )
        for each in found
    ]


def omitted_of(sentence: Sentence, condensation: Condensation | None) -> tuple[Ranges, ...]:
    """Return for each part of a sentence where in its text a condensation leaves something out.

    Args:
        sentence: The sentence.
        condensation: Of its text as spoken; None if nothing is left out.

    Returns:
        Places in characters, without the commas and spaces around them; empty if nothing is left
        out.
    """
    if condensation is None:
        return ()
    found: list[Ranges] = []
    at = 0
    for part in sentence.parts:
        cut = ((max(a - at, 0), max(b - at, 0)) for a, b in condensation.omitted)
        found.append(tuple(each for span in cut if (each := _trimmed(part.text, *span))))
        at += len(part.text) + 1
    return tuple(found)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A range without the marks at its ends; None if there is nothing else in it."""
    words = text[start:end]
    left = start + len(words) - len(words.lstrip(_MARKS))
    right = left + len(words.strip(_MARKS))
    return (left, right) if left < right else None
