"""Searching for many sentences at once: what is asked for, and the evidence it is compared by.

Both passes together ask for at most five searches for one sentence.

1. `natural_asks`: the natural length. Of sentences whose predicted length was over their budgets
   four in ten had a natural translation that fits: the budget is not asked for before that is seen.
2. `budget_asks`: the budget and a little less under it as a hard ceiling; and once more with the
   placeables that are lacking.

Models that are prompted are asked for the natural length and then for the budget alone: each search
of theirs is dear, and they say things otherwise to be brief.

Form of address and glossary terms are conditions of every request. What cannot still win is not
asked for: unless budgets are strict nothing is that is far shorter than the natural translation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import FREE, Hypothesis, Request, TermConstraint
from subfit.fitting.cue_splits import place
from subfit.fitting.task import Ask, Setup, State, Task, Translation, score
from subfit.terms.checked import mended
from subfit.terms.restore import Cleaned, clean, restore
from subfit.text.casing import capitals
from subfit.text.counting import count_characters
from subfit.text.typography import Style, complete, typeset

FIRST = (1.0, 0.94)
"""Shares of the budget that are asked for where no natural translation fits."""
STRICT = (1.0, 0.94, 0.85)
"""Those where budgets are strict; otherwise what the last one finds hardly ever says all."""
HOPELESS = 0.7
"""Unless budgets are strict, nothing is asked for under a budget of less than this share of the
natural translation: of 23 such ones of 755 none got a translation that says all."""
LONGER = (1.0, 1.1)
"""Multiples of the floor that are asked for where there is no ceiling."""
SHARES = (1.0, 0.85, 0.7)
"""Shares of the budget, or of a shorter natural length, that alternatives keep to."""


def natural_asks(tasks: Sequence[Task], setup: Setup) -> list[Ask]:
    """Ask for the natural length; models that cannot do without one for that which is expected."""
    texts = [task.sentence.spoken for task in tasks]
    asked = [FREE] * len(tasks)
    if not setup.able.freely:
        most = zip(setup.translator.predict_lengths(texts), tasks, strict=True)
        asked = [max(1, math.floor(min(length, task.ceiling))) for length, task in most]
    return [
        Ask(Request(text, asked=length), natural=True)
        for text, length in zip(texts, asked, strict=True)
    ]


def budget_asks(state: State, setup: Setup) -> list[Ask]:
    """Ask for as much as the budget allows, and a little less of it.

    Where the natural translation is too short, lengths between floor and ceiling are asked for; of
    numbers and addresses that it lacks, a search has them as terms.
    """
    task, natural = state.task, state.natural
    text, ceiling, takes = task.sentence.spoken, task.ceiling, setup.able.lengths
    asks: list[Ask] = []
    if natural is not None and (natural.missing_terms or natural.missing_numbers):
        lacking = Request(
            task.with_digits(text, natural.text), terms=task.wanted_instead(natural.text)
        )
        if lacking != Request(text, terms=task.wanted):
            asks.append(Ask(lacking, natural=True))
    if state.chosen is not None:
        return asks
    if natural is not None and not task.reaches(natural.text):
        if math.isinf(ceiling):
            lengths = [math.ceil(share * task.least) for share in LONGER]
            return asks + [Ask(Request(text, asked=one)) for one in lengths if takes]
        least = min(task.least, ceiling)
        shares = [one / ceiling for one in ((least + ceiling) / 2, ceiling, least) if ceiling]
        return asks + (_under(task, text, shares) if takes else _capped(task))
    if _is_hopeless(state, setup):
        return asks
    if not takes:
        return asks + _capped(task)
    asked = STRICT if setup.strict else FIRST
    return asks + _under(task, text, asked[:1] if setup.able.prompted else asked)


def alternative_asks(state: State, setup: Setup) -> list[Ask]:
    """Ask for translations of every length of `SHARES` that was not asked for yet."""
    task, takes = state.task, setup.able.lengths
    if state.natural is None:
        return []
    base = min(task.ceiling, state.natural.characters)
    known = {one.asked for one in state.found}
    asks: dict[int, Ask] = {}
    for share in SHARES:
        length = math.floor(share * base)
        ceiling = task.ceiling if share == 1 else float(length)
        new = length not in known if takes else math.isfinite(ceiling)
        if new and length >= max(1.0, task.floor):
            request = Request(task.sentence.spoken, ceiling, length if takes else FREE)
            asks.setdefault(length, Ask(request))
    return list(asks.values())


def _under(task: Task, text: str, shares: Sequence[float]) -> list[Ask]:
    """Shares of the budget, asked for under all of it as a hard ceiling."""
    ceiling, text = task.ceiling, task.with_digits(text)
    if not 1 <= ceiling < math.inf:
        return []
    lengths = dict.fromkeys(max(1, math.floor(share * ceiling)) for share in shares)
    return [Ask(Request(text, ceiling, length)) for length in lengths]


def _capped(task: Task) -> list[Ask]:
    """The ceiling alone, of models that cannot be asked for a length."""
    if not 1 <= task.ceiling < math.inf:
        return []
    return [Ask(Request(task.with_digits(task.sentence.spoken), task.ceiling))]


def _is_hopeless(state: State, setup: Setup) -> bool:
    """Whether the budget is so much less than the natural translation that nothing within it says
    as much; never where budgets are strict."""
    natural = state.natural
    if setup.strict or natural is None or setup.able.prompted:  # these say it otherwise
        return False
    return state.task.ceiling < HOPELESS * natural.characters


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
        setup: Translator and guideline.
        on_done: Called with the number of sentences that got done since it was last called.

    Returns:
        The sentences with more translations, the natural ones first and of these the best first.
        What is found for one does not depend on the others.
    """
    every = [(n, ask) for n, own in enumerate(asks) for ask in own]
    if not every:
        return list(states)
    texts = [as_read(ask.request.text, states[n].task, setup) for n, ask in every]
    requests = [
        _request(ask, text, states[n].task) for (n, ask), text in zip(every, texts, strict=True)
    ]
    nbest = setup.translator.translate(requests, on_done)
    found: list[list[Translation]] = [list(state.found) for state in states]
    for (n, ask), text, hypotheses in zip(every, texts, nbest, strict=True):
        made = (_translation(one, ask, text, states[n], setup) for one in hypotheses)
        wordless = not any(map(str.isalnum, ask.request.text))
        found[n] += (one for one in made if wordless or any(map(str.isalnum, one.text)))
    return [
        replace(state, found=_naturals_first(own)) if asked else state
        for state, own, asked in zip(states, found, asks, strict=True)
    ]


