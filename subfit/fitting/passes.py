"""The passes that sentences go through, in their order: whom each is for, what it asks and takes.

`subfit.fitting.pipeline` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from subfit.fitting import requests
from subfit.fitting.candidates import rate, search, typeset_for
from subfit.fitting.choice import best_of, best_that_fits, choose, whole_instead
from subfit.fitting.losses import Loss, loses_any, losses_in
from subfit.fitting.recalled import with_recalled
from subfit.fitting.scoring import score
from subfit.fitting.settings import FittingSettings
from subfit.fitting.state import Ask, Candidate, Fitted, Setup, State
from subfit.fitting.steering import address_requests, is_addressed, take_form, you_requests
from subfit.fitting.task import Task
from subfit.text.typography import Style

CUT = frozenset({Loss.END})
"""For these, less is asked for although something fits, and the budget with more beams."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One search for all sentences that need it, and what is taken of all that was found."""

    needed: Callable[[State, Setup], bool]
    """Whether it is for a sentence."""
    asks: Callable[[State, Setup], Sequence[Ask]]
    """What to search for that sentence."""
    taking: Callable[[State, Setup], State]
    """Chooses anew, with what was found."""
    rates: bool = False
    """Whether natural translations are rated as others are, to be chosen among."""


def passes(settings: FittingSettings) -> tuple[Pass, ...]:
    """Return the passes behind the natural one, in their order.

    Args:
        settings: Say how many rounds there are.
    """
    shorter = [partial(requests.shorter_requests, number=n) for n in range(len(settings.rounds))]
    return (
        Pass(_is_ranked_by_channel, _nothing, _best_first),
        Pass(_where(requests.term_requests), requests.term_requests, _most_terms_first),
        Pass(is_addressed, address_requests, _as_they_are),
        Pass(is_addressed, you_requests, _as_they_are),
        Pass(is_addressed, _nothing, take_form),
        Pass(_always, _nothing, _take_natural),
        Pass(_is_over_or_shorter, _nothing, _take_sure_natural, rates=True),
        *(Pass(_unless_fitted(_whole_with_terms), asks, _take_best) for asks in shorter),
        Pass(_unless_fitted(_lossless), requests.condensed_requests, _take_best),
        Pass(_unless_fitted(_whole), requests.wide_requests, _take_best),
        Pass(_where(requests.lost_term_requests), requests.lost_term_requests, _take_best),
    )


