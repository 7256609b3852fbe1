"""Searching for translations of sentences, and what is known of each that is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from subfit.condensing import Condensation
from subfit.decoding.coverage import Coverage
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.decoding.translator import Translator
from subfit.fitting.condensed import omitted_of
from subfit.fitting.cue_lines import place
from subfit.fitting.fit import natural_request, predicted_request
from subfit.fitting.policy import Policy
from subfit.fitting.ranking import Candidate
from subfit.fitting.rewording import reworded
from subfit.fitting.search_work import Work
from subfit.fitting.task import Task
from subfit.limits.guideline import Guideline, count_characters
from subfit.text.casing import capitals
from subfit.text.typography import complete, typeset


@dataclass(frozen=True, slots=True)
class Searcher:
    """Finds candidates for works, typeset, scored alike and with what of the source they say."""

    translator: Translator
    guideline: Guideline
    policy: Policy

    def search(
        self,
        works: Sequence[Work],
        requests: Sequence[Request],
        on_done: Callable[[int], None] | None = None,
        *,
        condensations: Sequence[Condensation] = (),
    ) -> None:
        """Search for every work and add what is found to its candidates, all scored alike.

        Args:
            works: Sentences; one can be there several times.
            requests: What to search for, one for each.
            on_done: Called with the number of requests that got done since it was last called.
            condensations: What the requests' texts leave out, if they are no whole sources.
        """
        found = self.translator.translate(requests, on_done)
        asked = [
            index
            for index, request in enumerate(requests)
            if request.asked != FREE or not math.isinf(request.ceiling)
        ]
        texts = [requests[index].text for index in asked]
        rated = self.translator.rate(texts, [found[index] for index in asked])
        for index, hypotheses in zip(asked, rated, strict=True):
            found[index] = hypotheses
        sources: Sequence[Condensation | None] = condensations or [None] * len(requests)
        for work, request, hypotheses, source in zip(works, requests, found, sources, strict=True):
            said = request.text if source is None else work.task.sentence.spoken
            self._add(work, self._covering(said, hypotheses), request.asked, source)

    def reword(self, works: Sequence[Work]) -> None:
        """Put the terms that translations lack in the place of the words they stand for.

        Args:
            works: Sentences with what a search without terms found.
        """
        if not self.translator.can_translate_freely:
            return
        for work in works:
            nbest = [each.hypothesis for each in work.candidates]
            found = reworded(work.task, nbest, self.translator)
            self._add(work, self._covering(work.task.sentence.spoken, found), FREE)

    def rate(self, works: Sequence[Work]) -> None:
        """Rate what was found without a length signal too: its closing is wanted beside others'."""
        nbest = [[each.hypothesis for each in work.candidates] for work in works]
        rated = self.translator.rate([work.task.sentence.spoken for work in works], nbest)
        for work, hypotheses in zip(works, rated, strict=True):
            work.candidates = [
                replace(each, hypothesis=hypothesis)
                for each, hypothesis in zip(work.candidates, hypotheses, strict=True)
            ]

    def _add(
        self,
        work: Work,
        hypotheses: Sequence[Hypothesis],
        asked: int,
        condensation: Condensation | None = None,
    ) -> None:
        """Add what was found to a work's candidates, set as it is to stand in a cue."""
        omitted = omitted_of(work.task.sentence, condensation)
        for each in self._with_unfamiliar(work, hypotheses):
            found = set_as_asked(each, work, self.guideline)
            missing = work.task.missing(found.text, omitted)
            numbers = sum(1 for each in missing if each.spelt)
            missed = len(missing) - numbers
            work.candidates.append(Candidate(found, asked, missed, condensation, numbers))

    def _covering(self, text: str, hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Hypotheses with how much of a source they say, where that counts."""
        coverage = self._coverage
        if coverage is None:
            return list(hypotheses)
        source = self.translator.checkpoint.tokenizer.encode(text)
        shares = coverage.score(source, [each.token_ids for each in hypotheses])
        return [
            replace(each, coverage=share) for each, share in zip(hypotheses, shares, strict=True)
        ]

    def _with_unfamiliar(
        self, work: Work, hypotheses: Sequence[Hypothesis]
    ) -> Sequence[Hypothesis]:
        """Hypotheses with their words that the model never saw, where that is known."""
        familiar, source = self.translator.familiar_words, work.task.sentence.text
        if familiar is None:
            return hypotheses
        terms = [target for term in work.task.terms for target in term.targets]
        return [
            replace(each, unfamiliar=familiar.unfamiliar(each.text, source, terms))
            for each in hypotheses
        ]

    @property
    def _coverage(self) -> Coverage | None:
        """Tells how much of a source is said; None if nothing does, or it counts for nothing."""
        return self.translator.coverage if self.policy.coverage_weight > 0 else None


def natural_requests(tasks: Sequence[Task], translator: Translator) -> list[Request]:
    """Ask for no length, or where the model must be asked for one, for about the natural one.

    Args:
        tasks: Sentences.
        translator: The model.

    Returns:
        A request for each.
    """
    if translator.can_translate_freely:
        return [natural_request(task, None) for task in tasks]
    if not translator.can_predict_lengths:
        return [natural_request(task, translator.mean_length_ratio) for task in tasks]
    lengths = translator.predict_lengths([task.sentence.spoken for task in tasks])
    return [predicted_request(*each) for each in zip(tasks, lengths, strict=True)]


def set_as_asked(hypothesis: Hypothesis, work: Work, guideline: Guideline) -> Hypothesis:
    """Set a translation as its language and its source ask for.

    It is in capitals if its source is, as its language has them; ß becomes SS and counts twice.
    What it lacks is added if it fits with that.
    """
    text = typeset(hypothesis.text, guideline.language, work.style)
    whole = complete(text, guideline.language, work.style)
    if work.task.sentence.shouted:
        text, whole = (capitals(each, guideline.language) for each in (text, whole))
    if whole != text and place(whole, work.task, guideline, guideline.language) is not None:
        text = whole
    if text == hypothesis.text:
        return hypothesis
    return replace(hypothesis, text=text, characters=count_characters(text, guideline.counting))
