"""Which run of a translation's words stands for some words of its source.

It is the run that those words share most in, and other words least. Rules decide what words alone
leave open: what ends at a comma does so again, and articles go with their noun only where they did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import regex

from subfit.text.alignment import Alignment, Word
from subfit.text.linebreak_lists import WordLists

_HALF = 0.5
_PLACE = 0.3
"""Weight of its place alone, for a word that nothing else is known of."""
_BACKWARD = 0.5
"""Weight of the shares of source words, beside those of target words."""
_LENGTH = 0.05
"""Cost of every word that a run is longer or shorter than its source would be in proportion."""
_PAUSE, _EDGE = 0.4, 0.3
"""Worth of beginning or ending at a pause, or at the end of the sentence, as the source does."""
_CLAUSE = 0.8
"""Worth of being a whole clause as the source is, from a pause or conjunction to a pause."""
_OVER_PAUSE = 0.5
"""Cost of every pause within a run beyond those within its source."""
_SECOND, _SECOND_SHARE, _BETWEEN = 0.5, 0.5, 0.3
"""A second run is taken if it is worth so much, and such a share of the first, and what stands
between them tells as much against being in the span."""

_FEW = 2
"""Words that are hardly a clause."""
_UNSAID = -0.2
"""Gain of a run below which the translation does not say the words."""
_LITTLE, _ALL = 0.25, 0.6
"""Gain below which little speaks for a word, and share of its source that other words must have."""
_NEGATING = {"non", "no", "ne", "n"}
"""They negate together with another word, which is the one that is meant: ``non … mai``."""
_ELIDED_ARTICLES = {"l", "d", "n", "un", "dell", "all", "nell", "sull", "dall"}

_PAUSE_MARKS = regex.compile(r"[,;:.!?…—–()\[\]\"“”„«»]")


class WordRun(NamedTuple):
    """Target words ``start`` to ``end``."""

    start: int
    end: int
    worth: float


class RunFinder:
    """Finds runs of a translation's words.

    Args:
        source: The source text.
        target: Its translation.
        alignment: Of their words.
        ours: Words of the source's language.
        theirs: Words of the translation's.
    """

    def __init__(
        self, source: str, target: str, alignment: Alignment, ours: WordLists, theirs: WordLists
    ) -> None:
        self.alignment, self.ours, self.theirs = alignment, ours, theirs
        self.pauses = _pauses(target, alignment.target)
        self.source_pauses = _pauses(source, alignment.source)

    def find(self, inside: Sequence[bool], free: Sequence[bool]) -> list[WordRun]:
        """Return the run of target words that stands for source words, or two where it is parted.

        Args:
            inside: Per source word, whether it is meant.
            free: Per target word, whether it may be taken.

        Returns:
            Runs in order; none where the translation does not seem to say the words.
        """
        gains = self._gains(inside)
        best = self._best(inside, gains, free)
        if best is None or sum(gains[best.start : best.end]) < _UNSAID:
            return []
        first = self._trimmed(best, inside, gains)
        rest = [
            is_free and not first.start - 1 <= at <= first.end for at, is_free in enumerate(free)
        ]
        second = self._best_plain(gains, rest)
        if second is None or not self._parted(first, second, gains):
            return [first]
        little = self._little(self._own(inside)) | _ELIDED_ARTICLES
        if little.issuperset(self._target_words()[second.start : second.end]):
            return [first]
        return sorted([first, second])

    def _gains(self, inside: Sequence[bool]) -> list[float]:
        """How much speaks for each target word being in the span; negative: against it."""
        alignment, gains = self.alignment, []
        for j, shares in enumerate(alignment.of_target):
            within = sum(
                share for share, is_inside in zip(shares, inside, strict=True) if is_inside
            )
            sure = alignment.target_sure[j]
            gain = (sure + (1 - sure) * _PLACE) * (within - _HALF)
            for i, is_inside in enumerate(inside):
                share = alignment.of_source[i][j] * alignment.source_sure[i] * _BACKWARD
                gain += share if is_inside else -share
            gains.append(gain)
        return gains

    def _best(
        self, inside: Sequence[bool], gains: Sequence[float], free: Sequence[bool]
    ) -> WordRun | None:
        """The run of free words that is worth most."""
        expected = sum(inside) * len(gains) / len(inside)
        starts, ends, clause = self._edges(inside)
        own_pauses = sum(
            self.source_pauses[at + 1] for at in range(len(inside) - 1) if all(inside[at : at + 2])
        )
        best: WordRun | None = None
        for start in range(len(gains)):
            worth, pauses = 0.0, 0
            for end in range(start + 1, len(gains) + 1):
                if not free[end - 1]:
                    break
                worth += gains[end - 1]
                pauses += self.pauses[end - 1] if end - 1 > start else 0
                opens, closes = self._is_edge(start), self._is_edge(end)
                total = worth + starts * opens + ends * closes
                if closes and (opens or self._begins_clause(start)):
                    total += clause
                total -= _LENGTH * abs(end - start - expected)
                total -= _OVER_PAUSE * max(0, pauses - own_pauses)
                if best is None or total > best.worth:
                    best = WordRun(start, end, total)
        return best

    def _edges(self, inside: Sequence[bool]) -> tuple[float, float, float]:
        """What it is worth that a run begins, ends, and does both, at pauses as in its source."""
        first = inside.index(True)
        end = len(inside) - list(reversed(inside)).index(True)
        starts = _EDGE if first == 0 else _PAUSE * self.source_pauses[first]
        ends = _EDGE if end == len(inside) else _PAUSE * self.source_pauses[end]
        opens = starts or self.alignment.source[first].text.lower() in self.ours.conjunctions
        return starts, ends, _CLAUSE if opens and ends and end - first > 2 else 0.0

    def _is_edge(self, at: int) -> bool:
        return at in (0, len(self.alignment.target)) or bool(self.pauses[at])

    def _begins_clause(self, at: int) -> bool:
        word = self.alignment.target[at].text.lower().rstrip("'’")
        return word in self.theirs.conjunctions or word == "qu"

    def _best_plain(self, gains: Sequence[float], free: Sequence[bool]) -> WordRun | None:
        """The run of free words with the most gains and nothing else counted."""
        runs = [
            WordRun(start, end, sum(gains[start:end]))
            for start in range(len(gains))
            for end in range(start + 1, len(gains) + 1)
            if all(free[start:end])
        ]
        return max(runs, key=lambda run: run.worth, default=None)

    def _parted(self, first: WordRun, second: WordRun, gains: Sequence[float]) -> bool:
        """Whether a span clearly stands in two places: ``gave up``, ``gab … auf``."""
        left, right = sorted([first, second])
        between = -sum(gains[left.end : right.start])
        worth = sum(gains[first.start : first.end])
        clear = second.worth >= max(_SECOND, _SECOND_SHARE * worth)
        return clear and between >= _BETWEEN

    def _trimmed(self, run: WordRun, inside: Sequence[bool], gains: Sequence[float]) -> WordRun:
        """Leave words out at the ends of a run that stand for nothing in its source.

        Articles stay with their noun only where the source has one there: ``the <i>ship</i>``,
        ``das <i>Schiff</i>``; so do auxiliaries and clitics. Other words go if little speaks for
        them and the rest stands for all of the source.
        """
        own, words = self._own(inside), self._target_words()
        little = self._little(own) - own
        start, end = run.start, run.end
        at_start, at_end, _ = self._edges(inside)
        if sum(inside) <= _FEW and not (at_start and at_end):
            at_start = at_end = 0.0  # no clause: "Anna" begins a sentence by chance

        def goes(word: int, rest: tuple[int, int], kinds: set[str]) -> bool:
            doubled = words[word] in _NEGATING and self.theirs.negations & set(words[slice(*rest)])
            return (
                words[word] in kinds or bool(doubled) or self._is_spare(word, rest, inside, gains)
            )

        if not (at_start and self._is_edge(start)):
            while start + 1 < end and goes(start, (start + 1, end), little):
                start += 1
        if not (at_end and self._is_edge(end)):
            little |= self.theirs.articles - own
            while start + 1 < end and goes(end - 1, (start, end - 1), little):
                end -= 1
        return run._replace(start=start, end=end)

    def _is_spare(
        self, word: int, rest: tuple[int, int], inside: Sequence[bool], gains: Sequence[float]
    ) -> bool:
        """Whether little speaks for a word, and the rest of a run stands for all of its source."""
        if gains[word] >= _LITTLE:
            return False
        alignment = self.alignment
        said = [
            sum(alignment.of_source[i][slice(*rest)]) * alignment.source_sure[i]
            for i, is_inside in enumerate(inside)
            if is_inside
        ]
        return sum(said) >= _ALL * len(said)

    def _own(self, inside: Sequence[bool]) -> set[str]:
        """The words of a span."""
        pairs = zip(self.alignment.source, inside, strict=True)
        return {word.text.lower() for word, is_inside in pairs if is_inside}

    def _target_words(self) -> list[str]:
        return [word.text.lower().rstrip("'’") for word in self.alignment.target]

    def _little(self, own: set[str]) -> set[str]:
        """Kinds of target words that stand in no span without a word of their kind."""
        kinds = (
            (self.ours.articles, self.theirs.articles | _ELIDED_ARTICLES),
            (self.ours.auxiliaries, self.theirs.auxiliaries),
            (self.ours.pronouns, self.theirs.clitics),
        )
        return {word for here, there in kinds if not own & here for word in there}


def _pauses(text: str, words: Sequence[Word]) -> list[int]:
    """Return, before each word and after the last, 1 if punctuation stands there and 0 if not."""
    ends = [0, *(word.end for word in words)]
    starts = [*(word.start for word in words), len(text)]
    return [
        int(bool(_PAUSE_MARKS.search(text, end, start)))
        for end, start in zip(ends, starts, strict=True)
    ]