def fit(
    tasks: Sequence[Task],
    styles: Sequence[Style],
    setup: Setup,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[State]:
    """Take sentences through all passes.

    Args:
        tasks: Sentences that the model takes.
        styles: Of the track of each.
        setup: Translator, guideline and settings.
        on_progress: Called with the sentences done and all that there are.
    """
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        if on_progress:
            on_progress(done, len(tasks))

    natural = requests.natural_requests(tasks, setup.translator)
    states = [State(*own) for own in zip(tasks, styles, natural, strict=True)]
    states = with_recalled(states, setup)
    places = [n for n, state in enumerate(states) if not state.fits_naturally]
    advance(len(states) - len(places))
    needed = [states[n] for n in places]
    needed = search(needed, [[Ask(state.natural_request)] for state in needed], setup, advance)
    for step in passes(setup.settings):
        needed = run_pass(step, needed, setup)
    done_by_search = dict(zip(places, needed, strict=True))
    return [done_by_search.get(n, state) for n, state in enumerate(states)]


def run_pass(step: Pass, states: Sequence[State], setup: Setup) -> list[State]:
    """Return the sentences with what one pass finds and takes; others stay as they are."""
    places = [n for n, state in enumerate(states) if step.needed(state, setup)]
    needed = [states[n] for n in places]
    needed = search(needed, [step.asks(state, setup) for state in needed], setup)
    if step.rates:
        needed = rate(needed, setup)
    taken = dict(zip(places, (step.taking(state, setup) for state in needed), strict=True))
    return [taken.get(n, state) for n, state in enumerate(states)]


def _nothing(_: State, __: Setup) -> list[Ask]:
    return []


def _always(_: State, __: Setup) -> bool:
    return True


def _is_ranked_by_channel(_: State, setup: Setup) -> bool:
    return setup.translator.channel_model is not None


def _where(asks: Callable[[State, Setup], Sequence[Ask]]) -> Callable[[State, Setup], bool]:
    """Whether there is anything to ask for."""
    return lambda state, setup: bool(asks(state, setup))


def _unless_fitted(well: Callable[[Fitted, Setup], bool]) -> Callable[[State, Setup], bool]:
    """Whether a shortened sentence has no translation that fits, or none that fits well."""

    def needed(state: State, setup: Setup) -> bool:
        if state.fits_naturally or state.chosen is None:
            return not state.fits_naturally
        return not well(state.chosen, setup)

    return needed


def _losses(fitted: Fitted, setup: Setup) -> frozenset[Loss]:
    return losses_in(fitted, setup.guideline.language, setup.settings)


def _lossy(fitted: Fitted, setup: Setup) -> bool:
    compared = fitted.task, fitted.candidate, fitted.natural
    return loses_any(*compared, setup.guideline.language, setup.settings)


def _lossless(fitted: Fitted, setup: Setup) -> bool:
    """Whether a translation loses nothing of the natural one, nor a number that this lost too."""
    return not _lossy(fitted, setup) and not fitted.candidate.missing_numbers


def _whole(fitted: Fitted, setup: Setup) -> bool:
    """Whether a translation is not cut off."""
    return not CUT & _losses(fitted, setup)


def _whole_with_terms(fitted: Fitted, setup: Setup) -> bool:
    missing = fitted.task.missing(fitted.candidate.hypothesis.text, fitted.candidate.omitted)
    return _whole(fitted, setup) and all(term.placeable for term in missing)


def _is_over_or_shorter(state: State, _: Setup) -> bool:
    """Whether a sentence does not fit as it is, or a shorter translation than its best is taken."""
    if state.chosen is None:
        return True
    chosen, natural = state.chosen.candidate.hypothesis, state.chosen.natural.hypothesis
    return chosen.characters < natural.characters


def _loses(state: State, setup: Setup) -> bool:
    fitted = best_of(state, setup)
    return fitted is not None and _lossy(fitted, setup)


def _as_they_are(state: State, _: Setup) -> State:
    """Take nothing yet."""
    return state


def _best_first(state: State, setup: Setup) -> State:
    """Put the best natural translation first."""
    weights = setup.settings.weights
    return _sorted(state, lambda one: -score(one, weights))


def _most_terms_first(state: State, setup: Setup) -> State:
    """Put the best natural translation of those that lack fewest terms first."""
    weights = setup.settings.weights
    return _sorted(state, lambda one: (one.missing_terms, -score(one, weights)))


def _sorted(state: State, key: Callable[[Candidate], Any]) -> State:
    """Sort what was found; what a translation memory has stays first."""
    recalled = [one for one in state.candidates if one.recalled]
    searched = sorted((one for one in state.candidates if not one.recalled), key=key)
    return replace(state, candidates=(*recalled, *searched))


def _take_natural(state: State, setup: Setup) -> State:
    """Take what fits naturally, in the cues' own time or else in the most that they may take."""
    chosen = _chosen_naturally(state, setup)
    if chosen is None and state.task.extended is not None:
        state = _with_more_time(state, setup)
        chosen = _chosen_naturally(state, setup)
    return replace(state, chosen=chosen, fits_naturally=chosen is not None)


def _with_more_time(state: State, setup: Setup) -> State:
    task, guideline = state.task.with_more_time(), setup.guideline
    candidates = (
        one
        if one.recalled
        else replace(one, hypothesis=typeset_for(one.hypothesis, task, state.style, guideline))
        for one in state.candidates
    )
    return replace(state, task=task, own_task=state.task, candidates=tuple(candidates))


def _chosen_naturally(state: State, setup: Setup) -> Fitted | None:
    """The best that fits, if the best natural translation does."""
    task, natural = state.task, state.natural
    if natural is None or not task.reaches(natural.hypothesis):
        return None
    settings = setup.settings
    alone = best_that_fits(task, [natural], setup.guideline, settings)
    if alone is None or natural.recalled:
        return alone
    return choose(task, state.candidates, setup.guideline, settings)


def _take_sure_natural(state: State, setup: Setup) -> State:
    """Choose anew, but take the natural translation rather than one that loses something."""
    if not state.fits_naturally:
        return state
    state = _take_best(state, setup)
    if state.chosen is None or _lossy(state.chosen, setup):
        natural = state.candidates[:1]
        chosen = best_that_fits(state.task, natural, setup.guideline, setup.settings)
        state = replace(state, chosen=chosen)
    return state


def _take_best(state: State, setup: Setup) -> State:
    chosen = choose(state.task, state.candidates, setup.guideline, setup.settings)
    return replace(state, chosen=chosen)


def _take_best_if_none(state: State, setup: Setup) -> State:
    return _take_best(state, setup) if state.chosen is None else state


def _take_whole(state: State, setup: Setup) -> State:
    chosen = whole_instead(state.task, state.candidates, setup.guideline, setup.settings)
    return replace(state, chosen=chosen)


WHOLE = Pass(_loses, requests.roomy_requests, _take_whole)
"""Replaces what loses something by whole translations, with a little more room or a lot."""
ALTERNATIVES = Pass(_always, requests.alternative_requests, _take_best_if_none)
"""Searches at several lengths for other translations of what has been translated."""