def compare(
    states: Sequence[State],
    setup: Setup,
    wanted: Callable[[State, Setup], Sequence[Translation]] = lambda state, _: state.found,
) -> list[State]:
    """Make the scores of translations comparable that were found at different lengths.

    They are rated as if no length had been asked for.

    Args:
        states: Sentences.
        setup: Translator and guideline.
        wanted: Which translations of a sentence are compared; by default all.
    """
    places: dict[int, list[int]] = {}
    for n, state in enumerate(states):
        compared = set(map(id, wanted(state, setup)))
        for at, one in enumerate(state.found):
            if not one.rated and id(one) in compared:
                places.setdefault(n, []).append(at)
    if not places:
        return list(states)
    tasks = [states[n].task for n in places]
    rated = setup.translator.rate(
        [as_read(task.sentence.spoken, task, setup).text for task in tasks],
        [[states[n].found[at].hypothesis for at in own] for n, own in places.items()],
        [task.formality for task in tasks],
    )
    found = [list(state.found) for state in states]
    for (n, own), hypotheses in zip(places.items(), rated, strict=True):
        for at, hypothesis in zip(own, hypotheses, strict=True):
            found[n][at] = replace(found[n][at], hypothesis=hypothesis, rated=True)
    pairs = zip(states, found, strict=True)
    return [replace(state, found=tuple(own)) for state, own in pairs]


