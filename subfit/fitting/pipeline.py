"""Translating the sentences of tracks so that they fit their cues: two passes, one choice.

1. The natural length. If a natural translation fits, it is taken; where times may change, its cues
   may take more of it.
2. The budget and a little less.

What nothing was found for stays whole, over its budget, marked and never cut. A pass is a function
from a sentence to what to search for (`subfit.fitting.search`); after each the same choice is made
anew (`subfit.fitting.choice`). The searches of all sentences of all tracks are done together; what
becomes of one does not depend on the others.

A sentence is the unit: of a text of several that runs over several cues, or is too long for the
model, each is translated by itself under its share of the budget, and what comes of it is spread
over the cues (`Unit`). Where that does not fit, or loses something, the cues are tried each by
itself, and what fits better is kept: joining never makes more cues overflow. In a text over three
cues and more a small model loses itself: these are tried the other way round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.choice import (
    choose,
    give_up,
    misfit,
    placed_whole,
    rivals,
    take_natural,
    with_losses,
)
from subfit.fitting.finish import finished, recalled
from subfit.fitting.search import (
    alternative_asks,
    budget_asks,
    compare,
    natural_asks,
    search,
)
from subfit.fitting.shares import OnProgress, shared_out
from subfit.fitting.task import Ask, Fitted, Losses, Setup, State, Task, Translation
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part
from subfit.terms.glossary import plain_characters
from subfit.text.counting import count_characters
from subfit.text.linebreak_lists import word_lists
from subfit.text.sentence_ends import sentences_in
from subfit.text.typography import Style, style_of

LONG = 3
"""Texts over so many cues are translated cue by cue at first (benchmarks/README.md)."""
NATURAL = 0.7
"""The share of all work that the first pass is, about, of texts with limits."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A text that goes back into its cues as one, with the sentences it is translated by."""

    track: int
    """Number of its track."""
    task: Task
    starts: tuple[int, ...] = ()
    """Where each sentence begins in the text."""
    states: tuple[State, ...] = ()

    @property
    def is_one(self) -> bool:
        """Whether it is translated in one go."""
        return len(self.states) == 1


def fit_all(
    tracks: Sequence[Sequence[Task]],
    translator: AnyTranslator,
    guideline: Guideline,
    on_progress: OnProgress | None = None,
    *,
    alternatives: int = 0,
    strict: bool = False,
    processes: int = 1,
) -> list[list[Fitted]]:
    """Translate and fit the sentences of tracks, all together.

    Args:
        tracks: Per track its sentences with their budgets.
        translator: The model.
        guideline: Says what a character is and names the target language.
        on_progress: Called with the sentences done and the sentences to do.
        alternatives: How many other translations to search for, at several lengths, of every
            sentence; 0 for some that are found anyway.
        strict: Keep to budgets at any price; otherwise whole translations that are over their
            budgets are taken for those within them that lose something.
        processes: How many may share the sentences out among them.

    Returns:
        Per track everything that was translated, joined sentences or their separate cues. Texts
        the model cannot take, or finds no translation for, are absent.
    """
    setup = Setup(translator, guideline, strict)
    units = [
        unit
        for number, tasks in enumerate(tracks)
        for style in [style_of(task.sentence.text for task in tasks)]
        for task in tasks
        for unit in units_of(number, task, style, translator)
    ]

    def share(some: Sequence[Unit], on_progress: OnProgress | None) -> list[list[Fitted]]:
        return _fit_share(some, setup, alternatives, on_progress)

    fitted: list[list[Fitted]] = [[] for _ in tracks]
    done = shared_out(share, units, processes, on_progress)
    for unit, parts in zip(units, done, strict=True):
        fitted[unit.track] += parts
    return fitted


def units_of(track: int, task: Task, style: Style, translator: AnyTranslator) -> list[Unit]:
    """Return what a text is translated as: itself, its sentences, or its cues; nothing if the model
    takes none of these."""
    text, accepts = task.sentence.text, translator.accepts
    exact = task.recall is not None and task.recall.exact
    sentences = sentences_in(text, task.sentence.language)
    if len(sentences) > 1 and not exact and (len(task.budgets) > 1 or not accepts(text)):
        if all(map(accepts, sentences)):
            return [_of_sentences(track, task, sentences, style)]
    elif accepts(text):
        return [Unit(track, task, (0,), (State(task, style),))]
    if len(task.budgets) == 1:
        return []
    return [unit for one in task.separated() for unit in units_of(track, one, style, translator)]


