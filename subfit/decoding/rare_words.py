"""The rare words and names of a source, with the pieces that a search may write them with."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import regex

from subfit.decoding.dictionary_words import places_in
from subfit.decoding.search_types import RareWord
from subfit.model.dictionary import Dictionary
from subfit.model.tokenizer import AnyTokenizer
from subfit.text.casing import capitalised
from subfit.text.known_words import lowered_words
from subfit.text.languages import CAPITALISED, primary_language

_OPENING_MARKS = {"es": ("¿", "¡")}
"""What sentences begin with, by target language: their first word has no space before it then."""
_ELIDING = frozenset(["fr", "it"])
"""Target languages whose articles lose their vowel, and the space behind, before another one."""
_VOWEL = regex.compile(r"[aeiouhàáâäèéêëìíîïòóôöùúûüœæ]", regex.IGNORECASE)

_STEM = 0.75
"""Share of a translation that its forms have in common."""
_LEAST_STEM = 4
"""Letters of that, at least."""

Spellings = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Ways:
    """The ways to write a translation."""

    within: Spellings
    opening: Spellings
    stem: str


class RareWords:
    """Finds the words of sources that a dictionary has, which are those that training hardly shows,
    and names, which stay as they are.

    Args:
        dictionary: Of the model.
        tokenizer: The model's.
        usable: The pieces that translations may consist of; None for all.
        languages: Tags of the languages that are translated from and into.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        tokenizer: AnyTokenizer,
        usable: frozenset[int] | None,
        languages: tuple[str, str],
    ) -> None:
        self._dictionary, self._tokenizer, self._usable = dictionary, tokenizer, usable
        self._source_language = languages[0]
        self._language = primary_language(languages[1]) or languages[1]
        self._known: dict[tuple[int, ...], _Ways] = {}

    def of(self, text: str, terms: Iterable[str] = ()) -> tuple[RareWord, ...]:
        """Return the rare words of a source.

        Args:
            text: The source.
            terms: What of it has a translation already.
        """
        settled = {word for term in terms for word in lowered_words(term)}
        found: dict[str, RareWord] = {}
        until = 0
        for place in places_in(text, self._source_language):
            if place.start < until:
                continue
            for word in place.words:
                if word.lower() in found or not settled.isdisjoint(lowered_words(word)):
                    continue
                rare = self._rare(word, opening=place.opening)
                if rare is not None:
                    until = place.start + len(word)
                    found[word.lower()] = replace(rare, span=(place.start, until))
                    break
        return tuple(each for each in found.values() if each.within)

    def _rare(self, word: str, *, opening: bool) -> RareWord | None:
        """A word that the dictionary has, or a name; None of any other."""
        translations = self._dictionary.look_up(word, opening=opening)
        if translations:
            spelt = self._spelt(translations, opening=opening)
            return replace(spelt, translation=self._printed(word, translations))
        own = self._dictionary.source_words
        if own is None or " " in word:
            return None
        translations = self._dictionary.look_up(word.lower(), opening=opening)
        if translations:  # for all that is known it is either
            either = [*translations, self._pieces(word)]
            return replace(self._spelt(either, opening=False), name=word)
        if not own.is_name(word, opening=opening):
            return None
        return replace(self._spelt([self._pieces(word)], opening=opening), stems=(), name=word)

    def _printed(self, word: str, translations: Iterable[tuple[int, ...]]) -> str:
        """The text of the best translation; no name, which stands beside a word by chance."""
        texts = (self._tokenizer.decode(list(pieces)) for pieces in translations)
        if word != word.lower() or self._language in CAPITALISED:
            return next(texts)
        return next((text for text in texts if text == text.lower()), "")

    def _spelt(self, translations: Collection[tuple[int, ...]], *, opening: bool) -> RareWord:
        known = [self._known_ways(pieces) for pieces in translations]
        within = [path for ways in known for path in ways.within]
        begins = [path for ways in known for path in ways.opening] if opening else []
        return RareWord(
            tuple(dict.fromkeys([*within, *begins])),
            tuple(dict.fromkeys(begins)),
            tuple(ways.stem for ways in known),
        )

    def _known_ways(self, pieces: tuple[int, ...]) -> _Ways:
        if pieces not in self._known:
            self._known[pieces] = self._ways(pieces)
        return self._known[pieces]

    def _ways(self, pieces: tuple[int, ...]) -> _Ways:
        text = self._tokenizer.decode(list(pieces))
        begins = capitalised(text, self._language)
        within = [pieces]
        if self._language in _ELIDING and _VOWEL.match(text):
            within.append(self._behind("l'", text))
        marks = _OPENING_MARKS.get(self._language, ())
        opening = [self._pieces(begins), *(self._behind(mark, begins) for mark in marks)]
        return _Ways(self._usable_of(within), self._usable_of(opening), stem_of(text))

    def _behind(self, before: str, text: str) -> tuple[int, ...]:
        """The pieces of a text that stands right behind another; none if they are not parted."""
        first, whole = self._pieces(before), self._pieces(before + text)
        return whole[len(first) :] if whole[: len(first)] == first else ()

    def _pieces(self, text: str) -> tuple[int, ...]:
        (pieces,) = self._tokenizer.target.encode_all([text])
        return tuple(pieces)

    def _usable_of(self, paths: Iterable[tuple[int, ...]]) -> Spellings:
        usable = self._usable
        return tuple(path for path in paths if path and (usable is None or usable.issuperset(path)))


def stem_of(translation: str) -> str:
    """Return what texts have, lower-cased, that say a translation in some form."""
    letters = max(_LEAST_STEM, math.ceil(_STEM * len(translation)))
    return translation.lower()[:letters]
