"""Translating the sentences of tracks so that they fit their cues.

A sentence goes through passes. Each pass says which sentences it is for, what to search for them
(`subfit.fitting.requests`), and which candidate is taken of all that has been found
(`subfit.fitting.choice`, by the one score of `subfit.fitting.scoring`). The searches of all
sentences of all tracks in a pass are done together (`subfit.fitting.candidates`); what becomes of
one sentence does not depend on the others. `passes` is the whole order:

1. The natural length, without a ceiling; it also tells how long the translation would have been.
   With more beams where the best has out-of-vocabulary words, and with the terms that it lacks.
   If it fits, it is taken; if it does not, its cues may take more time where times may change.
   Of natural translations that fit, a shorter one is taken only if it is not in doubt.
2. What did not fit: the budget and a little less, under a hard ceiling, then less and less of it,
   as long as nothing fits or what does ends too early, has new out-of-vocabulary words or lacks a
   term.
3. What loses anything of what the natural translation says (`subfit.fitting.losses`): condensations
   of the source (`subfit.condensing`), at about their natural lengths, under the ceiling.
4. What ends too early even so, or has new out-of-vocabulary words: the budget with more beams.
5. What lost numbers or placeables by being shortened: a search with them.
6. Unless the budget is strict, what still loses something: a little more room. Of all that loses
   nothing, the translation with the least excess for its score is taken, and marked as overflow.

Unless the budget is strict, passes 2 to 6 ask, after a first try, for nothing so short that it
hardly ever says all.

Where nothing fits, that goes for a strict budget too; text is never cut. Sentences over several
cues that cannot be spread over them go the same way again cue by cue, and what fits better is kept:
joining never makes more cues overflow. A cue that is too long for the model, and a chain of cues of
several sentences that is too long for one, are translated sentence by sentence
(`subfit.fitting.long_texts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from subfit.decoding.any_translator import AnyTranslator
from subfit.fitting.alternatives import alternatives_of
from subfit.fitting.choice import best_of, choose, misfit
from subfit.fitting.long_texts import fit_long_texts
from subfit.fitting.losses import Loss, losses_in
from subfit.fitting.passes import ALTERNATIVES, WHOLE, fit, run_pass
from subfit.fitting.risk_features import with_risks
from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings
from subfit.fitting.shares import OnProgress, shared_out
from subfit.fitting.state import Fitted, Setup, State
from subfit.fitting.task import Task
from subfit.fitting.term_use import term_uses
from subfit.limits.guideline import Guideline
from subfit.subtitles.joining import is_chain
from subfit.text.sentence_ends import sentences_in
from subfit.text.typography import Style, style_of

Owned = tuple[int, Task]
"""A sentence, with the number of its track."""
UNASKED_ALTERNATIVES = 4
"""Alternatives that are told of though none were asked for."""


def fit_all(
    tracks: Sequence[Sequence[Task]],
    translator: AnyTranslator,
    guideline: Guideline,
    on_progress: OnProgress | None = None,
    *,
    settings: FittingSettings = DEFAULT_SETTINGS,
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
        settings: How far to shorten, and what makes a shortened translation good.
        alternatives: How many other translations to search for, at several lengths, of every
            sentence; 0 for some that are found anyway.
        strict: Keep to budgets at any price; otherwise whole translations that are over their
            budgets are taken for those within them that lose something.
        processes: How many may share the sentences out among them, this one among them.

    Returns:
        Per track everything that was translated, joined sentences or their separate cues. Texts
        the model cannot take, or finds no translation for, are absent.
    """
    setup = Setup(translator, guideline, settings, strict)
    styles = [style_of(task.sentence.text for task in tasks) for tasks in tracks]
    owned = [
        (number, task)
        for number, tasks in enumerate(tracks)
        for task in _accepted(tasks, translator)
    ]

    def share(some: Sequence[Owned], on_progress: OnProgress | None) -> list[list[Fitted]]:
        return _fit_share(some, styles, setup, alternatives, on_progress)

    known = _known_objects([task for _, task in owned], setup)
    done = shared_out(share, owned, processes, known, on_progress)
    fitted: list[list[Fitted]] = [[] for _ in tracks]
    for (owner, _), parts in zip(owned, done, strict=True):
        fitted[owner] += parts
    for own, tasks_of_track, style in zip(fitted, tracks, styles, strict=True):
        own += _long_texts(tasks_of_track, style, setup)
    return fitted


def _fit_share(
    owned: Sequence[Owned],
    styles: Sequence[Style],
    setup: Setup,
    alternatives: int,
    on_progress: OnProgress | None,
) -> list[list[Fitted]]:
    """Fit some sentences of tracks, all together.

    Returns:
        For each its translation, or those of its cues, each by itself; nothing if none was found.
    """
    owners = [owner for owner, _ in owned]
    own_styles = [styles[owner] for owner in owners]
    states = fit([task for _, task in owned], own_styles, setup, on_progress)
    states = _with_cues_apart(states, setup)
    if not setup.strict:
        states = run_pass(WHOLE, states, setup)
    kept = [
        (number, part)
        for number, state in enumerate(states)
        for part in (state.apart if _better_apart(state, setup) else (state,))
    ]
    states = [state for _, state in kept]
    if alternatives:
        states = run_pass(ALTERNATIVES, states, setup)
        if not setup.strict:
            states = run_pass(WHOLE, states, setup)  # what was found may fit, and be in doubt
    fitted: list[list[Fitted]] = [[] for _ in owned]
    ends = [finished(state, setup, alternatives or UNASKED_ALTERNATIVES) for state in states]
    for (number, _), one in zip(kept, with_risks(ends, setup), strict=True):
        if one is not None:
            fitted[number].append(one)
    return fitted


