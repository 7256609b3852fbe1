"""A sentence to translate, and what goes from pass to pass: plain data, replaced, never changed.

A `Task` has everything that a translation must keep; a `Translation` is what a search found, with
the evidence for and against it; a `State` is a sentence with all its translations; a `Fitted` is a
text in its cues, which is what comes out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from subfit.decoding.any_translator import AnyTranslator, Capabilities
from subfit.decoding.hypotheses import (
    FREE,
    NO_SETTING,
    Hypothesis,
    Request,
    Setting,
    TermConstraint,
)
from subfit.fitting.outcomes import Alternative, RiskFeatures, TermUse
from subfit.limits.budget import LengthBudget, count_dense
from subfit.limits.guideline import Guideline
from subfit.memory.recall import Recall
from subfit.subtitles.sentences import Sentence
from subfit.terms.checked import said_again
from subfit.terms.glossary import Occurrence, missing_from, plain_characters
from subfit.text.alignment import WordScores
from subfit.text.counting import EVERYTHING, Counting, count_characters
from subfit.text.formality import Formality
from subfit.text.typography import Style

Lines = tuple[str, ...]
"""What a speaker says in a cue, as broken into lines."""

_SMALL = frozenset(map(str, range(13)))
"""Numbers that are written in words anywhere."""
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

    def missing(self, text: str) -> tuple[Occurrence, ...]:
        """Return the terms that a translation lacks, and placeables that it lacks or doubles."""
        lacking = missing_from(text, self.terms)
        again = said_again(text, self.sentence.text, self.terms)
        return (*lacking, *(term for term in again if term not in lacking))

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
                extended=self.extended and (self.extended[number],),
                recall=self.recall and self.recall.within(sentence.text),
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


Losses = tuple[tuple[str, int], ...]
"""Values of `subfit.fitting.losses.Loss`, each with the place in the source's text it is about."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What both passes over all sentences have in common."""

    translator: AnyTranslator
    guideline: Guideline
    """Says what a character is and names the target language."""
    strict: bool = False
    """Whether budgets are kept at any price."""

    @property
    def able(self) -> Capabilities:
        """What the translator can do."""
        return self.translator.capabilities

    @property
    def words(self) -> WordScores | None:
        """Knows which words translate each other; None where nothing does."""
        return self.translator.word_scores

    @property
    def language(self) -> str:
        """Tag of the target language."""
        return self.guideline.language


@dataclass(frozen=True, slots=True)
class Ask:
    """One search for one sentence."""

    request: Request
    natural: bool = False
    """Whether nothing limits the length."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation that was found, typeset, with the evidence for and against it."""

    hypothesis: Hypothesis
    natural: bool = True
    """Whether nothing limited its length."""
    asked: int = FREE
    """The length that was asked for, in characters; 0 for the natural length."""
    missing_terms: int = 0
    """How many of the source's terms and placeables it lacks, but for numbers in words."""
    missing_numbers: int = 0
    """How many of the source's numbers in words it lacks."""
    prompted: bool = False
    """Whether its model was told in words to be brief, and may say all of the source otherwise."""
    recalled: bool = False
    """Whether it is what a translation memory has for the source, word for word."""
    rated: bool = False
    """Whether its score is comparable with those found at other lengths."""

    @property
    def text(self) -> str:
        """The translation in one line."""
        return self.hypothesis.text

    @property
    def characters(self) -> float:
        """Its length, in the guideline's counting."""
        return self.hypothesis.characters


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text with the translation that was chosen for it, in the lines of its cues."""

    task: Task
    lines: tuple[Lines, ...]
    """The lines of each part of the sentence."""
    translation: Translation
    natural: Translation
    """The best translation had nothing limited it."""
    fits: bool
    """Whether every part is within its budget and its lines."""
    losses: Losses = ()
    """What it loses of what the natural translation says."""
    withheld: Losses = ()
    """What a translation within the budgets would lose, for which this one was taken."""
    alternatives: tuple[tuple[Alternative, ...], ...] = ()
    """For each part of the sentence its text in other translations that fit, all in one order."""
    terms: tuple[tuple[TermUse, ...], ...] = ()
    """For each part of the sentence the terms that begin in it, and what became of them."""
    risk_features: tuple[tuple[RiskFeatures, ...], ...] = ()
    """For each part of the sentence what its risk is worked out of, sentence by sentence."""


@dataclass(frozen=True, slots=True)
class State:
    """One sentence between two passes."""

    task: Task
    style: Style
    """The style of its source, over all sentences of the track."""
    found: tuple[Translation, ...] = ()
    """All that was found, the best natural translation first."""
    chosen: Fitted | None = None
    """What fits and need not be bettered or, in the end, what is taken; None as yet."""

    @property
    def natural(self) -> Translation | None:
        """The best translation had nothing limited it; None if none was found."""
        return self.found[0] if self.found else None


CLOSING = 0.05
"""Nats per token for each nat of `Hypothesis.closing`: a text that stops before its verb scores
well but for its end."""
GUIDED = 2.0
"""For all of `Hypothesis.guided`: following a like translation in full is worth as much as it makes
the translation less probable."""
NUMBER = 0.5
"""Off for each number in words that is lacking."""
DEMERIT = 0.001
"""Off for each demerit of cuts between cues (`subfit.fitting.cue_splits`) and of line breaks that
part a phrase."""


def score(one: Translation, demerits: float = 0.0) -> float:
    """Return what a translation is worth, in nats per token; higher is better.

    It is the length-normalised log-probability with what speaks for it (a likely end, following a
    memory) and less what speaks against it (numbers that it lacks, how its words are parted).

    Args:
        one: What a search found.
        demerits: Of its placement over cues and lines.
    """
    found = one.hypothesis
    return plain_score(one) + GUIDED * found.guided - DEMERIT * demerits


def plain_score(one: Translation) -> float:
    """Return what a translation is worth by itself, whatever other models and memories say."""
    found = one.hypothesis
    return found.score + CLOSING * found.closing - NUMBER * one.missing_numbers
