"""Keeping a sentence to the form of address that was asked for, in the search.

For any model whose search can bar words, whether it was trained for forms of address or not: where
the natural translation has another form, it is searched for without that form's words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import Request, TermConstraint
from subfit.fitting.scoring import score
from subfit.fitting.settings import Weights
from subfit.fitting.state import Ask, Candidate, Fitted, Setup, State
from subfit.fitting.task import Task
from subfit.text.formality import Formality, formality_of
from subfit.text.formality_steering import barred_words, needs_word, wanted_words

MOST = 1.0
"""Nats a token that the asked form may cost; a translation that is less likely than that is
mostly none."""
_WORD = re.compile(r"[^\W\d_]+")


def is_addressed(state: State, setup: Setup) -> bool:
    """Whether a form of address was asked for that the search can see to."""
    return state.task.formality is not None and setup.translator.bars_words


def address_requests(state: State, setup: Setup) -> list[Ask]:
    """Ask for the natural length without the words of the form of address that is not wanted.

    Nothing is asked where the natural translation is good enough, or where none that was found has
    another form.
    """
    task, language, form = state.task, setup.translator.language, state.task.formality
    forms = [has_form(one, task, language) for one in state.candidates]
    if form is None or not forms or _is_good(forms, _needs_word(task, language)):
        return []
    return [Ask(_without_other_form(form, state, language))]


def you_requests(state: State, setup: Setup) -> list[Ask]:
    """Ask for the same with a word of the wanted form, where no likely translation has the form.

    Only where the source has a word for "you", which Spanish and Italian can do without.
    """
    task, language, form = state.task, setup.translator.language, state.task.formality
    forms = [has_form(one, task, language) for one in state.candidates]
    if form is None or False not in forms or not _needs_word(task, language):
        return []
    likely = _likely(state, setup.settings.weights)
    if any(has_form(one, task, language) for one in likely):
        return []
    request = _without_other_form(form, state, language)
    you = TermConstraint("you", wanted_words(form, language), language)
    return [Ask(replace(request, terms=(*request.terms, you)))]


def take_form(state: State, setup: Setup) -> State:
    """Keep to natural translations of the asked form where the best has another, and so later.

    Where none has it, or the source speaks to nobody by a word, those are kept that address nobody,
    if there are such. What is far less likely than the best does not count.
    """
    task, language = state.task, setup.translator.language
    form = task.formality
    if form is None or state.natural is None:
        return state
    barred = _barred_for(form, state, language)
    state = _form_first(state, language, setup.settings.weights)
    if state.natural is None or not has_form(state.natural, task, language):
        return state
    return replace(state, barred=barred)


def has_form(candidate: Candidate, task: Task, language: str) -> bool | None:
    """Tell whether a translation has the form of address that was asked for.

    Returns:
        None where it addresses nobody, so far as is known; False where it mixes forms.
    """
    text, source, form = candidate.hypothesis.text, task.sentence.spoken, task.formality
    if form is None:
        return None
    spoken = task.sentence.language
    form_found, words = formality_of(text, language, source, spoken), set(_WORD.findall(text))
    other = not words.isdisjoint(barred_words(form, language, source, spoken))
    if form_found is None:
        return False if other and not words.isdisjoint(wanted_words(form, language)) else None
    return form_found == form and not other


def unmet_in(fitted: Sequence[Fitted], language: str) -> int:
    """Return how many sentences do not have the form of address that was asked for."""
    return sum(has_form(one.candidate, one.task, language) is False for one in fitted)


def _without_other_form(form: Formality, state: State, language: str) -> Request:
    """The request of the natural length, but without the words of the other form."""
    barred = _barred_for(form, state, language)
    return replace(state.natural_request, barred=barred, terms=state.task.wanted)


def _barred_for(form: Formality, state: State, language: str) -> tuple[str, ...]:
    """The words of the other form; more of them where a translation shows that somebody is told."""
    sentence = state.task.sentence
    addressed = any(has_form(one, state.task, language) is False for one in state.candidates)
    spoken = sentence.spoken, sentence.language
    return barred_words(form, language, *spoken, addressed=addressed)


def _needs_word(task: Task, language: str) -> bool:
    sentence, form = task.sentence, task.formality
    return form is not None and needs_word(form, language, sentence.spoken, sentence.language)


def _is_good(forms: Sequence[bool | None], needs_word: bool) -> bool:
    """Whether the first of several translations may stay first: no other is of a better form."""
    return bool(forms[0]) or False not in forms or (forms[0] is None and not needs_word)


def _likely(state: State, weights: Weights) -> list[Candidate]:
    """The candidates that are not far less likely than the best."""
    least = score(state.candidates[0], weights) - MOST
    return [one for one in state.candidates if score(one, weights) >= least]


def _form_first(state: State, language: str, weights: Weights) -> State:
    best = state.candidates[0]
    if best.recalled:
        return state
    likely = _likely(state, weights)
    forms = [has_form(one, state.task, language) for one in likely]
    needed = _needs_word(state.task, language)
    if _is_good(forms, needed):
        kept = [one for one, form in zip(likely, forms, strict=True) if form is not False]
    else:
        good = {True} if needed and True in forms else {True, None} & {*forms} or {False}
        kept = [one for one, form in zip(likely, forms, strict=True) if form in good]
        kept.sort(key=lambda one: (one.missing_terms, -score(one, weights)))
    return replace(state, candidates=tuple(kept))
