"""A text made shorter in its own language, to a length and no shorter than that takes.

Translators are given what is left of a source (`subfit.condensing.condensations`), and paraphrase
it; here what is left is what a viewer reads. So whatever can be said shorter is (`rewordings`)
before anything is left out (`spare`), and of all ways to keep to a length the one is taken that
costs least.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from subfit.condensing import has_any, tidied
from subfit.condensing.clauses import Segment, clauses_of, tokens_of
from subfit.condensing.reading import Reading, SparePart
from subfit.condensing.reading_on import is_apposition, reads_on
from subfit.condensing.rewordings import rewordings
from subfit.condensing.set_off import is_address
from subfit.condensing.spare import leaves_sentences, spare_parts
from subfit.condensing.words import word_classes

_WAYS = 2
"""Ways to save as many characters that are looked at."""
_TRIED = 400
"""Sets of edits that are written out at most."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A place of a text that can be said shorter, or left out."""

    start: int
    """Where it begins in the text, in characters."""
    end: int
    text: str
    """What stands there instead; empty where it is left out."""
    cost: float
    """What is lost, in about the number of words that have a meaning of their own."""
    part: SparePart | None = None
    """What is left out, as the rules have it; None where it is only said shorter."""
    addresses: bool = False
    """Whether it is what somebody is called by."""

    @property
    def saves(self) -> int:
        """Characters, with the space that goes with what is left out."""
        return self.end - self.start - len(self.text) + (not self.text and self.part is not None)


@dataclass(frozen=True, slots=True)
class Shortening:
    """One way to say a part of a text shorter."""

    text: str
    cost: float
    edits: tuple[Edit, ...]
    """The edits in their order; their places are those of the whole text."""

    @property
    def omitted(self) -> tuple[tuple[int, int], ...]:
        """Where in the whole text what is left out stands."""
        return tuple((edit.start, edit.end) for edit in self.edits if edit.part is not None)


@dataclass(frozen=True)
class Passage:
    """A text that may run over several cues, and all that can be made shorter of it.

    Args:
        text: Sentences of one speaker, in one line, as they are read: not in capitals.
        language: Its tag.
        kept: Names and terms that must stay.
    """

    text: str
    language: str
    kept: tuple[str, ...] = ()

    @cached_property
    def reading(self) -> Reading | None:
        """How the rules read it; None in languages without any."""
        words = word_classes(self.language)
        if words is None:
            return None
        tokens = tokens_of(self.text)
        return Reading(tokens, clauses_of(self.text, tokens, self.language), words)

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, in the order of their ends."""
        edits = [
            Edit(rewording.start, rewording.end, rewording.text, rewording.cost)
            for rewording in rewordings(self.text, self.language)
        ]
        if self.reading is not None:
            tokens = self.reading.tokens
            edits += [
                Edit(
                    tokens[part.start].start,
                    tokens[part.end - 1].end,
                    "",
                    part.cost,
                    part,
                    _is_address(self.reading, part),
                )
                for part in spare_parts(self.reading)
                if reads_on(self.reading, part)
            ]
        kept = (edit for edit in edits if not has_any(self.text, edit.start, edit.end, self.kept))
        return tuple(sorted(kept, key=lambda edit: (edit.end, edit.start)))

    def shortenings(
        self,
        start: int,
        end: int,
        most: float,
        *,
        made: Sequence[Edit] = (),
        written: str | None = None,
        ways: int = 24,
    ) -> list[Shortening]:
        """Return how a part of the text can be said in some characters, the rest as it stands.

        Args:
            start: Where the part begins, in characters.
            end: Where it ends.
            most: Characters that it may have.
            made: Edits of other parts that are made already.
            written: The part as it is written, of the same length; capitals, for instance.
            ways: How many to return.

        Returns:
            Those that lose least first; of those that lose as much, the longest.
        """
        shown = self.text[start:end] if written is None else written
        own = [edit for edit in self.edits if start <= edit.start and edit.end <= end]
        shortenings: dict[str, Shortening] = {}
        for edits in _cheapest_sets(own, len(shown) - most)[:_TRIED]:
            if not self._stays_whole((*made, *edits)):
                continue
            text = _written(shown, edits, start)
            if len(text) <= most and any(map(str.isalnum, text)) and not _tears(shown, text):
                cost = sum(edit.cost for edit in edits)
                shortenings.setdefault(text, Shortening(text, cost, edits))
            if len(shortenings) == ways:
                break
        return list(shortenings.values())

    def _stays_whole(self, edits: Collection[Edit]) -> bool:
        """Whether every sentence that has a verb still has one, or is gone."""
        parts = sorted(
            (edit.part for edit in edits if edit.part is not None), key=lambda part: part.start
        )
        return self.reading is None or not parts or leaves_sentences(self.reading, parts)


def _is_address(reading: Reading, part: SparePart) -> bool:
    words = [n for n in range(part.start, part.end) if reading.tokens[n].is_word]
    if not words or part.end - part.start == len(words):  # no comma sets it off
        return False
    named = is_address(reading, Segment(words[0], words[-1] + 1))
    return named and not is_apposition(reading, words[0])


def _cheapest_sets(edits: Sequence[Edit], least: float) -> list[tuple[Edit, ...]]:
    """Sets of edits apart from each other that save enough, the cheapest first.

    It is weighted interval scheduling with a knapsack: for the edits up to each, in the order of
    their ends, the cheapest ways to save every number of characters.
    """
    ways: list[dict[int, list[tuple[float, tuple[Edit, ...]]]]] = [{0: [(0.0, ())]}]
    for number, edit in enumerate(edits):
        apart = max((n + 1 for n in range(number) if edits[n].end <= edit.start), default=0)
        merged = {saved: list(chosen) for saved, chosen in ways[-1].items()}
        for saved, sets in ways[apart].items():
            wider = [(cost + edit.cost, (*before, edit)) for cost, before in sets]
            both = [*merged.get(saved + edit.saves, ()), *wider]
            both.sort(key=lambda one: (one[0], len(one[1])))
            merged[saved + edit.saves] = both[:_WAYS]
        ways.append(merged)
    cheapest = [
        (cost, saved, chosen)
        for saved, sets in ways[-1].items()
        for cost, chosen in sets
        if chosen and saved >= least - _SLACK
    ]
    cheapest.sort(key=lambda one: (round(one[0], 6), one[1]))
    return [chosen for _, _, chosen in cheapest]


_SLACK = 4
"""Characters that tidying may save besides: marks and spaces around what was left out."""


def _written(shown: str, edits: Sequence[Edit], start: int) -> str:
    """A part of a text with its edits made."""
    reworded, left = "", ""
    at = 0
    for edit in edits:
        before, own = shown[at : edit.start - start], shown[edit.start - start : edit.end - start]
        reworded += before + (edit.text if edit.part is None else own)
        left += before + edit.text
        at = edit.end - start
    reworded, left = reworded + shown[at:], left + shown[at:]
    return reworded if reworded == left else tidied(left, reworded)


def _tears(shown: str, text: str) -> bool:
    """Whether one of two marks that stand around something has gone without the other."""
    return any(text.count(mark) % 2 > shown.count(mark) % 2 for mark in _AROUND)


_AROUND = ('"', "*", "_", "♪", "#")
