"""Which words of a translation stand for which words of its source.

Evidence is what a lexical table says (where a model has one), words that are the same or nearly,
and how far along the sentence they stand. As in IBM model 2 (Brown et al. 1993), every target word
shares itself out over the source words; the same is done the other way round.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import regex

from subfit.text.word_bounds import split_unspaced

# "don't" is one word; "l'ami" and "Anna's" are two, whatever the apostrophe.
_WORD = regex.compile(
    r"['’]s\b"
    r"|(?!quelqu|aujourd|prud)\p{L}{1,6}['’](?=\p{L}{2})(?!t\b|re\b|ll\b|ve\b)"
    r"|(?:quelqu|aujourd|prud)['’]\p{L}+"
    r"|[\p{L}\p{M}\p{N}]+(?:['’](?:t|re|ll|ve|m|d)\b|[-.][\p{L}\p{N}]+)*",
    regex.IGNORECASE,
)
_NOTHING = 0.002
"""What any word is worth as a translation of any other."""
_SURE = 0.02
"""Evidence that counts half."""
_DRIFT = 2.5
"""How fast a word's worth falls with the distance along the sentence."""
_SAME, _ALIKE = 0.8, 0.3
_BEGINNING = 4
"""Letters that words have in common which begin alike."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text."""

    text: str
    start: int
    """Position of its first character."""
    end: int
    """Position behind its last one."""


Matrix = tuple[tuple[float, ...], ...]


class WordScores(Protocol):
    """Knows how probable words are as translations of each other."""

    def scores(
        self, source: str, source_words: Sequence[Word], target: str, target_words: Sequence[Word]
    ) -> list[list[float]]:
        """Return, per source word, the probability of each target word given it, 0 to 1."""
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class Alignment:
    """Source words and target words, and how they share out over each other.

    It is worked out as far as it is asked for: whether words are said at all needs no shares.
    """

    source: tuple[Word, ...]
    target: tuple[Word, ...]
    evidence: Sequence[Sequence[float]]
    """Per source word what tells, from 0 to 1, that each target word stands for it."""

    @cached_property
    def of_target(self) -> Matrix:
        """Per target word the share that each source word has in it; a row sums to 1."""
        columns = zip(*self._worth, strict=True) if self.source else [()] * len(self.target)
        return tuple(map(_shares, columns))

    @cached_property
    def of_source(self) -> Matrix:
        """Per source word the share that each target word has in it; a row sums to 1."""
        return tuple(map(_shares, self._worth))

    @cached_property
    def target_sure(self) -> tuple[float, ...]:
        """Per target word, from 0 to 1, how much more than its place tells of it."""
        columns = zip(*self.evidence, strict=True) if self.source else [()] * len(self.target)
        return tuple(map(_sure, columns))

    @cached_property
    def source_sure(self) -> tuple[float, ...]:
        """Per source word, from 0 to 1, how much more than its place tells of it."""
        return tuple(map(_sure, self.evidence))

    @cached_property
    def _worth(self) -> list[list[float]]:
        near = _nearness(len(self.source), len(self.target))
        return [
            [(told + _NOTHING) * place for told, place in zip(row, places, strict=True)]
            for row, places in zip(self.evidence, near, strict=True)
        ]


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text, without the punctuation around them.

    Of scripts without spaces every character is one: any may be where a word begins or ends.
    """
    words: list[Word] = []
    for match in _WORD.finditer(text):
        at = match.start()
        for part in split_unspaced(match[0]):
            words.append(Word(part, at, at + len(part)))
            at += len(part)
    return tuple(words)


def align(source: str, target: str, known: WordScores | None = None) -> Alignment:
    """Align the words of a text with those of its translation.

    Args:
        source: The text, in one line.
        target: Its translation, in one line.
        known: What is known of the words; without it only equal words and places tell.
    """
    ours, theirs = words_of(source), words_of(target)
    evidence = [[0.0] * len(theirs) for _ in ours]
    if known is not None and ours and theirs:
        evidence = known.scores(source, ours, target, theirs)
    for i, j, likeness in _likenesses(ours, theirs):
        evidence[i][j] = min(1.0, evidence[i][j] + likeness)
    return Alignment(ours, theirs, evidence)


def _shares(row: Sequence[float]) -> tuple[float, ...]:
    total = sum(row) or 1.0
    return tuple([weight / total for weight in row])


def _sure(evidence: Sequence[float]) -> float:
    best = max(evidence, default=0.0)
    return best / (best + _SURE)


@lru_cache(maxsize=1024)
def _nearness(sources: int, targets: int) -> tuple[tuple[float, ...], ...]:
    """For each of so many source words, what each target word's place is worth."""
    return tuple(
        tuple(
            math.exp(-_DRIFT * abs((i + 0.5) / sources - (j + 0.5) / targets))
            for j in range(targets)
        )
        for i in range(sources)
    )


def _likenesses(ours: Sequence[Word], theirs: Sequence[Word]) -> Iterator[tuple[int, int, float]]:
    """Which words are the same or begin alike, and what that tells."""
    beginnings: dict[str, list[tuple[int, str]]] = {}
    for i, word in enumerate(ours):
        folded = word.text.casefold()
        beginnings.setdefault(folded[:_BEGINNING], []).append((i, folded))
    for j, word in enumerate(theirs):
        folded = word.text.casefold()
        for i, own in beginnings.get(folded[:_BEGINNING], ()):
            likeness = _likeness(own, folded, capital=ours[i].text[0].isupper())
            if likeness:
                yield i, j, likeness


def _likeness(left: str, right: str, *, capital: bool) -> float:
    """What it tells that two words, in lower case, begin with the same letters."""
    if left == right:
        return _SAME if left.isdigit() or capital or len(left) > 3 else _ALIKE
    pairs = zip(left, right, strict=False)
    alike = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
    return _ALIKE * alike / max(len(left), len(right)) if alike >= _BEGINNING else 0.0
