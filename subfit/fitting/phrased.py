"""Sentences that are nothing but phrases: said as the phrasebook has them, and nothing is searched.

Where no way to say one fits, not even with more time, it goes over its budget, as whole
translations do that nothing shorter stands for, unless the budget is strict: a few characters too
many are better than what a model makes of a phrase that it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import FREE, Hypothesis
from subfit.fitting.candidates import typeset_for
from subfit.fitting.choice import best_that_fits, least_overlong
from subfit.fitting.state import Candidate, Setup, State
from subfit.fitting.task import Task
from subfit.text.cleaning.cleaning import frame_of
from subfit.text.counting import count_characters


def with_phrases(states: Sequence[State], setup: Setup) -> list[State]:
    """Give sentences the translations that the phrasebook has of them.

    Args:
        states: Sentences; those for which something is found already stay as they are.
        setup: Translator, guideline and settings.

    Returns:
        The sentences, those that are phrases translated.
    """
    known = [[] if state.candidates else _ways(state, state.task, setup) for state in states]
    places = [n for n, own in enumerate(known) if own]
    texts = [states[n].task.sentence.spoken for n in places]
    forms = [states[n].task.formality for n in places]
    rated = setup.translator.rate(texts, [known[n] for n in places], forms) if places else []
    done = {n: _taken(states[n], own, setup) for n, own in zip(places, rated, strict=True)}
    return [done.get(n, state) for n, state in enumerate(states)]


def _ways(state: State, task: Task, setup: Setup) -> list[Hypothesis]:
    """The ways to say a text that is nothing but phrases, the best first, without scores."""
    if task.phrasebook is None or len(task.sentence.parts) > 1:
        return []
    text, frame = task.sentence.spoken, frame_of(task.sentence.spoken)
    inside = text[len(frame) : len(text) - len(frame)]
    cut = task.phrasebook.cut(inside, [term.source for term in task.terms])
    if cut is None or cut.rest:
        return []
    ways = (cut.opening(task.formality, level) for level in range(cut.levels))
    texts = dict.fromkeys(f"{frame}{way}{frame}" for way in ways)
    plain = (Hypothesis(text, count_characters(text, task.counting), 0.0, 0.0) for text in texts)
    return [typeset_for(one, task, state.style, setup.guideline) for one in plain]


def _taken(state: State, ways: Sequence[Hypothesis], setup: Setup) -> State:
    """The sentence with the first way that fits, or else with the least overlong one."""
    candidates = [Candidate(way, FREE, recalled=True) for way in ways]
    times = [state.task]
    if state.task.extended is not None:
        times.append(state.task.with_more_time())
    for task in times:
        for candidate in candidates:
            fitted = best_that_fits(task, [candidate], setup.guideline, setup.settings)
            if fitted is not None and task.reaches(candidate.hypothesis):
                own = None if task is state.task else state.task
                return replace(
                    state,
                    task=task,
                    own_task=own,
                    candidates=(candidate,),
                    chosen=fitted,
                    fits_naturally=True,
                )
    if setup.strict:
        return state
    over = least_overlong(times[-1], candidates, setup.guideline, setup.settings)
    if over is None or not over.task.reaches(over.candidate.hypothesis):
        return state
    return replace(
        state, task=times[-1], candidates=(over.candidate,), chosen=over, fits_naturally=True
    )
