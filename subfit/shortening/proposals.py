"""What may stand in place of one speaker's words in a cue that is over its budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from subfit.condensing.shortenings import Edit, Passage
from subfit.condensing.telegraphic import telegraphic
from subfit.fitting.losses import Loss
from subfit.fitting.task import Ranges, Task
from subfit.shortening.losses import changed_words, losses_between, losses_by_edits
from subfit.subtitles.sentences import Part

Key = tuple[int, int]
"""The index of a cue, and whose turn of it."""
Origin = Literal["source", "rules", "model", "telegraphic"]
"""Who proposes it: nobody, since it is the source; rules; a model; or the last resort of strict
budgets."""
WORST: Mapping[Loss, float] = {
    Loss.NEGATION: 4.0,
    Loss.VERB: 3.0,
    Loss.END: 3.0,
    Loss.NUMBER: 2.0,
    Loss.NAME: 2.0,
}
"""What losing them counts, in words of meaning, where all that fits loses something."""
_TELEGRAPHIC = 3.0
"""What being no good English counts."""
_MARKS = " ,;:–—"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Words for a part of a sentence."""

    text: str
    origin: Origin
    cost: float = 0.0
    """About how many words of meaning are lost."""
    losses: frozenset[Loss] = frozenset()
    """What it loses that is essential."""
    omitted: Ranges = ()
    """Where in the part's text something was left out."""
    score: float = 0.0
    """Log-probability per token, of what a model proposes."""

    @property
    def badness(self) -> float:
        """What counts where all that fits loses something."""
        return self.cost + sum(WORST.get(loss, 1.0) for loss in self.losses)


@dataclass(frozen=True)
class SpokenTurn:
    """One speaker's words in one cue: a part of a sentence, with the whole of it."""

    task: Task
    """The task of this part alone, in its cue's own time."""
    start: int
    """Where the part stands in the whole sentence, in characters."""
    passage: Passage

    @property
    def part(self) -> Part:
        """The words, and what stands around them."""
        return self.task.sentence.parts[0]

    @property
    def key(self) -> Key:
        """Its cue and turn."""
        return self.part.cue, self.part.turn

    @property
    def end(self) -> int:
        """Where the part ends in the whole sentence."""
        return self.start + len(self.part.text)

    @cached_property
    def source(self) -> Proposal:
        """The words as they are."""
        return Proposal(self.part.text, "source")

    def by_rules(
        self, most: float, made: Iterable[Edit]
    ) -> Iterator[tuple[Proposal, tuple[Edit, ...]]]:
        """Yield what the rules make of it, with the edits; those that lose least first.

        Args:
            most: Characters that it may have.
            made: Edits of other parts of the sentence.
        """
        shortenings = self.passage.shortenings(
            self.start, self.end, most, made=tuple(made), written=self.part.text
        )
        for shortening in shortenings:
            losses = losses_by_edits(self.passage, self.start, self.end, shortening.edits)
            omitted = tuple(
                span
                for a, b in shortening.omitted
                if (span := _trimmed(self.part.text, a - self.start, b - self.start))
            )
            yield (
                Proposal(shortening.text, "rules", shortening.cost, losses, omitted),
                shortening.edits,
            )

    def by_words(self, most: float) -> Proposal | None:
        """Return the words that say most of it, as telegrams have them; see `telegraphic`."""
        text = telegraphic(self.part.text, most, self.passage.language)
        if text is None:
            return None
        language = self.passage.language
        losses = losses_between(self.part.text, text, language)
        cost = changed_words(self.part.text, text, language) + _TELEGRAPHIC
        return Proposal(text, "telegraphic", cost, losses | {Loss.WORDS})


def turns_of(task: Task, written: Mapping[Key, str]) -> tuple[SpokenTurn, ...]:
    """Return the parts of a sentence, each by itself but with the whole at hand.

    Args:
        task: The sentence.
        written: The text of each cue and turn as it is written: some files begin every cue with a
            capital, which sentences do not have.
    """
    sentence = task.sentence
    spoken = sentence.spoken if len(sentence.spoken) == len(sentence.text) else sentence.text
    kept = tuple(term.source for term in task.terms if not term.spelt)
    passage = Passage(spoken, sentence.language, kept)
    turns, at = [], 0
    for part, alone in zip(sentence.parts, task.separated(), strict=True):
        before = len(part.before)
        text = written[part.cue, part.turn][before : before + len(part.text)]
        own = replace(sentence, parts=(replace(part, text=text or part.text),))
        turns.append(SpokenTurn(replace(alone, sentence=own), at, passage))
        at += len(part.text) + 1
    return tuple(turns)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A range without the marks at its ends; None if there is nothing else in it."""
    words = text[start:end]
    left = start + len(words) - len(words.lstrip(_MARKS))
    right = left + len(words.strip(_MARKS))
    return (left, right) if left < right else None