def as_read(text: str, task: Task, setup: Setup) -> Cleaned:
    """Return a source, or what is left of it, as the model is to read it."""
    return clean(text, task.sentence.language, setup.language)


def typeset_for(hypothesis: Hypothesis, task: Task, style: Style, setup: Setup) -> Hypothesis:
    """Return a translation set as its language and its source ask for.

    It is in capitals if its source is, as its language has them; ß becomes SS and counts twice.
    Marks that it lacks are added if it fits with them.
    """
    language, guideline = setup.language, setup.guideline
    text = typeset(hypothesis.text, language, style)
    whole = complete(text, language, style)
    if task.sentence.shouted:
        text, whole = (capitals(one, language) for one in (text, whole))
    if whole != text and place(whole, task, guideline, setup.words) is not None:
        text = whole
    return _with_text(hypothesis, text, task)


def with_more_time(state: State, setup: Setup) -> State:
    """Return a sentence in the most time that its cues may take, typeset for that."""
    task = state.task.with_more_time()
    found = (
        one
        if one.recalled
        else replace(one, hypothesis=typeset_for(one.hypothesis, task, state.style, setup))
        for one in state.found
    )
    return replace(state, task=task, found=tuple(found))


def _with_text(hypothesis: Hypothesis, text: str, task: Task) -> Hypothesis:
    if text == hypothesis.text:
        return hypothesis
    return replace(hypothesis, text=text, characters=count_characters(text, task.counting))


def _request(ask: Ask, text: Cleaned, task: Task) -> Request:
    """A request with all that any translation of the sentence must have.

    The ceiling and the length that is asked for are those of what the model writes: putting back
    what it does not read makes that longer or shorter.
    """
    request = replace(
        ask.request,
        terms=ask.request.terms or task.wanted,
        formality=task.formality,
        setting=task.setting,
        recall=task.recall,
        dense=task.dense if ask.request.ceiling <= task.ceiling else math.inf,
    )
    if not text.changed:
        return request
    growth = text.growth
    return replace(
        request,
        text=text.text,
        ceiling=max(1.0, request.ceiling - growth),
        dense=max(1.0, request.dense - growth),
        asked=request.asked if request.asked == FREE else max(1, request.asked - growth),
        terms=tuple(_as_read(term, text) for term in request.terms),
    )


def _as_read(term: TermConstraint, text: Cleaned) -> TermConstraint:
    """A constraint on what the model makes of a stand-in in place of what is put back for it."""
    for _, span in text.spans:
        if span.read and span.source == term.source:
            return TermConstraint(span.read, (span.usual,), term.language)
    return term


def _translation(
    hypothesis: Hypothesis, ask: Ask, text: Cleaned, state: State, setup: Setup
) -> Translation:
    """A hypothesis as it is to stand in its cues, and what it lacks."""
    task = state.task
    sentence, whole = task.sentence, hypothesis.text
    if text.changed:
        whole = restore(text, whole, setup.words)
    whole = mended(whole, sentence.text, setup.language, sentence.language)
    hypothesis = _with_text(hypothesis, whole, task)
    hypothesis = typeset_for(hypothesis, task, state.style, setup)
    missing = task.missing(hypothesis.text)
    numbers = sum(term.spelt for term in missing)
    return Translation(
        hypothesis,
        natural=ask.natural,
        asked=ask.request.asked,
        missing_terms=len(missing) - numbers,
        missing_numbers=numbers,
        prompted=setup.able.prompted,
    )


def _naturals_first(found: Sequence[Translation]) -> tuple[Translation, ...]:
    """The natural translations, what a memory has and then the best first; the others behind."""
    naturals = sorted(
        (one for one in found if one.natural),
        key=lambda one: (not one.recalled, one.missing_terms, -score(one)),
    )
    return (*naturals, *(one for one in found if not one.natural))
