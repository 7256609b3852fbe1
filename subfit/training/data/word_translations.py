"""Which words translate the rare words of a corpus: one bilingual dictionary for each language.

A word that training shows a few times is not learnt by a small model; but beside which words of the
other side it stands, and what dictionaries have for it, tells its translation all the same. For a
source word ``s`` and a target word ``t`` that stand beside each other in pairs of weight
``c(s, t)``, the score is ``c(s, t) / c(s)``, the share of the one's pairs that have the other,
times the root of ``c(s, t) / c(t)``: little for words that stand beside everything. Two words that
a dictionary has one for ("parking lot", German "Parkplatz") count as a word of their own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from subfit.evaluation.corpus import Pair
from subfit.model.dictionary import Entry, words_of
from subfit.text.languages import CAPITALISED

RARE = 150
"""Sentences with a word, at most, for it to be rare. (docs/methods.md)"""
TRANSLATIONS = 4
"""Of a word, at most."""
CERTAIN = 0.15
"""Score of the best translation, at least, for a word to have an entry."""
POSSIBLE = 0.04
"""Score of the others, at least, and `_NEARLY` so much as of the best."""
_NEARLY = 0.2
_OFTEN = 2.0
"""Weight of the pairs that a word and its translation share, at least: once is chance."""
_COMMON = 50
"""Sentences with a translation of a word that itself stands in none, at least: else it is a
specialist's term, of which dictionaries have very many."""
_SHORTEST = 3
"""Letters of a source word and of its translations, at least."""
_LONGEST_TEXT = 200
"""Characters of a source, at most: in long ones everything stands beside everything."""
_PHRASE_WEIGHT = 0.05
"""Of an entry of several words, beside 1 of a sentence: dictionaries have a word in dozens of
specialists' phrases."""
_ENTRY_WEIGHT = 2.0
"""Of an entry of one word on either side."""
_PHRASE_WORDS = 3
"""Words of a phrase, at most."""
_INFINITIVE = regex.compile(r"^to (?=\p{Ll}+(?: \p{Ll}+)?$)")
"""What English verbs have before them in dictionaries."""
_SENTENCE_END = regex.compile(r"[.!?…:]\W*$")


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one side of a pair."""

    first: str
    others: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> _Words | None:
        found = [match[0] for match in words_of(text)]
        return cls(found[0], tuple(found[1:])) if found else None

    def __len__(self) -> int:
        return 1 + len(self.others)

    @property
    def lowered(self) -> list[str]:
        """All of them, lower-cased."""
        return [word.lower() for word in (self.first, *self.others)]

    @property
    def twos(self) -> list[str]:
        """Each with the one behind it, lower-cased."""
        return [" ".join(two) for two in pairwise(self.lowered)]


class _Capitals:
    """How words are written within sentences, by how often they are."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._with_capital: Counter[str] = Counter()

    def count(self, words: Iterable[str]) -> None:
        """Count words that do not open a sentence."""
        for word in words:
            lower = word.lower()
            self._seen[lower] += 1
            if word != lower:
                self._with_capital[lower] += 1

    def has(self, lower: str) -> bool | None:
        """Whether a word is written with a capital; None where it never stands in a sentence."""
        seen = self._seen[lower]
        return self._with_capital[lower] > seen / 2 if seen else None


def learn_entries(pairs: Sequence[Pair], target_language: str) -> list[Entry]:
    """Learn the dictionary of one pair of languages.

    Args:
        pairs: Sentences, and entries of dictionaries where there are such.
        target_language: Tag of the language of the targets.

    Returns:
        An entry for every rare word that some translation is certain enough of.
    """
    sides = list(_sides(pairs))
    capitals = _Capitals(), _Capitals()
    for weight, source, target in sides:
        if weight == 1:  # a sentence
            capitals[0].count(source.others)
            capitals[1].count(target.others)
    counts = _Counts()
    every_noun = target_language in CAPITALISED
    compounds = {
        source.twos[0] for _, source, target in sides if _is_compound(source, target, capitals)
    }
    pairs_of_words: list[tuple[float, frozenset[str], frozenset[str]]] = []
    for weight, source, target in sides:
        others = frozenset(_as_within(target, capitals[1], every_noun))
        twos = compounds.intersection(source.twos)
        if twos and len(source) == 2 and len(target) == 1:
            pairs_of_words.append((_ENTRY_WEIGHT, frozenset(twos), others))
            twos = set()
        pairs_of_words.append((weight, frozenset(source.lowered).union(twos), others))
    for weight, own, others in pairs_of_words:
        counts.add(weight, own, others)
    rare = counts.rare()
    together: dict[str, defaultdict[str, float]] = {word: defaultdict(float) for word in rare}
    for weight, own, others in pairs_of_words:
        for word in own & rare:
            for other in others:
                together[word][other] += weight
    found = ((word, counts.translations(word, together[word])) for word in sorted(rare))
    return [Entry(word, chosen, bool(capitals[0].has(word))) for word, chosen in found if chosen]


