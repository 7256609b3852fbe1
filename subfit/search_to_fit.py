"""Searching with shorter and shorter lengths until every sentence fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from subfit.alternatives import alternative_requests, alternatives_of
from subfit.condensed import condensed_requests
from subfit.fit import (
    Fitted,
    choose,
    fitting_requests,
    in_doubt,
    wide_request,
)
from subfit.glossary import missing_from
from subfit.guideline import Guideline
from subfit.hypotheses import Hypothesis, Request
from subfit.long_texts import fit_long_texts
from subfit.policy import DEFAULT_POLICY, Policy
from subfit.ranking import Candidate, worth
from subfit.search_work import Work, least_bad_of, separated, settled
from subfit.searcher import Searcher, natural_requests, set_as_asked
from subfit.task import Task
from subfit.term_use import term_uses
from subfit.translate import Translator
from subfit.typography import Style, style_of
from subfit.whole_sentences import roomy_requests, whole_instead

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
    """Translate and fit the sentences of tracks, all together; the policy is that of `subfit.fit`.

    Where no translation of a sentence can be spread over its cues, they are translated each by
    itself as well, and what fits better is kept: joining never makes more cues overflow. A cue that
    is too long for the model is translated sentence by sentence (`subfit.long_texts`).

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
    fitter = _Fitter(Searcher(translator, guideline, policy))
    works_of = [_works(tasks, translator) for tasks in tracks]
    works = [work for each in works_of for work in each]
    fitter.fit(works, on_progress)
    failed = [
        work
        for work in works
        if len(work.task.budgets) > 1
        and (work.fitted is None or (whole and fitter.is_in_doubt(work)))
    ]
    for work in failed:
        work.apart = [Work(each, work.style) for each in separated(work.given or work.task)]
    apart = [each for work in failed for each in work.apart]
    fitter.fit(apart)
    if whole:
        fitter.make_whole([*works, *apart])
    chosen = [settled(each, guideline) for each in works_of]
    if alternatives:
        kept = [work for each in chosen for work in each]
        fitter.search_alternatives(kept)
        if whole:
            fitter.make_whole(kept)  # what was found may fit where nothing did, and be in doubt
    found = [fitter.fitted(each, alternatives or BY_THE_WAY) for each in chosen]
    for tasks, fitted in zip(tracks, found, strict=True):
        fitted += fitter.long_texts(tasks, whole=whole)
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


