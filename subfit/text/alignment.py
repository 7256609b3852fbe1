"""Which words of a translation stand for which words of its source.

Evidence is what a lexical table says (where a model has one), words that are the same or nearly,
and how far along the sentence they stand. As in IBM model 2 (Brown et al. 1993), every target word
shares itself out over the source words; the same is done the other way round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Alignment:
    """Source words and target words, and how they share out over each other."""

    source: tuple[Word, ...]
    target: tuple[Word, ...]
    of_target: Matrix
    """Per target word the share that each source word has in it; a row sums to 1."""
    of_source: Matrix
    """Per source word the share that each target word has in it; a row sums to 1."""
    target_sure: tuple[float, ...]
    """Per target word, from 0 to 1, how much more than its place tells of it."""
    source_sure: tuple[float, ...]
    """Per source word, from 0 to 1, how much more than its place tells of it."""


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text, without the punctuation around them.

    Of scripts without spaces every character is one: any may be where a word begins or ends.
    """
    words: list[Word] = []
    for found in _WORD.finditer(text):
        at = found.start()
        for part in split_unspaced(found[0]):
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
    told = [[0.0] * len(theirs) for _ in ours]
    if known is not None and ours and theirs:
        told = known.scores(source, ours, target, theirs)
    evidence = [
        [min(1.0, told[i][j] + _likeness(one, other)) for j, other in enumerate(theirs)]
        for i, one in enumerate(ours)
    ]
    worth = [
        [
            (each + _NOTHING) * _nearness((i + 0.5) / len(ours), (j + 0.5) / len(theirs))
            for j, each in enumerate(row)
        ]
        for i, row in enumerate(evidence)
    ]
    columns = [[row[j] for row in worth] for j in range(len(theirs))]
    return Alignment(
        source=ours,
        target=theirs,
        of_target=tuple(map(_shares, columns)),
        of_source=tuple(map(_shares, worth)),
        target_sure=tuple(_sure([row[j] for row in evidence]) for j in range(len(theirs))),
        source_sure=tuple(map(_sure, evidence)),
    )


def _shares(row: Sequence[float]) -> tuple[float, ...]:
    total = sum(row) or 1.0
    return tuple(weight / total for weight in row)


def _sure(evidence: Sequence[float]) -> float:
    best = max(evidence, default=0.0)
    return best / (best + _SURE)


def _nearness(one: float, other: float) -> float:
    return math.exp(-_DRIFT * abs(one - other))


def _likeness(one: Word, other: Word) -> float:
    """Return what it tells that two words are the same, or begin alike."""
    left, right = one.text.casefold(), other.text.casefold()
    if left == right:
        names = left.isdigit() or one.text[0].isupper() or len(left) > 3
        return _SAME if names else _ALIKE
    alike = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        alike += 1
    return _ALIKE * alike / max(len(left), len(right)) if alike >= 4 else 0.0
