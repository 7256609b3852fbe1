"""What translation memories have for a sentence: taken word for word where it fits, or followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import FREE, Hypothesis
from subfit.fitting.choice import best_that_fits
from subfit.fitting.outcomes import MemoryUse
from subfit.fitting.state import Candidate, Fitted, Setup, State
from subfit.memory.entry import NO_MATCH
from subfit.text.counting import count_characters


def with_recalled(states: Sequence[State], setup: Setup) -> list[State]:
    """Give sentences the translations that memories have of the same text.

    The first that fits is taken as it is, and nothing is searched. Where none does, the preferred
    one is the natural translation, from which the sentence is shortened.

    Args:
        states: Sentences, nothing being found for them yet.
        setup: Translator, guideline and settings.
    """
    places = [n for n, state in enumerate(states) if state.task.recall and state.task.recall.exact]
    known = [_hypotheses(states[n], setup) for n in places]
    texts = [states[n].task.sentence.spoken for n in places]
    forms = [states[n].task.formality for n in places]
    rated = setup.translator.rate(texts, known, forms) if places else []
    done = {n: _taken(states[n], own, setup) for n, own in zip(places, rated, strict=True)}
    return [done.get(n, state) for n, state in enumerate(states)]


def _hypotheses(state: State, setup: Setup) -> list[Hypothesis]:
    """What memories have for the whole text, without scores."""
    entries = state.task.recall.exact if state.task.recall else ()
    counting = setup.guideline.counting
    return [
        Hypothesis(entry.target, count_characters(entry.target, counting), 0.0, 0.0)
        for entry in entries
    ]


def _taken(state: State, hypotheses: Sequence[Hypothesis], setup: Setup) -> State:
    task = state.task
    candidates = [
        Candidate(hypothesis, FREE, len(task.missing(hypothesis.text)), recalled=True)
        for hypothesis in hypotheses
    ]
    for candidate in candidates:
        fitted = best_that_fits(task, [candidate], setup.guideline, setup.settings)
        if fitted is not None and task.reaches(candidate.hypothesis):
            return replace(state, candidates=(candidate,), chosen=fitted, fits_naturally=True)
    return replace(state, candidates=tuple(candidates[:1]))


def worst_use(fitted: Sequence[Fitted]) -> MemoryUse | None:
    """Return what memories had for the sentences of a cue: of several the least similar.

    Args:
        fitted: The sentences.

    Returns:
        None if no memory was asked.
    """
    uses = [use for one in fitted if (use := memory_use(one)) is not None]
    return min(uses, key=lambda use: use.similarity or 0.0, default=None)


def memory_use(fitted: Fitted) -> MemoryUse | None:
    """Return what memories had for a sentence, and what was made of it; None if none was asked."""
    recall, candidate = fitted.task.recall, fitted.candidate
    if recall is None:
        return None
    if recall.best is None:
        return MemoryUse(NO_MATCH)
    best, guided = recall.best, candidate.hypothesis.guided > 0
    entry = best.entry
    if candidate.recalled:
        said = (one for one in recall.exact if one.target == candidate.hypothesis.text)
        entry = next(said, entry)
    return MemoryUse(
        best.match_class,
        best.similarity,
        "exact" if candidate.recalled else "guided" if guided else "",
        entry.source,
        entry.target,
        entry.origin,
    )
