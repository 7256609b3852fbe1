"""A sentence to translate, with everything that a translation must keep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from subfit.decoding.hypotheses import NO_SETTING, Setting, TermConstraint
from subfit.limits.budget import LengthBudget, count_dense
from subfit.memory.recall import Recall
from subfit.subtitles.sentences import Sentence
from subfit.terms.checked import said_again
from subfit.terms.glossary import Occurrence, missing_from, plain_characters
from subfit.text.counting import EVERYTHING, Counting, count_characters
from subfit.text.formality import Formality

Lines = tuple[str, ...]
"""What a speaker says in a cue, as broken into lines."""
Ranges = tuple[tuple[int, int], ...]
"""Starts and ends of what is left out of a text, in characters, in its order."""

_SMALL = frozenset(map(str, range(13)))
"""Numbers that are written in words anywhere."""
_MARKS = " ,;:–—"
MOST_PLACEABLES = 4
"""Placeables asked for at once; every one makes the search wider."""


@dataclass(frozen=True, slots=True)
class Task:
    """A sentence with the budgets of the cues it must go back into."""

    sentence: Sentence
    budgets: tuple[LengthBudget, ...]
    """One for each part of the sentence."""
    terms: tuple[Occurrence, ...] = ()
    """What must be said in a certain way, and what must be kept."""
    extended: tuple[LengthBudget, ...] | None = None
    """Its budgets with the most time that its cues may take; None if they may take no more."""
    counting: Counting = EVERYTHING
    """What a character is."""
    formality: Formality | None = None
    """How to address somebody; None as it comes."""
    setting: Setting = NO_SETTING
    recall: Recall | None = None
    """What translation memories have for it; None where none was asked."""

    def with_more_time(self) -> Task:
        """Return the task with its extended budgets for its budgets."""
        return replace(self, budgets=self.extended or self.budgets, extended=None)

    @property
    def ceiling(self) -> float:
        """Most characters over all cues.

        The spaces where the cues part are not printed, but what stands around their words is.
        """
        ceilings = (min(budget.characters, budget.reading) for budget in self.budgets)
        spaces = (len(self.budgets) - 1) * count_characters(" ", self.counting)
        around = (count_characters(part.shown(""), self.counting) for part in self.sentence.parts)
        return sum(ceilings) + spaces - sum(around)

    @property
    def floor(self) -> float:
        """Fewest characters wished, over all cues."""
        return sum(budget.floor for budget in self.budgets)

    @property
    def dense(self) -> float:
        """Most characters that are no spaces, over all cues; infinite where spaces count."""
        return sum(budget.dense for budget in self.budgets)

    @property
    def least(self) -> float:
        """Fewest characters to ask for: the floor, or about what takes the shortest time to say."""
        return sum(
            max(budget.floor, budget.speaking.least_characters if budget.speaking else 0.0)
            for budget in self.budgets
        )

    def reaches(self, text: str) -> bool:
        """Tell whether a translation is as long as is wished."""
        if count_characters(text, self.counting) < self.floor:
            return False
        fewest = sum(budget.dense_floor for budget in self.budgets)
        if fewest and count_dense(text, self.counting) < fewest:
            return False
        return all(
            budget.speaking is None or budget.speaking.reaches(text) for budget in self.budgets
        )

    @property
    def wanted(self) -> tuple[TermConstraint, ...]:
        """What every request asks for: the glossary's terms, not placeables, which mostly stay."""
        return tuple(_wanted(term) for term in self.terms if not term.placeable)

    def wanted_instead(self, text: str) -> tuple[TermConstraint, ...]:
        """Return `wanted` and the first placeables that a translation lacks and that have room."""
        kept = [term for term in self.terms if term.placeable and term.held and not term.spelt]
        room = [
            term
            for term in missing_from(text, kept)
            if min(count_characters(form, self.counting) for form in term.targets) <= self.ceiling
        ]
        return (*self.wanted, *map(_wanted, room[:MOST_PLACEABLES]))

    def missing(self, text: str, omitted: Sequence[Ranges] = ()) -> tuple[Occurrence, ...]:
        """Return the terms that a translation lacks, and placeables that it lacks or doubles.

        Args:
            text: The translation.
            omitted: For each part of the sentence what was left out of it before it was translated;
                a number in words, or a name with a title, that went with it is not missing.
        """
        lacking = missing_from(text, self.terms)
        again = said_again(text, self.sentence.text, self.terms)
        lacking += tuple(term for term in again if term not in lacking)
        if not omitted:
            return lacking
        return tuple(
            term for term in lacking if not (term.may_be_spared and self._is_in(term, omitted))
        )

    def _is_in(self, term: Occurrence, omitted: Sequence[Ranges]) -> bool:
        part, start = place_in(self.sentence, term.start)
        return any(a <= start < b for a, b in omitted[part])

    def with_digits(self, text: str, lacking: str | None = None) -> str:
        """Return a source with its numbers in words as digits, which are shorter and copied.

        Args:
            text: The source, or what is left of it; of numbers up to twelve words stay words.
            lacking: A translation: then only the numbers that it lacks, whatever they are.
        """
        terms = self.terms if lacking is None else missing_from(lacking, self.terms)
        for term in terms:
            if term.spelt and (lacking is not None or term.digits not in _SMALL):
                word = rf"(?<![\w-]){re.escape(term.source)}(?![\w-])"
                text = re.sub(word, term.digits, text, flags=re.IGNORECASE)
        return text

    def separated(self) -> tuple[Task, ...]:
        """Return its cues as tasks of their own; each has the terms that begin in it."""
        terms: list[list[Occurrence]] = [[] for _ in self.budgets]
        parts = self.sentence.parts
        for term in self.terms:
            number, start = place_in(self.sentence, term.start)
            start += len(plain_characters(parts[number].opening))
            terms[number].append(replace(term, start=start))
        return tuple(
            replace(
                self,
                sentence=sentence,
                budgets=(self.budgets[number],),
                terms=tuple(terms[number]),
                extended=None if self.extended is None else (self.extended[number],),
                recall=None if self.recall is None else self.recall.within(sentence.text),
            )
            for number, sentence in enumerate(self.sentence.separated())
        )


def place_in(sentence: Sentence, start: int) -> tuple[int, int]:
    """Return in which part of a sentence a place of its text is, and where in that part's text."""
    for number, part in enumerate(sentence.parts[:-1]):
        length = len(plain_characters(part.text)) + 1
        if start < length:
            return number, start
        start -= length
    return len(sentence.parts) - 1, start


def _wanted(term: Occurrence) -> TermConstraint:
    return TermConstraint(term.source, term.targets, term.language)


def in_parts(sentence: Sentence, ranges: Iterable[tuple[int, int]]) -> tuple[Ranges, ...]:
    """Return where in each part of a sentence ranges of its text lie, without marks around them."""
    kept, at = list(ranges), 0
    placed: list[Ranges] = []
    for part in sentence.parts:
        cut = ((max(a - at, 0), max(b - at, 0)) for a, b in kept)
        placed.append(tuple(span for one in cut if (span := _trimmed(part.text, *one))))
        at += len(part.text) + 1
    return tuple(placed)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A range without the marks at its ends; None if there is nothing else in it."""
    words = text[start:end]
    left = start + len(words) - len(words.lstrip(_MARKS))
    right = left + len(words.strip(_MARKS))
    return (left, right) if left < right else None
