"""What is asked of the translator for one sentence, in each pass of `subfit.fitting.pipeline`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from subfit.condensing import Condensation, condensations
from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings
from subfit.fitting.state import Ask, Setup, State
from subfit.fitting.task import Task

WIDER = 2
"""How many times as many beams natural translations are searched with for the sake of their words,
at most: few where few were asked for, which is to be fast."""
LONGER = (1.0, 1.1)
"""Multiples of the floor that are asked for where there is no ceiling."""
ROOM = (1.12, 1.25)
"""Multiples of the budget that whole sentences are searched under, between it and no ceiling."""
SHARES = (1.0, 0.85, 0.7)
"""Shares of the budget, or of a shorter natural length, that alternatives keep to."""

FEW = 2
"""Condensations that a server is asked to translate, whose model was told to be brief already."""


def natural_requests(tasks: Sequence[Task], translator: AnyTranslator) -> list[Request]:
    """Ask for the natural length of each sentence, without a ceiling.

    Models that need not be asked for a length are asked for none. Others are asked for what is
    predicted, or for the budget if that is less; or, where nothing predicts, for the source's
    length times the mean ratio of their training pairs.
    """
    texts = [task.sentence.spoken for task in tasks]
    if translator.can_translate_freely:
        return [Request(text) for text in texts]
    if translator.can_predict_lengths:
        lengths = translator.predict_lengths(texts)
        least = [min(length, task.ceiling) for length, task in zip(lengths, tasks, strict=True)]
    else:
        least = [round(len(text) * translator.mean_length_ratio) for text in texts]
    return [
        Request(text, asked=max(1, math.floor(length)))
        for text, length in zip(texts, least, strict=True)
    ]


def term_requests(state: State, setup: Setup) -> list[Ask]:
    """Ask for the natural length with the terms and placeables that its best lacks.

    Of numbers in words that it lacks, the source has the digits then.
    """
    if state.natural is None:
        return []
    best = state.natural.hypothesis.text
    text, terms = state.task.spoken_instead(best), state.task.wanted_instead(best)
    if text == state.natural_request.text and not (state.natural.missing_terms and terms):
        return []
    return [Ask(replace(state.natural_request, text=text, terms=terms))]


def shorter_requests(state: State, setup: Setup, number: int) -> list[Ask]:
    """Ask for what the budget allows, in one of several rounds; see `fitting_rounds`."""
    natural = None if state.natural is None else state.natural.hypothesis
    asks = setup.translator.takes_lengths
    rounds = fitting_rounds(state.task, natural, setup.settings, asks=asks)
    if number >= len(rounds):
        return []
    return [
        Ask(request)
        for request in rounds[number]
        if not number or request.asked == FREE or _is_promising(request.asked, state, setup)
    ]


def _is_promising(length: float, state: State, setup: Setup) -> bool:
    """Whether a translation of so many characters may say all that the natural one does."""
    natural = state.natural
    if setup.strict or natural is None:
        return True
    return length >= setup.settings.hopeless * natural.hypothesis.characters


def fitting_rounds(
    task: Task,
    natural: Hypothesis | None,
    settings: FittingSettings = DEFAULT_SETTINGS,
    *,
    asks: bool = True,
) -> list[list[Request]]:
    """Return what to ask for, round by round, when the natural translation does not fit.

    Less and less of the budget is asked for, under it as a hard ceiling: that gives the decoder
    room to end well and to break into lines. Where the natural translation is too short, lengths
    between floor and ceiling are.

    Args:
        task: The sentence.
        natural: Its translation without a ceiling, if the search found one.
        settings: Say which shares of the budget.
        asks: Whether the model can be asked for a length; otherwise it only gets the ceiling.
    """
    text, ceiling, wanted = task.sentence.spoken, task.ceiling, task.wanted
    too_short = natural is not None and not task.reaches(natural)
    if math.isinf(ceiling):
        if not (too_short and asks):
            return []
        lengths = [math.ceil(share * task.least) for share in LONGER]
        return [[Request(text, asked=length, terms=wanted) for length in lengths]]
    if ceiling < 1:
        return []
    text = task.with_digits(text)
    if not asks:
        return [[Request(text, ceiling, FREE, terms=wanted)]]
    rounds = [[share * ceiling for share in shares] for shares in settings.rounds]
    if too_short:
        least = min(task.least, ceiling)
        rounds = [[(least + ceiling) / 2, ceiling, least]]
    asked = [dict.fromkeys(max(1, math.floor(length)) for length in lengths) for lengths in rounds]
    return [
        [Request(text, ceiling, length, terms=wanted) for length in lengths] for lengths in asked
    ]


def condensed_requests(state: State, setup: Setup) -> list[Ask]:
    """Ask for condensations of the source in place of all of it; see `condensed_asks`."""
    if state.natural is None or not _is_promising(state.task.ceiling, state, setup):
        return []
    translator, most = setup.translator, setup.settings.condensations
    if translator.usage is not None:  # every question is sent, and perhaps paid for
        most = min(most, FEW)
    asks = condensed_asks(
        state.task,
        state.natural.hypothesis,
        translator.source_language,
        most,
        asks=translator.takes_lengths,
        freely=translator.can_translate_freely,
    )
    return [ask for ask in asks if translator.accepts(ask.request.text)]


def condensed_asks(
    task: Task,
    natural: Hypothesis,
    language: str,
    most: int,
    *,
    asks: bool = True,
    freely: bool = True,
) -> list[Ask]:
    """Return what to translate in place of a sentence that cannot be said whole in its budget.

    A condensation that should fit is translated at its natural length; of one that may be a little
    too long the budget is asked for.

    Args:
        task: The sentence.
        natural: Its translation without a ceiling.
        language: Of the source.
        most: How many condensations.
        asks: Whether the model can be asked for a length; otherwise it only gets the ceiling.
        freely: Whether it may be asked for none; otherwise it is asked for what is expected.

    Returns:
        The searches, those that lose least first; none without a budget, or if nothing can be
        spared.
    """
    ceiling = task.ceiling
    if not most or ceiling < 1 or math.isinf(ceiling) or not natural.characters:
        return []
    spoken = task.sentence.spoken
    kept = [term.source for term in task.terms if not term.may_be_spared]
    share = ceiling / natural.characters
    per_character = natural.characters / len(spoken)

    def ask(condensation: Condensation) -> Ask:
        expected = per_character * len(condensation.text)
        free = not asks or (freely and expected <= ceiling)
        asked = FREE if free else max(1, math.floor(min(expected, ceiling)))
        text = task.with_digits(condensation.text)
        return Ask(Request(text, ceiling, asked, terms=task.wanted), condensation)

    return [
        ask(condensation)
        for condensation in condensations(spoken, share, language, kept=kept, most=most)
    ]


def wide_requests(state: State, setup: Setup) -> list[Ask]:
    """Ask for the budget once more, with more beams."""
    translator, beams, task = setup.translator, setup.settings.wide_beams, state.task
    narrow = beams <= translator.beams or not translator.takes_lengths
    if narrow or task.ceiling < 1 or math.isinf(task.ceiling):
        return []
    if not _is_promising(task.ceiling, state, setup):
        return []
    text, asked = task.with_digits(task.sentence.spoken), math.floor(task.ceiling)
    return [Ask(Request(text, task.ceiling, asked, terms=task.wanted, beams=beams))]


def lost_term_requests(state: State, setup: Setup) -> list[Ask]:
    """Ask once more for what lost numbers and placeables by being shortened."""
    if state.chosen is None or state.fits_naturally:
        return []
    task, chosen = state.task, state.chosen.candidate
    text = task.spoken_instead(chosen.hypothesis.text)
    terms = task.wanted_instead(chosen.hypothesis.text)
    if terms == task.wanted and text == task.sentence.spoken:
        return []
    return [Ask(Request(text, task.ceiling, chosen.asked, terms=terms))]


def roomy_requests(state: State, setup: Setup) -> list[Ask]:
    """Ask for a little more than the budget, where most of a sentence may find room.

    What has room for all of the natural translation finds nothing that is worth less room.
    """
    task, natural = state.task, state.natural
    if math.isinf(task.ceiling) or not setup.translator.takes_lengths:
        return []
    most = math.inf if natural is None else natural.hypothesis.characters
    lengths = [math.floor(room * task.ceiling) for room in ROOM]
    return [
        Ask(Request(task.sentence.spoken, length, length, terms=task.wanted))
        for length in dict.fromkeys(lengths)
        if task.ceiling < length < most and _is_promising(length, state, setup)
    ]


def alternative_requests(state: State, setup: Setup) -> list[Ask]:
    """Ask for translations of every length that alternatives may have; see `lengths_to_have`."""
    if state.natural is None:
        return []
    asks = setup.translator.takes_lengths
    known = [candidate.asked for candidate in state.candidates]
    task, natural = state.task, state.natural.hypothesis
    return [
        Ask(request) for request in requests_of_all_lengths(task, natural, asks=asks, known=known)
    ]


def requests_of_all_lengths(
    task: Task, natural: Hypothesis, *, asks: bool = True, known: Sequence[int] = ()
) -> list[Request]:
    """Return what to ask for, to have translations of every length of `SHARES`.

    Args:
        task: The sentence.
        natural: Its translation without a ceiling.
        asks: Whether the model can be asked for a length; otherwise it only gets ceilings.
        known: Lengths that have been asked for already.

    Returns:
        The longest first; none shorter than the sentence's floor.
    """
    base = min(task.ceiling, natural.characters)
    requests: dict[int, Request] = {}
    for share in SHARES:
        length = math.floor(share * base)
        ceiling = task.ceiling if share == 1 else float(length)
        new = length not in known if asks else math.isfinite(ceiling)
        if new and length >= max(1.0, task.floor):
            asked = length if asks else FREE
            request = Request(task.sentence.spoken, ceiling, asked, terms=task.wanted)
            requests.setdefault(length, request)
    return list(requests.values())