def _known_objects(tasks: Sequence[Task], setup: Setup) -> list[object]:
    """What translations of sentences have in them of what they were made of."""
    parts = ((task, task.sentence, task.terms, task.words, task.recall) for task in tasks)
    known = [setup.guideline, *(each for own in parts for each in own)]
    return [each for each in known if each is not None]


def finished(state: State, setup: Setup, alternatives: int) -> Fitted | None:
    """Return the translation of a sentence with what there is to say about it.

    Args:
        state: The sentence behind all passes.
        setup: Translator, guideline and settings.
        alternatives: How many other translations to tell of.

    Returns:
        None if no translation was found.
    """
    fitted = best_of(state, setup)
    if fitted is None:
        return None
    candidates, guideline = state.candidates, setup.guideline
    return replace(
        fitted,
        alternatives=alternatives_of(fitted, candidates, guideline, alternatives, setup.settings),
        terms=term_uses(fitted, candidates, guideline),
        losses=_losses(fitted, setup),
        withheld=() if fitted.fits else _losses(_best_fit(state, setup), setup),
    )


def _best_fit(state: State, setup: Setup) -> Fitted | None:
    """The translation within the budgets that one over them was taken for."""
    return choose(state.task, state.candidates, setup.guideline, setup.settings)


def _losses(fitted: Fitted | None, setup: Setup) -> tuple[Loss, ...]:
    if fitted is None:
        return ()
    return tuple(sorted(losses_in(fitted, setup.guideline.language, setup.settings)))


def _accepted(tasks: Sequence[Task], translator: AnyTranslator) -> list[Task]:
    """The sentences of a track that the model takes; of those too long for it, their cues.

    Chains of several sentences are not among them, see `subfit.fitting.long_texts`.
    """
    whole = [task for task in tasks if not _is_chain(task, translator)]
    return [task for task in _in_cues(whole, translator) if translator.accepts(task.sentence.text)]


def _in_cues(tasks: Sequence[Task], translator: AnyTranslator) -> list[Task]:
    """Sentences; those too long for the model as their cues, which may still be too long."""
    return [
        part
        for task in tasks
        for part in ([task] if translator.accepts(task.sentence.text) else task.separated())
    ]


def _is_chain(task: Task, translator: AnyTranslator) -> bool:
    """Whether a text over several cues is several sentences, too long to be translated as one."""
    text, cues = task.sentence.text, len(task.sentence.parts)
    if cues < 2 or not (is_chain(cues, len(text)) or not translator.accepts(text)):
        return False
    sentences = sentences_in(text, task.sentence.language)
    return len(sentences) > 1 and all(map(translator.accepts, sentences))


def _with_cues_apart(states: Sequence[State], setup: Setup) -> list[State]:
    """Fit the cues of sentences by themselves that could not be spread over them."""
    failed = [
        len(state.task.budgets) > 1
        and (state.chosen is None or (not setup.strict and bool(_losses(state.chosen, setup))))
        for state in states
    ]
    parts = [
        (n, part)
        for n, (state, fails) in enumerate(zip(states, failed, strict=True))
        if fails
        for part in (state.own_task or state.task).separated()
    ]
    fitted = fit([part for _, part in parts], [states[n].style for n, _ in parts], setup)
    if not setup.strict:
        fitted = run_pass(WHOLE, fitted, setup)
    apart: dict[int, list[State]] = {}
    for (n, _), state in zip(parts, fitted, strict=True):
        apart.setdefault(n, []).append(state)
    return [replace(state, apart=tuple(apart.get(n, ()))) for n, state in enumerate(states)]


def _better_apart(state: State, setup: Setup) -> bool:
    """Whether the cues of a sentence that was given up are better each by itself.

    They are if fewer of them stay without words, or else fewer do not fit, or else by less.
    """
    if not state.apart:
        return False
    whole = best_of(state, setup)
    apart = [fitted for part in state.apart if (fitted := best_of(part, setup)) is not None]
    if whole is None or len(apart) < len(state.apart):
        return whole is None
    return misfit(apart, setup.guideline) < misfit([whole], setup.guideline)


def _long_texts(tasks: Sequence[Task], style: Style, setup: Setup) -> list[Fitted]:
    """Translate the cues and chains of cues of a track that are too long for the model."""
    translator, accepts = setup.translator, setup.translator.accepts
    chains = [task for task in tasks if _is_chain(task, translator)]
    others = _in_cues([task for task in tasks if not _is_chain(task, translator)], translator)
    long = chains + [task for task in others if not accepts(task.sentence.text)]

    def fit_sentences(sentences: Sequence[Task]) -> list[Fitted | None]:
        states = fit(sentences, [style] * len(sentences), setup)
        if not setup.strict:
            states = run_pass(WHOLE, states, setup)
        return with_risks([finished(state, setup, 0) for state in states], setup)

    return fit_long_texts(long, accepts, fit_sentences, setup.guideline) if long else []
