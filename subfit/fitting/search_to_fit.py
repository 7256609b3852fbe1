"""Translating the sentences of tracks so that they fit: together, apart, whole, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from subfit.decoding.translator import Translator
from subfit.fitting.alternatives import alternatives_of
from subfit.fitting.fit import Fitted
from subfit.fitting.fitter import Fitter
from subfit.fitting.long_texts import fit_long_texts
from subfit.fitting.policy import DEFAULT_POLICY, Policy
from subfit.fitting.search_work import Work, least_bad_of, separated, settled
from subfit.fitting.searcher import Searcher
from subfit.fitting.task import Task
from subfit.fitting.term_use import term_uses
from subfit.limits.guideline import Guideline
from subfit.text.typography import Style, style_of

BY_THE_WAY = 4
"""Alternatives that are told of though none were asked for."""


def fit_all(
    tracks: Sequence[Sequence[Task]],
    translator: Translator,
    guideline: Guideline,
    on_progress: Callable[[int, int], None] | None = None,
    *,
    policy: Policy = DEFAULT_POLICY,
    alternatives: int = 0,
    whole: bool = False,
) -> list[list[Fitted]]:
    """Translate and fit the sentences of tracks, all together; the policy is that of
    `subfit.fitting.fit`.

    Where no translation of a sentence can be spread over its cues, they are translated each by
    itself as well, and what fits better is kept: joining never makes more cues overflow. A cue that
    is too long for the model is translated sentence by sentence (`subfit.fitting.long_texts`).

    Args:
        tracks: Per track its sentences with their budgets.
        translator: The model.
        guideline: Says what a character is and names the target language.
        on_progress: Called with the sentences done and the sentences to do.
        policy: How far to shorten, and what makes a shortened translation good.
        alternatives: How many other translations to search for, at several lengths, of every
            sentence; 0 for some that are found anyway.
        whole: Take whole sentences over their budgets for those within them whose end is doubtful.

    Returns:
        Per track everything that was translated, joined sentences or their separate cues. Texts
        the model cannot take, or finds no translation for, are absent.
    """
    fitter = Fitter(Searcher(translator, guideline, policy))
    works_of = [_works(tasks, translator) for tasks in tracks]
    works = [work for each in works_of for work in each]
    fitter.fit(works, on_progress)
    failed = [
        work
        for work in works
        if len(work.task.budgets) > 1
        and (work.fitted is None or (whole and fitter.chooser.is_in_doubt(work)))
    ]
    for work in failed:
        work.apart = [Work(each, work.style) for each in separated(work.given or work.task)]
    apart = [each for work in failed for each in work.apart]
    fitter.fit(apart)
    if whole:
        fitter.make_whole([*works, *apart])
    chosen = [settled(each, guideline, fitter.policy) for each in works_of]
    if alternatives:
        kept = [work for each in chosen for work in each]
        fitter.search_alternatives(kept)
        if whole:
            fitter.make_whole(kept)  # what was found may fit where nothing did, and be in doubt
    found = [_fitted(fitter, each, alternatives or BY_THE_WAY) for each in chosen]
    for tasks, fitted in zip(tracks, found, strict=True):
        fitted += _long_texts(fitter, tasks, whole=whole)
    return found


def _works(tasks: Sequence[Task], translator: Translator) -> list[Work]:
    """The sentences of a track that the model takes; of those too long for it, their cues."""
    style, each_short = _style(tasks), _in_cues(tasks, translator)
    return [Work(task, style) for task in each_short if translator.accepts(task.sentence.text)]


def _in_cues(tasks: Sequence[Task], translator: Translator) -> list[Task]:
    """Sentences; those too long for the model as their cues, which may still be too long."""
    return [
        each
        for task in tasks
        for each in ([task] if translator.accepts(task.sentence.text) else separated(task))
    ]


def _style(tasks: Sequence[Task]) -> Style:
    return style_of(task.sentence.text for task in tasks)


def _fitted(fitter: Fitter, works: Sequence[Work], alternatives: int) -> list[Fitted]:
    """Return what was found, the least bad where nothing fits."""
    found: list[Fitted] = []
    for work in works:
        fitted = least_bad_of(work, fitter.guideline, fitter.policy)
        if fitted is not None:
            others = alternatives_of(
                fitted, work.candidates, fitter.guideline, alternatives, fitter.policy
            )
            terms = term_uses(fitted, work.candidates, fitter.guideline)
            doubtful = fitter.chooser.doubts(fitted)
            found.append(replace(fitted, alternatives=others, terms=terms, doubtful=doubtful))
    return found


def _long_texts(fitter: Fitter, tasks: Sequence[Task], *, whole: bool) -> list[Fitted]:
    """Translate the cues of a track that are too long for the model."""
    accepts, style = fitter.translator.accepts, _style(tasks)
    long = [each for each in _in_cues(tasks, fitter.translator) if not accepts(each.sentence.text)]

    def fit(sentences: Sequence[Task]) -> list[Fitted | None]:
        works = [Work(each, style) for each in sentences]
        fitter.fit(works)
        if whole:
            fitter.make_whole(works)
        return [next(iter(_fitted(fitter, [work], 0)), None) for work in works]

    return fit_long_texts(long, accepts, fit, fitter.guideline) if long else []
