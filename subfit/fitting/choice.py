"""Which of a sentence's translations is taken.

The natural one wherever it fits. Else the best that fits and loses nothing of what the natural one
says; else, where budgets are strict, the best that fits. What remains is the natural one, over its
budget and marked: a text that was made shorter is never taken unless it fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby

from subfit.fitting.cue_splits import Placement, place, place_overlong
from subfit.fitting.losses import is_whole, losses_of
from subfit.fitting.search import with_more_time
from subfit.fitting.task import Fitted, Losses, Setup, State, Task, Translation, score
from subfit.limits.budget import excess

_CLOSING = re.compile(r"[.!?…:]\W*$")


def take_natural(state: State, setup: Setup) -> State:
    """Take a natural translation that fits, in the cues' own time or in the most they may take.

    Returns:
        The sentence in more time if it does not fit in its own; with nothing taken if it does not
        fit in that either.
    """
    chosen = _natural_choice(state, setup)
    if chosen is None and state.task.extended is not None:
        state = with_more_time(state, setup)
        chosen = _natural_choice(state, setup)
    return replace(state, chosen=chosen)


def _natural_choice(state: State, setup: Setup) -> Fitted | None:
    """The best natural translation if it fits, or another of them that parts and breaks better."""
    task, natural = state.task, state.natural
    if natural is None or not natural.natural or not task.reaches(natural.text):
        return None
    if place(natural.text, task, setup.guideline, setup.words) is None:
        return None
    others = (
        one
        for one in state.found[1:]
        if one.natural and one.missing_terms <= natural.missing_terms and task.reaches(one.text)
        if is_whole(task, one, natural, setup)
    )
    return _best_placed([natural] if natural.recalled else chain([natural], others), state, setup)


def _best_placed(some: Iterable[Translation], state: State, setup: Setup) -> Fitted | None:
    """The one that fits with the best score as it is placed, of some with the best score first."""
    task = state.task
    best: tuple[float, Translation, Placement] | None = None
    for one in some:
        if best is not None and score(one) <= best[0]:
            break  # and so do all that follow
        placed = place(one.text, task, setup.guideline, setup.words)
        if placed is not None:
            value = score(one, placed.demerits)
            if best is None or value > best[0]:
                best = value, one, placed
    if best is None:
        return None
    return Fitted(task, best[2].lines, best[1], state.found[0], fits=True)


def rivals(state: State, setup: Setup) -> list[Translation]:
    """Return what may still be taken, as far as that is known before it is rated (it fits and,
    unless budgets are strict, loses nothing), behind the natural translation; nothing if that is
    without a rival."""
    some = [
        one
        for one in state.found[1:]
        if place(one.text, state.task, setup.guideline, setup.words) is not None
        and (setup.strict or not losses_of(state.task, one, state.found[0], setup))
    ]
    return [state.found[0], *some] if some else []


def choose(state: State, setup: Setup) -> State:
    """Take the best translation that fits, loses nothing and is as long as is wished; nothing if
    there is none."""
    chosen = best_that_fits(state, setup, whole=True)
    too_short = chosen is not None and not state.task.reaches(chosen.translation.text)
    return replace(state, chosen=None if too_short else chosen)


def give_up(state: State, setup: Setup) -> State:
    """Take what is left where nothing is as long as is wished: what is too short, under strict
    budgets what loses something, else the natural translation, marked as over its budget."""
    if state.chosen is not None or state.natural is None:
        return state
    chosen = best_that_fits(state, setup, whole=True)
    if chosen is None and setup.strict:
        chosen = best_that_fits(state, setup, whole=False)
    natural = _with_words(state.found, state.task)
    if chosen is None and natural:
        one = next((one for one in natural if one.natural), natural[0])
        chosen = placed_whole(state.task, one, one, setup)
    return replace(state, chosen=chosen)


def placed_whole(task: Task, one: Translation, natural: Translation, setup: Setup) -> Fitted:
    """Return a translation in its cues, whether it fits or not; text is never cut."""
    placed = place(one.text, task, setup.guideline, setup.words)
    lines = placed.lines if placed else place_overlong(one.text, task, setup.guideline, setup.words)
    return Fitted(task, lines, one, natural, fits=placed is not None)


def best_that_fits(state: State, setup: Setup, *, whole: bool) -> Fitted | None:
    """Return the first in rank that fits; of those that rank alike, the one with the best score.

    Args:
        state: The sentence.
        setup: Translator and guideline.
        whole: Pass over those that lose something (`subfit.fitting.losses`).
    """
    for alike in by_rank(state, setup):
        some = (
            one for one in alike if not whole or is_whole(state.task, one, state.found[0], setup)
        )
        best = _best_placed(some, state, setup)
        if best is not None:
            return best
    return None


def by_rank(state: State, setup: Setup) -> Iterator[list[Translation]]:
    """Yield the translations that say anything, each text once, those that rank alike together.

    Those with all terms and placeables go before those that lack some, those that reach the floor
    before those that do not, and those that close as the source does before those that just stop;
    then the score counts.
    """
    task = state.task

    def rank(one: Translation) -> tuple[int, bool, bool]:
        stops = not _CLOSING.search(one.text) and _CLOSING.search(task.sentence.text)
        return one.missing_terms, not task.reaches(one.text), bool(stops)

    some = sorted(_with_words(state.found, task), key=lambda one: -score(one))
    some = list({one.text: one for one in reversed(some)}.values())
    some.sort(key=lambda one: (rank(one), -score(one)))
    for _, alike in groupby(some, key=rank):
        yield list(alike)


def misfit(fitted: Sequence[Fitted], setup: Setup) -> tuple[int, int, int, float]:
    """Return how badly a sentence, or its cues apart, fit: less is better.

    Returns:
        How many cues are without a word, how many do not fit, how many sentences lose something,
        and the characters over.
    """
    guideline = setup.guideline
    cues = [
        ("\n".join(lines), budget)
        for one in fitted
        for lines, budget in zip(one.lines, one.task.budgets, strict=True)
    ]
    return (
        sum(not text.strip() for text, _ in cues),
        sum(not budget.fits(text, guideline) for text, budget in cues),
        sum(bool(one.losses) for one in fitted),
        sum(excess(text, budget, guideline) for text, budget in cues),
    )


def with_losses(state: State, setup: Setup) -> Fitted | None:
    """Return what was taken with what it loses, and what a text within the budgets would lose."""
    fitted = state.chosen
    if fitted is None:
        return None
    withheld: Losses = ()
    if not fitted.fits and (other := best_that_fits(state, setup, whole=False)) is not None:
        withheld = losses_of(state.task, other.translation, other.natural, setup)
    losses = losses_of(state.task, fitted.translation, fitted.natural, setup)
    return replace(fitted, losses=losses, withheld=withheld)


def _with_words(found: Sequence[Translation], task: Task) -> list[Translation]:
    """The translations that have words, if their source has any."""
    wordless = not any(map(str.isalnum, task.sentence.text))
    return [
        one for one in found if one.text.strip() and (wordless or any(map(str.isalnum, one.text)))
    ]