def _of_sentences(track: int, task: Task, sentences: Sequence[str], style: Style) -> Unit:
    """A text parted into its sentences, wherever cues end, each with its share of the budget."""
    whole, states, starts, at = task.sentence, list[State](), list[int](), 0
    text = plain_characters(whole.text)
    for own in sentences:
        words = plain_characters(own)
        start = text.index(words, at)
        at = start + len(words)
        inside = [term for term in task.terms if start <= term.start < at]
        first = whole.parts[0]
        of_own = replace(
            task,
            sentence=replace(whole, parts=(Part(first.cue, first.turn, own, first.lines),)),
            budgets=(LengthBudget(),),
            terms=tuple(replace(term, start=term.start - start) for term in inside),
            extended=None,
            recall=task.recall and task.recall.within(own),
        )
        states.append(State(of_own, style))
        starts.append(start)
    unit = Unit(track, task, tuple(starts), tuple(states))
    return _with_shares(unit, [len(own) for own in sentences])


def _with_shares(unit: Unit, lengths: Sequence[float]) -> Unit:
    """A text whose sentences share its budget, in the most time, in proportion to their lengths."""
    task, total = unit.task.with_more_time(), max(sum(lengths), 1)
    spaces = (len(lengths) - 1) * count_characters(" ", task.counting)
    room, kind = max(task.ceiling - spaces, 0.0), task.budgets[0].unit
    shares = [
        LengthBudget(room * length / total, floor=task.floor * length / total, unit=kind)
        for length in lengths
    ]
    pairs = zip(unit.states, shares, strict=True)
    states = (replace(own, task=replace(own.task, budgets=(one,))) for own, one in pairs)
    return replace(unit, states=tuple(states))


