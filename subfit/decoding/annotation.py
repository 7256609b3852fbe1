"""Sources annotated with what a dictionary has for their rare words.

As Dinu et al. 2019 (ACL, "Training Neural Machine Translation to Apply Terminology Constraints",
"append") give the translation of a term behind it, in the source, a model that was trained so reads
"the owner of this mansion <Villa Herrenhaus>": it knows a word by its translations that it has
hardly met itself, and still says what it knows better. The translations stand between two tokens
that no text has.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, chain
from typing import NamedTuple

from subfit.decoding.dictionary_words import places_in
from subfit.model.dictionary import Dictionary
from subfit.text.known_words import lowered_words

ALTERNATIVES = 2
"""Translations of a word that a source is annotated with, at most."""

LEFT_OUT = 0.15
"""Share of the words that are not annotated in training though the dictionary has them."""
WRONG = 0.04
"""Share of the words that have any other translation of the dictionary for theirs."""

Spelling = tuple[int, ...]


class Found(NamedTuple):
    """A word of a source that a dictionary has."""

    end: int
    """Where it ends, in characters."""
    translations: list[Spelling]
    """The most probable first, in pieces."""


class Marks(NamedTuple):
    """The tokens before and behind the translations of a word."""

    begin: int
    end: int


def found_in(
    text: str, dictionary: Dictionary, language: str, settled: AbstractSet[str] = frozenset()
) -> Iterator[Found]:
    """Yield the words of a source that a dictionary has, each the first time that it stands there.

    Args:
        text: The source.
        dictionary: Of the pair of languages.
        language: Tag of the source's language.
        settled: Lower-cased words that have a translation already.
    """
    known: set[str] = set()
    until = 0
    for place in places_in(text, language):
        if place.start < until:
            continue
        for word in place.words:
            if word.lower() in known or not settled.isdisjoint(lowered_words(word)):
                continue
            translations = dictionary.look_up(word, opening=place.opening)
            if translations:
                known.add(word.lower())
                until = place.start + len(word)
                yield Found(until, translations)
                break


class Annotator:
    """Annotates the sources of one pair of languages.

    Args:
        dictionary: Of the pair.
        piece_texts: What each piece of the vocabulary prints.
        marks: What stands around translations.
        language: Tag of the source's language.
    """

    def __init__(
        self, dictionary: Dictionary, piece_texts: Sequence[str], marks: Marks, language: str
    ) -> None:
        self._dictionary, self._piece_texts = dictionary, piece_texts
        self._marks, self._language = marks, language

    def of(
        self,
        pieces: Sequence[int],
        settled: AbstractSet[str] = frozenset(),
        *,
        chooser: random.Random | None = None,
    ) -> list[int]:
        """Return the pieces of a source with its annotations.

        Args:
            pieces: The source, without the tokens before it and behind it.
            settled: Lower-cased words that are not to be annotated.
            chooser: In training, leaves words out and gives wrong translations, since dictionaries
                lack words and err.
        """
        printed = [self._piece_texts[piece] for piece in pieces]
        ends = list(accumulate(map(len, printed)))
        annotated: list[int] = []
        done = 0
        for found in found_in("".join(printed), self._dictionary, self._language, settled):
            translations = self._drawn(_apart(found.translations), chooser)
            if not translations:
                continue
            place = bisect_left(ends, found.end) + 1
            annotated += pieces[done:place]
            annotated += [self._marks.begin, *chain(*translations), self._marks.end]
            done = place
        return [*annotated, *pieces[done:]]

    def _drawn(self, translations: list[Spelling], chooser: random.Random | None) -> list[Spelling]:
        """The translations that are shown in training; all of them in use."""
        if chooser is None:
            return translations
        drawn = chooser.random()
        if drawn < LEFT_OUT:
            return []
        if drawn < LEFT_OUT + WRONG:
            return [self._dictionary.translation(chooser.randrange(len(self._dictionary.lengths)))]
        return translations


def _apart(translations: Sequence[Spelling]) -> list[Spelling]:
    """The first translations, without those that begin as one before them: its other forms."""
    apart = {spelling[0]: spelling for spelling in reversed(translations) if spelling}
    return [each for each in translations if each in apart.values()][:ALTERNATIVES]