def _is_compound(source: _Words, target: _Words, capitals: tuple[_Capitals, _Capitals]) -> bool:
    """Whether two words have one translation, all of which stand in sentences too."""
    if (len(source), len(target)) != (2, 1):
        return False
    words = [(capitals[0], word) for word in source.lowered]
    return all(
        own.has(word) is not None for own, word in [*words, (capitals[1], target.first.lower())]
    )


class _Counts:
    """How often words stand on either side."""

    def __init__(self) -> None:
        self._sources: defaultdict[str, float] = defaultdict(float)
        self._targets: defaultdict[str, float] = defaultdict(float)
        self._sentences: Counter[str] = Counter()
        self._target_sentences: Counter[str] = Counter()

    def add(self, weight: float, own: frozenset[str], others: frozenset[str]) -> None:
        """Count the words of a pair."""
        for word in own:
            self._sources[word] += weight
            self._sentences[word] += weight == 1
        for word in others:
            self._targets[word] += weight
        if weight == 1:
            self._target_sentences.update(others)

    def rare(self) -> frozenset[str]:
        """The source words that training hardly shows."""
        return frozenset(
            word
            for word in self._sources
            if len(word) >= _SHORTEST and self._sentences[word] <= RARE
        )

    def translations(self, word: str, together: Mapping[str, float]) -> tuple[str, ...]:
        """Return what translates a source word, the best first; nothing if none is certain.

        Nor is there anything for what stands in no sentence, but for other names of common things.

        Args:
            word: The source word.
            together: The weight of the pairs that each target word shares with it.
        """
        scores = {
            other: count / self._sources[word] * math.sqrt(count / self._targets[other])
            for other, count in together.items()
            if len(other) >= _SHORTEST and count >= _OFTEN
        }
        best = max(scores.values(), default=0.0)
        if best < CERTAIN:
            return ()
        least = max(POSSIBLE, _NEARLY * best)
        likely = sorted(scores, key=lambda other: (-scores[other], other))
        chosen = tuple(other for other in likely[:TRANSLATIONS] if scores[other] >= least)
        common = any(self._target_sentences[other] >= _COMMON for other in chosen)
        return chosen if self._sentences[word] or common else ()


def _sides(pairs: Iterable[Pair]) -> Iterator[tuple[float, _Words, _Words]]:
    """Yield the words of both sides of pairs, and what each pair counts."""
    for pair in pairs:
        if len(pair.source) > _LONGEST_TEXT:
            continue
        source, target = (
            _Words.of(_INFINITIVE.sub("", side)) for side in (pair.source, pair.target)
        )
        if source is not None and target is not None:
            yield _weight(pair, len(source), len(target)), source, target


def _weight(pair: Pair, source_words: int, target_words: int) -> float:
    if max(source_words, target_words) == 1:
        return _ENTRY_WEIGHT
    short = max(source_words, target_words) <= _PHRASE_WORDS
    return _PHRASE_WEIGHT if short and not _SENTENCE_END.search(pair.source) else 1.0


def _as_within(words: _Words, capitals: _Capitals, every_noun: bool) -> Iterator[str]:
    """Yield words as they are written within a sentence.

    Args:
        words: Of a text, whose first word has a capital for standing first.
        capitals: Which words have one elsewhere.
        every_noun: Whether an entry of a dictionary has a capital where its word has one.
    """
    for number, word in enumerate((words.first, *words.others)):
        lower = word.lower()
        with_capital = capitals.has(lower)
        if with_capital is None:
            with_capital = word != lower and (number > 0 or every_noun)
        yield word if with_capital and word != lower else lower
