"""Capitals and small letters as a language has them.

Unicode's mappings (what Python's `str.upper` and `str.lower` do) leave out what depends on the
language: Turkish and Azeri have an i with and one without a dot (SpecialCasing.txt), Greek words in
capitals have no accents (Unicode, section 7.2; CLDR's ``el-Upper``), and Georgian subtitles are set
in the one alphabet that all fonts have.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from subfit.text.languages import language_of
from subfit.text.word_bounds import UNSPACED

_LIGATURES = {"œ": "oe", "æ": "ae"}
"""Letters that many type as two: ``cœur``, ``coeur``."""
_DOTTED = ("az", "tr")
"""Languages in which i and ı, İ and I are four letters."""
# Georgian got capitals in Unicode 11 (2018), for headings; most fonts of players lack them.
_MKHEDRULI = {capital: capital - 0x1C90 + 0x10D0 for capital in range(0x1C90, 0x1CC0)}
# An accent on the first of two vowels says that they are no diphthong; in capitals dots say so.
_HIATUS = regex.compile(r"(?<=[ΑΕΗΟΥΩ]\u0301)[ΙΥ](?!\p{M})")
# The word for "or" keeps its accent, which is all that tells it from the article.
_GREEK_ACCENT = regex.compile(
    r"((?<![\p{L}\p{M}])Η\u0301(?!\p{L}))|(?<=\p{Greek}\p{M}*)[\u0300\u0301\u0313\u0314\u0342]"
)
_LEFT_OUT = regex.compile(
    r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]"
    rf"|(?<={UNSPACED})\s|\s(?=\s|{UNSPACED})"
)
"""Hebrew vowels and accents; Arabic vowels, and what only draws a word out; white space beside
scripts that have none, where a line was broken, and all but one of several."""


def in_capitals(text: str) -> bool:
    """Whether a text has capitals and no small letters; ``ß`` stands among capitals too."""
    return text.replace("ß", "").isupper()


def capitals(text: str, language: str) -> str:
    """Return a text in capitals.

    Args:
        text: Any text; ß becomes SS.
        language: Its language tag.
    """
    language = language_of(language)
    if language in _DOTTED:
        text = text.replace("i", "İ")
    loud = text.upper().translate(_MKHEDRULI)
    if language != "el":
        return loud
    apart = _HIATUS.sub("\\g<0>\u0308", unicodedata.normalize("NFD", loud))
    return unicodedata.normalize("NFC", _GREEK_ACCENT.sub(r"\1", apart))


def small(text: str, language: str) -> str:
    """Return a text in small letters.

    Args:
        text: Any text. The accents of Greek in capitals cannot be told.
        language: Its language tag.
    """
    text = text.replace("I\u0307", "İ").replace("İ", "i")
    if language_of(language) in _DOTTED:
        text = text.replace("I", "ı")
    return text.lower()


def capitalised(text: str, language: str) -> str:
    """Return a text with a capital for its first letter, as where a sentence begins.

    Args:
        text: Any text that begins with a letter; of ``ǆ`` and the like only one half is a capital,
            of the Dutch ij both.
        language: Its language tag.
    """
    language = language_of(language)
    if language == "nl" and text.startswith("ij"):
        return "IJ" + text[2:]
    first = "İ" if language in _DOTTED and text[:1] == "i" else text[:1].title()
    return first + text[1:]


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is compared with others, and where its characters come from.

    The vowel points of Arabic and Hebrew, which may be written or not, are left out; white space is
    one space.
    """

    text: str
    origins: tuple[int, ...]
    """Of each character the place that its own has in the original; at the end the latter's length.
    What became two (``ß``: ``ss``) has the same one twice."""

    def at(self, place: int) -> int:
        """Return where the character at a place of the original is now."""
        return bisect_left(self.origins, place)

    def origin(self, place: int) -> int | None:
        """Return the place in the original, None behind it or within one character of it."""
        origin, before = self.origins[place : place + 1], self.origins[place - 1 : place]
        return origin[0] if origin and origin != before else None


@lru_cache(maxsize=8192)
def fold(text: str, language: str, *, loud: bool = False) -> Folded:
    """Fold the case of a text (Unicode, section 5.18, in full: ``Straße``, ``STRASSE`` are alike).

    Args:
        text: Any text, in NFC.
        language: Its language tag.
        loud: Whether it is to be compared with one in capitals, where Greek has no accents.
    """
    language = language_of(language)
    return _folded(text, [_fold(char, language, loud=loud) for char in text])


@lru_cache(maxsize=8192)
def unfolded(text: str) -> Folded:
    """Return a text with its case, for where that counts."""
    return _folded(text, text)


def _folded(text: str, chars: Sequence[str]) -> Folded:
    """Join what the characters of a text have become."""
    left_out = {match.start() for match in _LEFT_OUT.finditer(text)}
    kept = [
        "" if place in left_out else " " if char.isspace() else char
        for place, char in enumerate(chars)
    ]
    origins = (place for place, part in enumerate(kept) for _ in part)
    return Folded("".join(kept), (*origins, len(kept)))


def _fold(char: str, language: str, *, loud: bool) -> str:
    if language in _DOTTED and char == "I":
        return "ı"
    folded = "i" if char == "İ" else char.casefold()
    folded = _LIGATURES.get(folded, folded)
    if loud and language == "el":
        apart = unicodedata.normalize("NFD", folded)
        folded = "".join(mark for mark in apart if not unicodedata.combining(mark)) or folded
    return folded
