"""Which of a sentence's candidates is taken, and whether the search for others goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.fit import Fitted, choose, in_doubt
from subfit.fitting.policy import Policy
from subfit.fitting.ranking import Candidate, worth
from subfit.fitting.search_work import Work
from subfit.limits.guideline import Guideline
from subfit.terms.glossary import Occurrence, missing_from


@dataclass(frozen=True, slots=True)
class Chooser:
    """Takes the best candidate of a work that fits, as `subfit.fitting.fit.choose` ranks them."""

    guideline: Guideline
    policy: Policy

    def choose(self, work: Work) -> None:
        """Take the best that fits; where some were condensed, the best in no doubt, if any is."""
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

    def choose_if_best_is_natural(self, work: Work) -> None:
        """Settle a sentence whose natural translation fits as it is."""
        natural = natural_of(work)
        if natural is None or not work.task.reaches(natural):
            return
        if self._best_of(work, work.candidates[:1]) is not None:
            self.choose(work)

    def keep_if_no_doubt(self, work: Work) -> None:
        """Take the best that fits, but the natural translation rather than one that is in doubt."""
        self.choose(work)
        if self.is_in_doubt(work):
            work.fitted = self._best_of(work, work.candidates[:1])

    def goes_on(self, work: Work) -> bool:
        """Whether nothing fits yet, or the best that does is in doubt, spoilt or lacks a term."""
        if work.fitted is None or self.needs_more(work):
            return True
        terms = [each for each in work.task.terms if not each.placeable]
        return bool(missing_from(work.fitted.hypothesis.text, terms))

    def is_in_doubt(self, work: Work) -> bool:
        """Whether nothing fits yet, or the best that does may be no whole sentence."""
        return work.fitted is None or self.doubts(work.fitted)

    def needs_more(self, work: Work) -> bool:
        """Whether nothing fits yet, or what does is in doubt or has words that are none.

        Those of the natural translation do not count: the model knows no better.
        """
        if work.fitted is None or self.is_in_doubt(work):
            return True
        best, natural = work.fitted.hypothesis, work.fitted.natural
        return len(best.unfamiliar) > len(natural.unfamiliar)

    def is_poor(self, work: Work) -> bool:
        """Whether the best that fits needs more, or is much worse than the natural translation.

        So it is without a number that could be left out together with what it counts.
        """
        if work.fitted is None or self.needs_more(work):
            return True
        if any(each.spelt for each in _missing(work.fitted)):
            return True
        natural, best = work.fitted.natural, work.fitted.hypothesis
        loss = worth(natural, self.policy) - worth(best, self.policy)
        return loss > self.policy.much_worse

    def doubts(self, fitted: Fitted) -> bool:
        """Whether a translation may be no whole sentence."""
        return in_doubt(fitted.hypothesis, fitted.natural, self.policy)

    def _best_of(self, work: Work, candidates: Sequence[Candidate]) -> Fitted | None:
        language = self.guideline.language
        return choose(work.task, candidates, self.guideline, language, self.policy)


def natural_of(work: Work) -> Hypothesis | None:
    """Return the best natural translation of a work, if any was found."""
    return work.candidates[0].hypothesis if work.candidates else None


def _missing(fitted: Fitted) -> tuple[Occurrence, ...]:
    """The terms and placeables it lacks."""
    return fitted.task.missing(fitted.hypothesis.text, fitted.omitted)


def _lacking(fitted: Fitted) -> int:
    """How many terms and placeables it lacks, but for numbers in words."""
    return sum(not each.spelt for each in _missing(fitted))