def _fit_share(
    units: Sequence[Unit], setup: Setup, alternatives: int, on_progress: OnProgress | None
) -> list[list[Fitted]]:
    """Fit some texts, all together; for each its translation, or those of its cues."""

    def tell(done: int, total: int) -> None:  # the last is not done before its other way is
        if on_progress:
            on_progress(min(done * len(units) // max(total, 1), len(units) - 1), len(units))

    ways = [(_cues_of(one, setup) if _is_long(one, setup) else []) or [one] for one in units]
    kept = _each_fitted(ways, setup, tell)
    places = [
        n
        for n, own in enumerate(kept)
        if len(units[n].task.budgets) > 1 and _may_be_bettered(own, setup)
    ]
    again = [[units[n]] if len(ways[n]) > 1 else _cues_of(units[n], setup) for n in places]
    for n, other in zip(places, _each_fitted(again, setup), strict=True):
        found = [[one for _, one in own] for own in (other, kept[n])]
        if other and (not kept[n] or misfit(found[0], setup) < misfit(found[1], setup)):
            kept[n] = other
    if alternatives:
        kept = _with_alternatives(kept, setup)
    if on_progress:
        on_progress(len(units), len(units))
    return [
        [
            finished(fitted, unit.states[0] if unit.is_one else None, setup, alternatives)
            for unit, fitted in own
        ]
        for own in kept
    ]


def _is_long(unit: Unit, setup: Setup) -> bool:
    """Whether the cues of a text are translated each by itself at first."""
    known = unit.task.recall is not None and unit.task.recall.exact
    small = setup.able.lengths and not setup.able.prompted
    return len(unit.task.budgets) >= LONG and small and not known and not _is_cut(unit)


def _cues_of(unit: Unit, setup: Setup) -> list[Unit]:
    """The cues of a text each by itself; none if one of them cannot be translated so."""
    cues = [
        part
        for own in unit.task.separated()
        for part in units_of(unit.track, own, unit.states[0].style, setup.translator)
    ]
    return cues if len(cues) == len(unit.task.budgets) else []


def _is_cut(unit: Unit) -> bool:
    """Whether a cue ends before its noun ("like bees to a..."), which cannot be told by itself."""
    sentence = unit.task.sentence
    opening = word_lists(sentence.language).opening
    words = (part.text.rstrip(" .…").rpartition(" ")[2].lower() for part in sentence.parts[:-1])
    return any(word in opening for word in words)


def _each_fitted(
    ways: Sequence[Sequence[Unit]], setup: Setup, on_progress: OnProgress | None = None
) -> list[list[tuple[Unit, Fitted]]]:
    """Fit the parts of every way, all together; nothing of a way that has a part with nothing."""
    done = iter(fit([unit for way in ways for unit in way], setup, on_progress))
    fitted: list[list[tuple[Unit, Fitted]]] = []
    for way in ways:
        pairs = [(unit, together(unit, setup)) for unit in [next(done) for _ in way]]
        found = [(unit, one) for unit, one in pairs if one is not None]
        fitted.append(found if len(found) == len(way) else [])
    return fitted


def _may_be_bettered(own: Sequence[tuple[Unit, Fitted]], setup: Setup) -> bool:
    """Whether another way may be better; of prompted models that costs too much."""
    if setup.able.prompted and own:
        return False
    fits = all(one.fits and (setup.strict or not one.losses) for _, one in own)
    return not own or not fits


def fit(units: Sequence[Unit], setup: Setup, on_progress: OnProgress | None = None) -> list[Unit]:
    """Take texts through both passes.

    Args:
        units: Texts with their sentences.
        setup: Translator and guideline.
        on_progress: Called with about as many texts as are done, and all that there are; not all
            are before their cues were tried each by itself, which comes after.
    """
    states = [state for unit in units for state in unit.states]

    limited = any(math.isfinite(state.task.ceiling) for state in states)
    share, done = (NATURAL if limited else 1.0) / max(len(states), 1), 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        if on_progress:  # the last text is not done before both passes are
            on_progress(min(math.floor(share * done * len(units)), len(units) - 1), len(units))

    units = _with_states(units, _natural(states, setup, advance))
    units = [_shared_anew(unit, setup) for unit in units]
    states = _chosen([state for unit in units for state in unit.states], setup)
    states = _limited(states, setup)
    return _with_states(units, [give_up(state, setup) for state in states])


def _with_states(units: Sequence[Unit], states: Sequence[State]) -> list[Unit]:
    rest = iter(states)
    return [replace(unit, states=tuple(next(rest) for _ in unit.states)) for unit in units]


def _natural(states: Sequence[State], setup: Setup, on_done: Callable[[int], None]) -> list[State]:
    """The first pass: what memories have word for word where it fits, else the first search."""
    known = [replace(state, found=tuple(recalled(state, setup))) for state in states]
    known = compare(known, setup) if any(state.found for state in known) else known
    known = [_take_recalled(state, setup) for state in known]
    places = [n for n, state in enumerate(known) if state.chosen is None]
    asks: list[list[Ask]] = [[] for _ in known]
    for n, ask in zip(places, natural_asks([known[n].task for n in places], setup), strict=True):
        asks[n].append(ask)
    on_done(len(known) - len(places))
    found = search(known, asks, setup, on_done)
    return [state if state.chosen else take_natural(state, setup) for state in found]


def _take_recalled(state: State, setup: Setup) -> State:
    """The first translation of a memory that fits; if none does, the preferred one is kept as the
    natural translation."""
    for one in state.found:
        taken = take_natural(replace(state, found=(one,)), setup)
        if taken.chosen is not None and taken.task is state.task:
            return taken
    return replace(state, found=state.found[:1])


def _shared_anew(unit: Unit, setup: Setup) -> Unit:
    """A text of several sentences that is done if these fit together as they are; else with shares
    of the budget by their natural lengths."""
    naturals = [state.natural for state in unit.states]
    if unit.is_one or any(one is None for one in naturals):
        return unit
    whole = _whole(unit, setup)
    joined = _joined(unit, whole, setup)
    if joined.fits and joined.task.reaches(joined.translation.text):
        pairs = zip(unit.states, whole, strict=True)
        return replace(unit, states=tuple(replace(state, chosen=one) for state, one in pairs))
    unit = _with_shares(unit, [one.characters for one in naturals if one is not None])
    return replace(unit, states=tuple(take_natural(state, setup) for state in unit.states))


def _whole(unit: Unit, setup: Setup) -> list[Fitted]:
    """The natural translations of its sentences."""
    found = [(state.task, state.natural) for state in unit.states]
    return [placed_whole(task, one, one, setup) for task, one in found if one is not None]


def _limited(states: Sequence[State], setup: Setup) -> list[State]:
    """The second pass: search for what fits, or for what is lacking; choose anew."""
    states = list(states)
    wanted = {
        n: budget_asks(state, setup) for n, state in enumerate(states) if not _is_settled(state)
    }
    wanted = {n: own for n, own in wanted.items() if own}
    found = search([states[n] for n in wanted], list(wanted.values()), setup)
    for n, state in zip(wanted, _chosen(found, setup), strict=True):
        states[n] = state if states[n].chosen is None else take_natural(state, setup)
    return states


def _chosen(states: Sequence[State], setup: Setup) -> list[State]:
    """Sentences that do not fit naturally, with the best that was found chosen anew."""
    states = list(states)
    over = [n for n, state in enumerate(states) if state.chosen is None]
    for n, state in zip(over, compare([states[n] for n in over], setup, rivals), strict=True):
        states[n] = choose(state, setup)
    return states


def _is_settled(state: State) -> bool:
    """Whether nothing better is to be searched for: what was taken fits and lacks nothing."""
    if state.chosen is None:
        return state.natural is None
    one = state.chosen.translation
    return one.recalled or not one.natural or not (one.missing_terms or one.missing_numbers)


def together(unit: Unit, setup: Setup) -> Fitted | None:
    """Return a text in its cues, of the translations of its sentences; None if one has none.

    If what was shortened does not fit together, the natural translations are taken, and are over.
    """
    chosen = [fitted for state in unit.states if (fitted := with_losses(state, setup)) is not None]
    if len(chosen) < len(unit.states):
        return None
    if unit.is_one:
        return chosen[0]
    fitted = _joined(unit, chosen, setup)
    if not fitted.fits and not all(one.translation.natural for one in chosen):
        withheld = _moved(unit, [one.losses for one in chosen])
        fitted = replace(_joined(unit, _whole(unit, setup), setup), withheld=withheld)
    return fitted


def _joined(unit: Unit, chosen: Sequence[Fitted], setup: Setup) -> Fitted:
    """Sentences put together, in the text's own time or else in the most it may take."""
    translation = _one_of([one.translation for one in chosen], unit, setup)
    natural = _one_of([one.natural for one in chosen], unit, setup)
    fitted = placed_whole(unit.task, translation, natural, setup)
    if not fitted.fits and unit.task.extended is not None:
        fitted = placed_whole(unit.task.with_more_time(), translation, natural, setup)
    return replace(
        fitted,
        losses=_moved(unit, [one.losses for one in chosen]),
        withheld=() if fitted.fits else _moved(unit, [one.withheld for one in chosen]),
    )


def _moved(unit: Unit, losses: Sequence[Losses]) -> Losses:
    """What sentences lose, by the places in the whole text."""
    return tuple(
        (loss, start + at)
        for start, own in zip(unit.starts, losses, strict=True)
        for loss, at in own
    )


def _one_of(sentences: Sequence[Translation], unit: Unit, setup: Setup) -> Translation:
    """Translations of sentences as one of them all."""
    hypotheses = [one.hypothesis for one in sentences]
    text = " ".join(one.text for one in hypotheses)
    return replace(
        sentences[0],
        hypothesis=Hypothesis(
            text,
            count_characters(text, setup.guideline.counting),
            fmean(one.score for one in hypotheses),
            sum(one.log_probability for one in hypotheses),
            closing=min(one.closing for one in hypotheses),
            guided=min(one.guided for one in hypotheses),
        ),
        natural=all(one.natural for one in sentences),
        asked=sum(one.asked for one in sentences),
        missing_terms=sum(one.missing_terms for one in sentences),
        missing_numbers=sum(one.missing_numbers for one in sentences),
        recalled=False,
    )


def _with_alternatives(
    kept: Sequence[Sequence[tuple[Unit, Fitted]]], setup: Setup
) -> list[list[tuple[Unit, Fitted]]]:
    """Texts with more translations found of them, at several lengths."""
    flat = [unit for own in kept for unit, _ in own]
    states = [unit.states[0] for unit in flat if unit.is_one]
    found = search(states, [alternative_asks(state, setup) for state in states], setup)
    more = iter(compare(found, setup))
    units = iter([replace(unit, states=(next(more),)) if unit.is_one else unit for unit in flat])
    return [[(next(units), fitted) for _, fitted in own] for own in kept]
