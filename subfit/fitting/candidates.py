"""Searching for candidates of many sentences at once, and what is known of each that is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.cleaned import as_read, cleaned, restored
from subfit.fitting.cue_lines import place
from subfit.fitting.state import Ask, Candidate, Setup, State
from subfit.fitting.task import Task, omitted_of
from subfit.limits.guideline import Guideline
from subfit.terms.restore import Cleaned
from subfit.text.casing import capitals
from subfit.text.counting import count_characters
from subfit.text.typography import Style, complete, typeset


@dataclass(frozen=True, slots=True)
class _Search:
    """One search for a sentence as the translator gets it."""

    ask: Ask
    text: Cleaned
    """What is translated, and what the model reads of it."""
    whole: Cleaned
    """All of the source likewise, also where a condensation is translated."""
    request: Request

    @property
    def limited(self) -> bool:
        """Whether a length was asked for or bounded, so that scores are not as without one."""
        return _is_limited(self.request)


def search(
    states: Sequence[State],
    asks: Sequence[Sequence[Ask]],
    setup: Setup,
    on_done: Callable[[int], None] | None = None,
) -> list[State]:
    """Search for all that is asked, in one batch, and add what is found.

    Args:
        states: Sentences.
        asks: For each of them what to search for, any number of searches.
        setup: Translator, guideline and settings.
        on_done: Called with the number of searches that got done since it was last called.

    Returns:
        The sentences, each with more candidates, all scored alike: as if no length had been asked
        for. What is found for one does not depend on the others.
    """
    searches = [
        [_search_for(ask, state, setup) for ask in own]
        for state, own in zip(states, asks, strict=True)
    ]
    every = [search for own in searches for search in own]
    nbest = setup.translator.translate([search.request for search in every], on_done)
    limited = [number for number, search in enumerate(every) if search.limited]
    texts = [every[number].request.text for number in limited]
    forms = [every[number].request.formality for number in limited]
    rated = setup.translator.rate(texts, [nbest[number] for number in limited], forms)
    for number, hypotheses in zip(limited, rated, strict=True):
        nbest[number] = hypotheses
    results = iter(_with_channel(nbest, every, setup))
    return [
        replace(
            state,
            candidates=(
                *state.candidates,
                *(
                    _candidate(hypothesis, search, state, setup)
                    for search in own
                    for hypothesis in next(results)
                ),
            ),
        )
        for state, own in zip(states, searches, strict=True)
    ]


def rate(states: Sequence[State], setup: Setup) -> list[State]:
    """Rate all candidates as shortened ones are: without a length signal, each read back.

    Natural ones have no `Hypothesis.closing` before, and the less probable no `Hypothesis.channel`
    of their own.

    Args:
        states: Sentences.
        setup: Translator, guideline and settings.
    """
    nbest = [[one.hypothesis for one in state.candidates] for state in states]
    language = setup.guideline.language
    texts = [cleaned(state.task.sentence.spoken, state.task, language).text for state in states]
    rated = setup.translator.rate(texts, nbest, [state.task.formality for state in states])
    near = [_near_best(own, setup.settings.shorter_channel_margin) for own in rated]
    read = setup.translator.channel_of(texts, near)
    if read is not None:
        known = (dict(zip(own, means, strict=True)) for own, means in zip(near, read, strict=True))
        rated = list(map(_with_means, rated, known))
    return [
        replace(
            state,
            candidates=tuple(
                replace(candidate, hypothesis=hypothesis)
                for candidate, hypothesis in zip(state.candidates, hypotheses, strict=True)
            ),
        )
        for state, hypotheses in zip(states, rated, strict=True)
    ]


def typeset_for(
    hypothesis: Hypothesis, task: Task, style: Style, guideline: Guideline
) -> Hypothesis:
    """Return a translation set as its language and its source ask for.

    It is in capitals if its source is, as its language has them; ß becomes SS and counts twice.
    Marks that it lacks are added if it fits with them.
    """
    text = typeset(hypothesis.text, guideline.language, style)
    whole = complete(text, guideline.language, style)
    if task.sentence.shouted:
        text, whole = (capitals(one, guideline.language) for one in (text, whole))
    if whole != text and place(whole, task, guideline) is not None:
        text = whole
    if text == hypothesis.text:
        return hypothesis
    return replace(hypothesis, text=text, characters=count_characters(text, guideline.counting))


def _is_limited(request: Request) -> bool:
    """Whether a length is asked for or bounded."""
    return request.asked != FREE or not math.isinf(request.ceiling)


def _search_for(ask: Ask, state: State, setup: Setup) -> _Search:
    """A search for a sentence, with all that it wants of any translation."""
    task = state.task
    request = replace(
        ask.request,
        formality=task.formality,
        barred=ask.request.barred or state.barred,
        context=task.context,
        recall=task.recall,
        dense=task.dense if ask.request.ceiling <= task.ceiling else math.inf,
    )
    language = setup.guideline.language
    text = whole = cleaned(ask.request.text, task, language)
    if ask.condensation is not None:
        whole = cleaned(task.sentence.spoken, task, language)
    return _Search(ask, text, whole, as_read(request, text))


def _with_channel(
    nbest: Sequence[Sequence[Hypothesis]], searches: Sequence[_Search], setup: Setup
) -> list[list[Hypothesis]]:
    """Hypotheses with how well they give all of their source back, where a model tells.

    Those that are far less probable than their best cannot win by it: they are not read, and count
    as the worst that was.
    """
    settings = setup.settings
    margins = (settings.channel_margin, settings.shorter_channel_margin)
    read = [
        _near_best(own, margins[search.limited])
        for own, search in zip(nbest, searches, strict=True)
    ]
    known = setup.translator.channel_of([search.whole.text for search in searches], read)
    if known is None:
        return [list(hypotheses) for hypotheses in nbest]
    means = (dict(zip(near, told, strict=True)) for near, told in zip(read, known, strict=True))
    return list(map(_with_means, nbest, means))


def _near_best(hypotheses: Sequence[Hypothesis], margin: float) -> list[Hypothesis]:
    """Those whose score is within a margin of the best."""
    best = max((one.score for one in hypotheses), default=0.0)
    return [one for one in hypotheses if one.score >= best - margin]


def _with_means(
    hypotheses: Sequence[Hypothesis], known: Mapping[Hypothesis, float]
) -> list[Hypothesis]:
    """Hypotheses with what a channel model tells of some; others with the least of it."""
    least = min(known.values(), default=0.0)
    return [replace(one, channel=known.get(one, least)) for one in hypotheses]


def _candidate(hypothesis: Hypothesis, search: _Search, state: State, setup: Setup) -> Candidate:
    """A hypothesis as it is to stand in its cues, and what it lacks."""
    task, ask = state.task, search.ask
    hypothesis = restored(hypothesis, search.text, task)
    hypothesis = typeset_for(hypothesis, task, state.style, setup.guideline)
    omitted = omitted_of(task.sentence, ask.condensation)
    missing = task.missing(hypothesis.text, omitted)
    numbers = sum(term.spelt for term in missing)
    return Candidate(
        hypothesis,
        ask.request.asked,
        missing_terms=len(missing) - numbers,
        condensation=ask.condensation,
        omitted=omitted,
        reworded=setup.translator.usage is not None,
        missing_numbers=numbers,
    )
