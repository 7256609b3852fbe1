"""What each pass of fitting asks for one sentence: at most eight searches in all.

1. `natural_asks`: the natural length and, where that is expected to be over the budget, the budget
   and a little less under it as a hard ceiling, in the same batch.
2. `shorter_asks`: the budget, or less of it; and once more with the placeables that are lacking.
3. `condensed_asks`: shorter sources (`subfit.fitting.condensing`), under the ceiling.
4. `wide_asks`: the budget with more beams, where the natural length is little over it.

Models that are prompted are asked for the natural length and then for the budget alone: each search
of theirs is dear, and they say things otherwise to be brief.

Form of address and glossary terms are conditions of every request. What cannot still win is not
asked for: unless budgets are strict nothing is that is far shorter than the natural translation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from subfit.decoding.hypotheses import FREE, Request
from subfit.fitting.condensing import Condensation, condensations
from subfit.fitting.task import Task
from subfit.fitting.translation import Ask, Setup, State

LONGER = (1.0, 1.1)
"""Multiples of the floor that are asked for where there is no ceiling."""
SHARES = (1.0, 0.85, 0.7)
"""Shares of the budget, or of a shorter natural length, that alternatives keep to."""


def natural_asks(tasks: Sequence[Task], setup: Setup) -> list[list[Ask]]:
    """Ask for the natural length and, where it is expected to be too long, the budget as well.

    Models that cannot do without a length are asked for the one that is expected.
    """
    translator, able = setup.translator, setup.able
    texts = [task.sentence.spoken for task in tasks]
    limited = not able.freely or any(math.isfinite(task.ceiling) for task in tasks)
    if able.predicts and limited:
        expected = [float(length) for length in translator.predict_lengths(texts)]
    else:
        expected = [len(text) * translator.mean_length_ratio for text in texts]
    asks: list[list[Ask]] = []
    for task, text, length in zip(tasks, texts, expected, strict=True):
        asked = FREE
        if not able.freely:
            most = min(length, task.ceiling) if able.predicts else length
            asked = max(1, math.floor(most))
        own = [Ask(Request(text, asked=asked), natural=True)]
        if (
            able.lengths
            and not able.prompted
            and setup.settings.hopeless * length <= task.ceiling < length
        ):
            own += _under(task, text, setup.settings.first)
        asks.append(own)
    return asks


def shorter_asks(state: State, setup: Setup) -> list[Ask]:
    """Ask for as much as the budget allows, or less and less of it where that was asked for.

    Where the natural translation is too short, lengths between floor and ceiling are asked for; of
    numbers and addresses that it lacks, a search has them as terms.
    """
    task, natural, settings = state.task, state.natural, setup.settings
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
    if _is_hopeless(ceiling, state, setup):
        return asks
    if not takes:
        return asks + _capped(task)
    asked = any(one.shortened for one in state.found)
    if asked and _is_hopeless(ceiling, state, setup, settings.nearly):
        return asks
    less = settings.second if asked else (*settings.first, settings.second[0])
    less = settings.first[:1] if setup.able.prompted else less
    return asks + [
        ask for ask in _under(task, text, less) if not _is_hopeless(ask.request.asked, state, setup)
    ]


def condensed_asks(state: State, setup: Setup) -> list[Ask]:
    """Ask for condensed sources in place of all of it.

    One that should fit is translated at its natural length; of one that may be a little too long
    the budget is asked for.
    """
    task, natural, able = state.task, state.natural, setup.able
    ceiling, most = task.ceiling, setup.settings.condensations
    if (
        able.prompted
        or natural is None
        or not natural.characters
        or not most
        or not 1 <= ceiling < math.inf
    ):
        return []
    if natural.characters <= ceiling:
        return []
    spoken = task.sentence.spoken
    kept = [term.source for term in task.terms if not term.may_be_spared]
    per_character = natural.characters / len(spoken)

    def ask(condensation: Condensation) -> Ask:
        expected = per_character * len(condensation.text)
        free = expected <= ceiling and able.freely
        asked = FREE
        if able.lengths and not free:
            asked = max(1, math.floor(min(expected, ceiling)))
        return Ask(Request(task.with_digits(condensation.text), ceiling, asked), condensation)

    share, language = ceiling / natural.characters, task.sentence.language
    return [ask(one) for one in condensations(spoken, share, language, kept=kept, most=most)]


def wide_asks(state: State, setup: Setup) -> list[Ask]:
    """Ask for the budget once more, with more beams."""
    beams, task = setup.settings.wide_beams, state.task
    able = setup.able
    narrow = beams <= setup.translator.beams or not able.lengths or able.prompted
    if narrow or not 1 <= task.ceiling < math.inf:
        return []
    if _is_hopeless(task.ceiling, state, setup, setup.settings.nearly):
        return []
    text = task.with_digits(task.sentence.spoken)
    return [Ask(Request(text, task.ceiling, math.floor(task.ceiling), beams=beams))]


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


def _is_hopeless(length: float, state: State, setup: Setup, share: float = 0.0) -> bool:
    """Whether a translation of so many characters cannot say what the natural one does."""
    natural = state.natural
    if setup.strict or natural is None or setup.able.prompted:  # these say it otherwise
        return False
    return length < (share or setup.settings.hopeless) * natural.characters
