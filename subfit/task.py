"""A sentence to translate, with everything that a translation must keep."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from subfit.alignment import WordScores
from subfit.budget import LengthBudget
from subfit.counting import EVERYTHING, Counting, count_characters
from subfit.glossary import Occurrence, missing_from
from subfit.hypotheses import Hypothesis, Wanted
from subfit.sentences import Sentence

MOST_INSISTED = 4
"""Placeables at once; every one makes the search wider."""


@dataclass(frozen=True, slots=True)
class Task:
    """A sentence with the budgets of the cues it must go back into."""

    sentence: Sentence
    budgets: tuple[LengthBudget, ...]
    """One for each part of the sentence."""
    terms: tuple[Occurrence, ...] = ()
    """What must be said in a certain way, and what must be kept."""
    extended: tuple[LengthBudget, ...] | None = None
    """The same with the most time that its cues may take; None if they may take none."""
    words: WordScores | None = field(default=None, compare=False, repr=False)
    """Knows which words translate each other, for words to stand in their source's cues."""
    counting: Counting = EVERYTHING
    """What a character is."""

    def with_more_time(self) -> Task:
        """Return the task with its extended budgets for its budgets."""
        return replace(self, budgets=self.extended or self.budgets, extended=None)

    @property
    def ceiling(self) -> float:
        """Most characters over all cues.

        The spaces where the cues part are not printed, but what stands around their words is.
        """
        ceilings = (min(each.characters, each.reading) for each in self.budgets)
        spaces = (len(self.budgets) - 1) * count_characters(" ", self.counting)
        around = (count_characters(each.shown(""), self.counting) for each in self.sentence.parts)
        return sum(ceilings) + spaces - sum(around)

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """What is asked of translations for the sake of its terms.

        Placeables are not among them: most translations have them, and searching for them is slow.
        """
        return tuple(_wanted(each) for each in self.terms if not each.placeable)

    def insisted(self, text: str) -> tuple[Wanted, ...]:
        """Return what is asked where a translation lacks a term or a placeable.

        Args:
            text: The translation, of whose missing placeables the first `MOST_INSISTED` that have
                room are asked for.
        """
        lacking = missing_from(text, [each for each in self.terms if each.placeable and each.held])
        room = [each for each in lacking if self._shortest(each) <= self.ceiling]
        kept = tuple(map(_wanted, room[:MOST_INSISTED]))
        return (*self.wanted, *kept)

    def _shortest(self, term: Occurrence) -> float:
        return min(count_characters(each, self.counting) for each in term.targets)

    @property
    def floor(self) -> float:
        """Fewest characters wished, over all cues."""
        return sum(each.floor for each in self.budgets)

    @property
    def least(self) -> float:
        """Fewest characters to ask for: the floor, or about what takes the shortest time to say."""
        return sum(
            max(each.floor, each.speaking.least_characters if each.speaking else 0.0)
            for each in self.budgets
        )

    def reaches(self, hypothesis: Hypothesis) -> bool:
        """Tell whether a translation is as long as is wished."""
        return hypothesis.characters >= self.floor and all(
            each.speaking is None or each.speaking.reaches(hypothesis.text) for each in self.budgets
        )


def _wanted(term: Occurrence) -> Wanted:
    return Wanted(term.source, term.targets, term.language)
