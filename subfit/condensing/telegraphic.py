"""The words of a text that say most of it in a length, where nothing else keeps to that.

It is how headlines and telegrams are written: names, numbers, denials and verbs go before other
words of meaning, these before function words, and what stands together stays together (as in Clarke
and Lapata 2008, who weigh words and pairs of words and solve for the best set of them). It is no
good English, and for budgets that must be kept at any price.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from subfit.condensing import tidied
from subfit.condensing.clauses import Token, clauses_of, tokens_of
from subfit.condensing.reading import Reading
from subfit.condensing.words import word_classes

_DENIAL, _NAME, _VERB, _MEANING, _FUNCTION = 3.0, 1.6, 1.5, 1.2, 0.15
_TOGETHER = 0.35
"""For a word whose neighbour stays too."""
_LEADS = 0.5
"""Off for a word that leads to what is left out: an article without its noun."""


def telegraphic(text: str, most: float, language: str) -> str | None:
    """Return the words of a text that say most of it, in their order.

    Args:
        text: Sentences of one speaker.
        most: Characters that it may have.
        language: Its tag; where it has no lists of words, longer words are worth more.

    Returns:
        None if not even one word of meaning is short enough.
    """
    tokens = tokens_of(text)
    words = [token for token in tokens if token.is_word]
    if not words or most < 1:
        return None
    values = _values(text, tokens, words, language)
    closing = text[words[-1].end :].strip() if words else ""
    room = math.floor(most) - len(closing)
    kept = _best(words, values, _leading(words, language), room)
    if not kept or max(values[index] for index in kept) <= _FUNCTION:
        return None
    return tidied(_joined(text, words, kept) + closing, text)


def _values(
    text: str, tokens: Sequence[Token], words: Sequence[Token], language: str
) -> list[float]:
    """What each word is worth."""
    lists = word_classes(language)
    if lists is None:
        return [_FUNCTION if len(word.text) < 4 else _MEANING for word in words]
    reading = Reading(tokens, clauses_of(text, tokens, language), lists)
    places = [n for n, token in enumerate(tokens) if token.is_word]
    values: list[float] = []
    for index in places:
        low = reading.low(index)
        light = low in lists.function or low in lists.adverbs or low in lists.fillers
        if reading.is_negated(index):
            values.append(_DENIAL)
        elif any(map(str.isdigit, low)) or (values and reading.is_name(index)):
            values.append(_NAME)
        elif low in lists.verbs:
            values.append(_VERB)
        else:
            values.append(_FUNCTION if light else _MEANING)
    return values


def _leading(words: Sequence[Token], language: str) -> list[bool]:
    """Whether each word says nothing without the one behind it."""
    lists = word_classes(language)
    opening: Collection[str] = () if lists is None else (*lists.determiners, *lists.prepositions)
    return [word.lower in opening for word in words]


def _best(
    words: Sequence[Token], values: Sequence[float], leading: Sequence[bool], room: int
) -> list[int]:
    """The words that are worth most in some characters: a knapsack over the last word kept."""
    best: list[dict[int, tuple[float, tuple[int, ...]]]] = []
    ends: tuple[float, tuple[int, ...]] = (-math.inf, ())
    for index, word in enumerate(words):
        size = word.end - word.start
        own: dict[int, tuple[float, tuple[int, ...]]] = {}
        if size <= room:
            own[size] = (values[index], (index,))
        for before in range(index):
            gap = (words[before + 1].start if before + 1 < len(words) else 0) - words[before].end
            together = before == index - 1
            more = values[index] + (_TOGETHER if together else -_LEADS * leading[before])
            for used, (value, chosen) in best[before].items():
                taken = used + size + (gap if together else 1)
                if taken <= room and value + more > own.get(taken, ends)[0]:
                    own[taken] = (value + more, (*chosen, index))
        best.append(own)
        for value, chosen in own.values():
            last = value - _LEADS * leading[index] * (index < len(words) - 1)
            ends = max(ends, (last, chosen))
    return list(ends[1])


def _joined(text: str, words: Sequence[Token], kept: Sequence[int]) -> str:
    pieces: list[str] = []
    for number, index in enumerate(kept):
        if number:
            neighbours = kept[number - 1] == index - 1
            pieces.append(text[words[index - 1].end : words[index].start] if neighbours else " ")
        pieces.append(words[index].text)
    return "".join(pieces)
