"""Which words of a translation are out of the vocabulary of what its model was trained on.

A small model spells words it does not know piece by piece, and makes some up on the way:
"raggiungeno", "konkrächen". A word that occurs nowhere in what the model was trained on, nor in the
source, is seldom a real one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

import regex

from subfit.text.languages import CAPITALISED, primary_language
from subfit.text.word_bounds import is_unspaced

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_LEAST_PART = 4
"""Letters of a part of a compound, at least: short ones would make anything of anything."""
_MOST_PARTS = 4
_ENDINGS = {"de": ("s", "es", "n", "en")}
"""Endings of nouns by language: seen in one case, a noun is known in the others."""
_CLITICS = {
    "es": regex.compile(r"(?:(?P<infinitive>.+r)|(?P<gerund>.+ndo))(?:[mts]e|nos|l[aeo]s?)+"),
    "it": regex.compile(
        r"(?:(?P<infinitive>.+r)|(?P<gerund>.+ndo))"
        r"(?:(?:[mtscv]i|l[aeio]|ne|gli)|(?:[mtsc]e|ve|glie)(?:l[aeio]|ne))"
    ),
}
"""Verbs with pronouns at their end: a verb that was seen is known with any."""
_UNACCENTED = str.maketrans("áéí", "aei")
_FINAL = {"es": "", "it": "e"}
"""What an infinitive ends in without them."""
_COMPOUNDING = CAPITALISED | {"da", "fi", "hu", "nb", "nl", "nn", "no", "sv"}


def lowered_words(text: str) -> Iterator[str]:
    """Yield the words of a text as they are listed: letters alone, lower-cased.

    Those of scripts that are written without spaces are left out: where they end is not shown.
    """
    for match in _WORD.finditer(text):
        if not is_unspaced(match[0][0]):
            yield match[0].lower()


def given_words(source: str, terms: Collection[str] = ()) -> frozenset[str]:
    """Return the words that a translation may have from its source, or from a glossary."""
    return frozenset(word for part in (source, *terms) for word in lowered_words(part))


def fingerprint(word: str) -> int:
    """Return what stands for a word in a list, of 32 bits: lists are small, and no texts."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "little", signed=True)


class KnownWords:
    """The words that a model has seen in a language.

    Args:
        fingerprints: Of these words, as `lowered_words` yields them.
        language: Tag of the language, which says whether compounds of them are words too.
    """

    def __init__(self, fingerprints: Iterable[int], language: str) -> None:
        self._known = frozenset(fingerprints)
        self._language = primary_language(language) or language
        self._compounds = lru_cache(maxsize=4096)(self._is_compound)
        self._knows = lru_cache(maxsize=65536)(self._is_listed)

    def out_of_vocabulary(
        self, text: str, source: str, terms: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Return the words of a translation that it can hardly have from anywhere.

        Args:
            text: The translation.
            source: What it translates; its words may stay, also with an s: "Toms".
            terms: Texts that a glossary asks for.

        Returns:
            These words as they stand, in their order, each once.
        """
        given = given_words(source, terms)
        words = dict.fromkeys(
            match[0] for match in _WORD.finditer(text) if not is_unspaced(match[0][0])
        )
        return tuple(word for word in words if not self.knows(word, given))

    def knows(self, word: str, given: Collection[str]) -> bool:
        """Whether a word may stand in a translation.

        Args:
            word: Letters alone, as they stand.
            given: Words that may stay as they are; see `given_words`.
        """
        lower = word.lower()
        if len(word) == 1 or self._knows(lower) or lower in given:
            return True
        if lower.endswith("s") and lower[:-1] in given:
            return True
        if self._is_inflected(word):
            return True
        may_be_compound = self._language in _COMPOUNDING and (
            word[0].isupper() or self._language not in CAPITALISED
        )
        return may_be_compound and self._compounds(lower)

    def _is_inflected(self, word: str) -> bool:
        """Whether it is a known noun in another case, or a known verb with pronouns."""
        lower = word.lower()
        if word[0].isupper():
            endings = _ENDINGS.get(self._language, ())
            stems = (lower[: -len(ending)] for ending in endings if lower.endswith(ending))
            if any(len(stem) >= _LEAST_PART and self._knows(stem) for stem in stems):
                return True
        match = _CLITICS[self._language].fullmatch(lower) if self._language in _CLITICS else None
        if match is None:
            return False
        verb = match["gerund"] or match["infinitive"] + _FINAL[self._language]
        return self._knows(verb) or self._knows(verb.translate(_UNACCENTED))

    def _is_listed(self, word: str) -> bool:
        return fingerprint(word) in self._known

    def _is_compound(self, word: str, parts: int = _MOST_PARTS) -> bool:
        """Whether a word is made of known ones, the first perhaps with an s: Nahrungs-würfel."""
        if parts == 1:
            return self._knows(word)
        for end in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
            first, rest = word[:end], word[end:]
            linked = first.endswith("s") and end > _LEAST_PART and self._knows(first[:-1])
            if (self._knows(first) or linked) and (
                self._knows(rest) or self._is_compound(rest, parts - 1)
            ):
                return True
        return False
