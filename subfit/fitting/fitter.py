"""Searching for one sentence after the other: at its natural length, then at less and less."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.fitting.alternatives import alternative_requests
from subfit.fitting.choosing import Chooser, natural_of
from subfit.fitting.condensed import condensed_requests
from subfit.fitting.fit import fitting_requests, wide_request
from subfit.fitting.policy import Policy
from subfit.fitting.ranking import natural_value_of
from subfit.fitting.search_work import Work, least_bad_of
from subfit.fitting.searcher import Searcher, natural_requests, set_as_asked
from subfit.fitting.whole_sentences import roomy_requests, whole_instead
from subfit.limits.guideline import Guideline

WIDER = 4
"""How many times as many beams natural translations are searched with for the sake of their words,
at most: few where few were asked for, which is to be fast."""


@dataclass(frozen=True, slots=True)
class Fitter:
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

    @property
    def chooser(self) -> Chooser:
        """Takes what is best of what was found."""
        return Chooser(self.guideline, self.policy)

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
        self._look_wider(works, requests)
        self._insist(works, requests)
        for work in works:
            self.chooser.choose_if_best_is_natural(work)
            if work.fitted is None and work.task.extended is not None:
                self._give_time(work)
        self._check_other_naturals([work for work in works if work.fitted is not None])
        shortened = [work for work in works if work.fitted is None]
        self._shorten(shortened)
        self._condense([work for work in shortened if self.chooser.is_poor(work)])
        self._widen([work for work in shortened if self.chooser.needs_more(work)])
        self._insist_within(shortened)

    def _look_wider(self, works: Sequence[Work], requests: Sequence[Request]) -> None:
        """Search with more beams where the best that was found has words that are none."""
        beams = min(self.policy.wide_beams, WIDER * self.translator.settings.beams)
        made_up = [
            (work, replace(request, beams=beams))
            for work, request in zip(works, requests, strict=True)
            if work.candidates and work.candidates[0].hypothesis.unfamiliar
        ]
        if beams > self.translator.settings.beams:
            self.searcher.search([work for work, _ in made_up], [each for _, each in made_up])
        for work, _ in made_up:
            work.candidates.sort(key=lambda each: -natural_value_of(each, self.policy))

    def _insist(self, works: Sequence[Work], requests: Sequence[Request]) -> None:
        """Put terms and placeables into what was translated without them, and search with them.

        Of numbers in words that are lacking, the source has the digits then.
        """
        lacking: list[tuple[Work, Request]] = []
        for work, request in zip(works, requests, strict=True):
            for best in work.candidates[:1]:
                found = best.hypothesis.text
                text, terms = work.task.in_digits(found), work.task.insisted(found)
                if text != request.text or (best.missed and terms):
                    lacking.append((work, replace(request, text=text, terms=terms)))
        works_lacking = [work for work, _ in lacking]
        self.searcher.reword(works_lacking)
        self.searcher.search(works_lacking, [request for _, request in lacking])
        for work in works_lacking:
            work.candidates.sort(
                key=lambda each: (each.missed, -natural_value_of(each, self.policy))
            )

    def _give_time(self, work: Work) -> None:
        """Let a sentence that does not fit in its own time take more, before it is shortened."""
        work.given, work.task = work.task, work.task.with_more_time()
        work.candidates = [
            replace(each, hypothesis=set_as_asked(each.hypothesis, work, self.guideline))
            for each in work.candidates
        ]
        self.chooser.choose_if_best_is_natural(work)

    def _check_other_naturals(self, works: Sequence[Work]) -> None:
        """Rate what was found where a shorter translation than the best natural one was taken.

        Any that fits may be taken without a search, for what it says or how it can be cut, but no
        shorter one that is in doubt.
        """
        other = [
            work
            for work in works
            if work.fitted and work.fitted.hypothesis.characters < work.fitted.natural.characters
        ]
        self.searcher.rate(other)
        for work in other:
            self.chooser.keep_if_no_doubt(work)

    def _shorten(self, works: Sequence[Work]) -> None:
        """Ask for less and less, as long as nothing fits or what does is in doubt."""
        self.searcher.rate(works)
        asks = self.translator.checkpoint.length_aware
        plans = [
            fitting_requests(work.task, natural_of(work), asks=asks, policy=self.policy)
            for work in works
        ]
        for round_ in range(max(map(len, plans), default=0)):
            planned = [
                (work, plan[round_])
                for work, plan in zip(works, plans, strict=True)
                if round_ < len(plan) and self.chooser.goes_on(work)
            ]
            self._go_round(planned)
        for work in works:
            if work.fitted is None:
                self.chooser.choose(work)  # what misses its floor may still be within its ceiling

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
            if (natural := natural_of(work)) is not None
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
            self.chooser.choose(work)

    def _widen(self, works: Sequence[Work]) -> None:
        """Search once more, with more beams."""
        asks = self.translator.checkpoint.length_aware
        if asks and self.policy.wide_beams > self.translator.settings.beams:
            wide = [(work, wide_request(work.task, self.policy)) for work in works]
            self._go_round([(work, [request]) for work, request in wide if request is not None])

    def _insist_within(self, works: Sequence[Work]) -> None:
        """Search once more for what has lost placeables by being shortened."""
        planned: list[tuple[Work, list[Request]]] = []
        for work in works:
            if work.fitted is not None:
                found, task = work.fitted.hypothesis.text, work.task
                text, terms = task.in_digits(found), task.insisted(found)
                if terms != task.wanted or text != task.sentence.spoken:
                    again = Request(text, task.ceiling, work.fitted.asked, terms=terms)
                    planned.append((work, [again]))
        self._go_round(planned)

    def _go_round(self, planned: Sequence[tuple[Work, Sequence[Request]]]) -> None:
        """Search for what is asked of works, and choose anew."""
        pairs = [(work, request) for work, requests in planned for request in requests]
        self.searcher.search([work for work, _ in pairs], [request for _, request in pairs])
        for work, _ in planned:
            self.chooser.choose(work)

    def make_whole(self, works: Sequence[Work]) -> None:
        """Replace what is in doubt by whole sentences, with a little more room or a lot."""
        guideline, language = self.guideline, self.guideline.language
        doubted = [
            work
            for work in works
            if (best := least_bad_of(work, guideline, self.policy)) is not None
            and self.chooser.doubts(best)
        ]
        asks = self.translator.checkpoint.length_aware
        pairs = [(work, each) for work in doubted for each in roomy_requests(work.task) if asks]
        self.searcher.search([work for work, _ in pairs], [request for _, request in pairs])
        for work in doubted:
            work.fitted = whole_instead(
                work.task, work.candidates, guideline, language, self.policy
            )

    def search_alternatives(self, works: Sequence[Work]) -> None:
        """Search at several lengths for translations of what has been translated."""
        asks = self.translator.checkpoint.length_aware
        pairs = [
            (work, request)
            for work in works
            if (natural := natural_of(work)) is not None
            for request in alternative_requests(
                work.task, natural, asks=asks, known=[each.asked for each in work.candidates]
            )
        ]
        self.searcher.search([work for work, _ in pairs], [request for _, request in pairs])
        for work in works:
            if work.fitted is None:
                self.chooser.choose(work)