@dataclass(frozen=True, slots=True)
class _Fitter:
    """Searches at the natural length, then at less and less where that does not fit."""

    searcher: Searcher

    @property
    def translator(self) -> Translator:
        """The model."""
        return self.searcher.translator

    @property
    def guideline(self) -> Guideline:
        """Says what a character is and names the target language."""
        return self.searcher.guideline

    @property
    def policy(self) -> Policy:
        """How far to shorten, and what makes a shortened translation good."""
        return self.searcher.policy

    def fit(self, works: list[Work], on_progress: Callable[[int, int], None] | None = None) -> None:
        """Give every work its best translation that fits, if one can be found."""
        done = 0

        def advance(count: int) -> None:
            nonlocal done
            done += count
            if on_progress:
                on_progress(done, len(works))

        requests = natural_requests([work.task for work in works], self.translator)
        self.searcher.search(works, requests, advance)
        self._insist(works, requests)
        for work in works:
            self._choose_if_best_is_natural(work)
            if work.fitted is None and work.task.extended is not None:
                self._give_time(work)
        self._check_other_naturals([work for work in works if work.fitted is not None])
        shortened = [work for work in works if work.fitted is None]
        self._shorten(shortened)
        self._condense([work for work in shortened if self._is_poor(work)])
        self._widen([work for work in shortened if self.is_in_doubt(work)])
        self._insist_within(shortened)

    def _shorten(self, works: Sequence[Work]) -> None:
        """Ask for less and less, as long as nothing fits or what does is in doubt."""
        self.searcher.rate(works)
        asks = self.translator.checkpoint.length_aware
        plans = [
            fitting_requests(work.task, _natural(work), asks=asks, policy=self.policy)
            for work in works
        ]
        for round_ in range(max(map(len, plans), default=0)):
            planned = [
                (work, plan[round_])
                for work, plan in zip(works, plans, strict=True)
                if round_ < len(plan) and self._goes_on(work)
            ]
            self._go_round(planned)
        for work in works:
            if work.fitted is None:
                self._choose(work)  # what misses its floor may still be within its ceiling

    def _widen(self, works: Sequence[Work]) -> None:
        """Search once more, with more beams."""
        asks = self.translator.checkpoint.length_aware
        if asks and self.policy.wide_beams > self.translator.settings.beams:
            wide = [(work, wide_request(work.task, self.policy)) for work in works]
            self._go_round([(work, [request]) for work, request in wide if request is not None])

    def _go_round(self, planned: Sequence[tuple[Work, Sequence[Request]]]) -> None:
        """Search for what is asked of works, and choose anew."""
        pairs = [(work, request) for work, requests in planned for request in requests]
        self.searcher.search([work for work, _ in pairs], [request for _, request in pairs])
        for work, _ in planned:
            self._choose(work)

    def _condense(self, works: Sequence[Work]) -> None:
        """Translate what is left of sources when what can be spared is left out."""
        if not self.policy.condensations:
            return
        language = self.translator.source_language
        asks = self.translator.checkpoint.length_aware
        freely = self.translator.can_translate_freely
        planned = [
            (work, each)
            for work in works
            if (natural := _natural(work)) is not None
            for each in condensed_requests(
                work.task, natural, language, self.policy, asks=asks, freely=freely
            )
            if self.translator.accepts(each.request.text)
        ]
        self.searcher.search(
            [work for work, _ in planned],
            [each.request for _, each in planned],
            condensations=[each.condensation for _, each in planned],
        )
        for work in works:
            self._choose(work)

    def _insist(self, works: Sequence[Work], requests: Sequence[Request]) -> None:
        """Put terms and placeables into what was translated without them, and search with them."""
        lacking = [
            (work, replace(request, terms=terms))
            for work, request in zip(works, requests, strict=True)
            for best in work.candidates[:1]
            if best.missed and (terms := work.task.insisted(best.hypothesis.text))
        ]
        works_lacking = [work for work, _ in lacking]
        self.searcher.reword(works_lacking)
        self.searcher.search(works_lacking, [request for _, request in lacking])
        for work in works_lacking:
            work.candidates.sort(key=lambda each: (each.missed, -each.hypothesis.score))

    def _insist_within(self, works: Sequence[Work]) -> None:
        """Search once more for what has lost placeables by being shortened."""
        planned: list[tuple[Work, list[Request]]] = []
        for work in works:
            if work.fitted is not None:
                text, task = work.fitted.hypothesis.text, work.task
                terms = task.insisted(text)
                if terms != task.wanted:
                    ask = work.fitted.asked
                    again = Request(task.sentence.spoken, task.ceiling, ask, terms=terms)
                    planned.append((work, [again]))
        self._go_round(planned)

    def make_whole(self, works: Sequence[Work]) -> None:
        """Replace what is in doubt by whole sentences, with a little more room or a lot."""
        guideline, language = self.guideline, self.guideline.language
        doubted = [
            work
            for work in works
            if (best := least_bad_of(work, guideline)) is not None and self._doubts(best)
        ]
        asks = self.translator.checkpoint.length_aware
        pairs = [(work, each) for work in doubted for each in roomy_requests(work.task) if asks]
        self.searcher.search([work for work, _ in pairs], [request for _, request in pairs])
        for work in doubted:
            work.fitted = whole_instead(
                work.task, work.candidates, guideline, language, self.policy
            )

    def long_texts(self, tasks: Sequence[Task], *, whole: bool) -> list[Fitted]:
        """Translate the cues of a track that are too long for the model."""
        accepts, style = self.translator.accepts, _style(tasks)
        long = [
            each for each in _in_cues(tasks, self.translator) if not accepts(each.sentence.text)
        ]

        def fit(sentences: Sequence[Task]) -> list[Fitted | None]:
            works = [Work(each, style) for each in sentences]
            self.fit(works)
            if whole:
                self.make_whole(works)
            return [next(iter(self.fitted([work], 0)), None) for work in works]

        return fit_long_texts(long, accepts, fit, self.guideline) if long else []

    def search_alternatives(self, works: Sequence[Work]) -> None:
        """Search at several lengths for translations of what has been translated."""
        asks = self.translator.checkpoint.length_aware
        pairs = [
            (work, request)
            for work in works
            if (natural := _natural(work)) is not None
            for request in alternative_requests(
                work.task, natural, asks=asks, known=[each.asked for each in work.candidates]
            )
        ]
        self.searcher.search([work for work, _ in pairs], [request for _, request in pairs])
        for work in works:
            if work.fitted is None:
                self._choose(work)

    def fitted(self, works: Sequence[Work], alternatives: int) -> list[Fitted]:
        """Return what was found, the least bad where nothing fits."""
        found: list[Fitted] = []
        for work in works:
            fitted = least_bad_of(work, self.guideline)
            if fitted is not None:
                others = alternatives_of(
                    fitted, work.candidates, self.guideline, alternatives, self.policy
                )
                terms = term_uses(fitted, work.candidates, self.guideline)
                doubtful = self._doubts(fitted)
                found.append(replace(fitted, alternatives=others, terms=terms, doubtful=doubtful))
        return found

    def _goes_on(self, work: Work) -> bool:
        """Whether nothing fits yet, or the best that does is in doubt or lacks a term."""
        if work.fitted is None or self.is_in_doubt(work):
            return True
        terms = [each for each in work.task.terms if not each.placeable]
        return bool(missing_from(work.fitted.hypothesis.text, terms))

    def is_in_doubt(self, work: Work) -> bool:
        """Whether nothing fits yet, or the best that does may be no whole sentence."""
        return work.fitted is None or self._doubts(work.fitted)

    def _is_poor(self, work: Work) -> bool:
        """Whether the best that fits is in doubt, or much worse than the natural translation."""
        if work.fitted is None or self.is_in_doubt(work):
            return True
        natural, best = work.fitted.natural, work.fitted.hypothesis
        loss = worth(natural, self.policy) - worth(best, self.policy)
        return loss > self.policy.much_worse

    def _doubts(self, fitted: Fitted) -> bool:
        return in_doubt(fitted.hypothesis, fitted.natural, self.policy)

    def _choose_if_best_is_natural(self, work: Work) -> None:
        """Settle a sentence whose natural translation fits as it is."""
        natural = _natural(work)
        if natural is None or not work.task.reaches(natural):
            return
        language = self.guideline.language
        if choose(work.task, work.candidates[:1], self.guideline, language) is not None:
            self._choose(work)

    def _check_other_naturals(self, works: Sequence[Work]) -> None:
        """Rate what was found where a shorter translation than the best natural one was taken.

        Any that fits may be taken without a search, for what it says or how it can be cut, but no
        shorter one that is in doubt.
        """
        language = self.guideline.language
        other = [
            work
            for work in works
            if work.fitted and work.fitted.hypothesis.characters < work.fitted.natural.characters
        ]
        self.searcher.rate(other)
        for work in other:
            self._choose(work)
            if self.is_in_doubt(work):
                best = work.candidates[:1]
                work.fitted = choose(work.task, best, self.guideline, language, self.policy)

    def _give_time(self, work: Work) -> None:
        """Let a sentence that does not fit in its own time take more, before it is shortened."""
        work.given, work.task = work.task, work.task.with_more_time()
        work.candidates = [
            replace(each, hypothesis=set_as_asked(each.hypothesis, work, self.guideline))
            for each in work.candidates
        ]
        self._choose_if_best_is_natural(work)

    def _choose(self, work: Work) -> None:
        if not work.candidates:
            return
        work.fitted = self._best_of(work, work.candidates)
        if work.fitted is None or not any(each.condensation for each in work.candidates):
            return
        natural = work.candidates[0].hypothesis
        sure = [
            each for each in work.candidates if not in_doubt(each.hypothesis, natural, self.policy)
        ]
        whole = self._best_of(work, sure)
        if whole is not None and _lacking(whole) <= _lacking(work.fitted):
            work.fitted = whole

    def _best_of(self, work: Work, candidates: Sequence[Candidate]) -> Fitted | None:
        language = self.guideline.language
        return choose(work.task, candidates, self.guideline, language, self.policy)


def _lacking(fitted: Fitted) -> int:
    """How many terms and placeables it lacks."""
    return len(missing_from(fitted.hypothesis.text, fitted.task.terms))


def _natural(work: Work) -> Hypothesis | None:
    return work.candidates[0].hypothesis if work.candidates else None
