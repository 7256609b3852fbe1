"""Capitals and small letters as a language has them, and as words have them in running text.

Unicode's mappings (what Python's `str.upper` and `str.lower` do) leave out what depends on the
language: Turkish and Azeri have an i with and one without a dot (SpecialCasing.txt), Greek words in
capitals have no accents (Unicode, section 7.2; CLDR's ``el-Upper``), and Georgian subtitles are set
in the one alphabet that all fonts have.

Words of a text that had nothing but capitals get theirs once it is in small letters, and the first
word of a cue loses one that it has for standing there. What names are, a file tells itself, where
it is in small letters elsewhere. German nouns have capitals too: those of ``german_nouns.yaml``,
compounds of them, and words with endings that only nouns have. Whatever else there is stays small,
also the polite Sie, which cannot be told from "sie".
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from subfit.text.languages import language_of, primary_language
from subfit.text.linebreak_lists import packaged, word_lists
from subfit.text.sentence_ends import start_of
from subfit.text.word_bounds import UNSPACED_LETTER

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
    rf"|(?<={UNSPACED_LETTER})\s|\s(?=\s|{UNSPACED_LETTER})"
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


_FIRST_WORD = regex.compile(r"[^\w]*([\w'’]+)")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")
_NAME = regex.compile(  # d'Hélène
    r"(?<=[\p{Ll},] (?:\p{Ll}{1,6}['’])?)\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?(?![\p{L}])"
)
_SMALL = regex.compile(r"(?<!\p{L})\p{Ll}[\p{Ll}-]+(?!\p{L})")
_ENDING = regex.compile(r"\p{L}{3,}(?:ung|heit|keit|schaft|tion|tät|ismus)(?:en)?")
# Participles: gesungen, bezwungen; and jungen, which is mostly no noun.
_NO_NOUN = regex.compile(
    r"(?:\w*(?:ge|be|er|ver|miss|durch|ent|über|auf|ab))?"
    r"(?:sung|sprung|zwung|lung|schlung|schwung|drung|rung|klung|dung|wrung)en|jung(?:en)?"
)
_POLITE = {
    "de": frozenset(["Sie", "Ihnen", "Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer", "Ihres"]),
    "it": frozenset(["Lei"]),
}
"""Words that have another meaning with a capital: "you"."""
_LEAST_FIRST = 3
"""Letters of what stands before the noun that ends a compound, at least."""
_PHRASE = regex.compile(
    r"im|am|zum|zur|vom|beim|ins|dem|des|eine?[mnrs]?|(?:[mds]ein|kein|unser|ihr|eur)(?:e[mnrs]?)?"
)
"""Behind these a word is a noun where no adjective is."""
_NO_NAMES = frozenset(["ernst", "frank", "rosa", "ben", "ella", "ida"])
"""First names that are words as well."""
_NO_COMPOUNDS = regex.compile(
    "jedermann|anhand|allerhand|derzeit|jederzeit|zurzeit|seinerzeit|.*falls|diesmal|vermisst"
    "|verwand|allein|verlass|überhaupt|zuhause"
)
"""Words that end like nouns and are none."""


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that texts have with a capital within sentences, and nowhere in small
    letters."""
    names: set[str] = set()
    small: set[str] = set()
    for text in texts:
        names.update(_NAME.findall(text))
        small.update(_SMALL.findall(text))
    return frozenset(name for name in names if name.lower() not in small)


def recased(text: str, language: str, names: Iterable[str] = ()) -> str:
    """Return a text in small letters with capitals for names, and for nouns in German.

    Args:
        text: All in small letters.
        language: Its tag.
        names: Words with a capital, as `names_in` finds them.
    """
    forms = {part.lower(): part for name in names for part in name.split("-")}
    german = primary_language(language) == "de"
    if not (forms or german):
        return text
    parts: list[str] = []
    at, before = 0, ""
    for match in _WORD.finditer(text):
        word = match[0]
        form = forms.get(word, word)
        if german and form == word and is_german_noun(word, before):
            form = word[0].upper() + word[1:]
        parts += [text[at : match.start()], form]
        at, before = match.end(), word
    return "".join([*parts, text[at:]])


def is_german_noun(word: str, before: str = "") -> bool:
    """Whether a word in small letters is a noun, or a first name, for all that is known.

    Args:
        word: The word.
        before: The one before it, in small letters.
    """
    always, phrase, last = _nouns()
    if word in always or (word in phrase and _PHRASE.fullmatch(before)):
        return True
    if _ENDING.fullmatch(word):
        return _NO_NOUN.fullmatch(word) is None
    if word in word_lists("de").first_names:
        return word not in _NO_NAMES
    return _NO_COMPOUNDS.fullmatch(word) is None and any(
        word[at:] in last for at in range(_LEAST_FIRST, len(word) - 2)
    )


def uncapitalised(text: str, language: str) -> str:
    """Return a text within a sentence without the capital that some files give every cue.

    Args:
        text: Plain text; only a word that cannot be a name loses its capital.
        language: Its tag.
    """
    opening = _FIRST_WORD.match(text)
    if opening is None or start_of(text, language) != "capital" or text.isupper():
        return text
    lists, at = word_lists(language), opening.start(1)
    word = small(opening[1], language).replace("’", "'")
    polite = _POLITE.get(language_of(language), frozenset())
    elided, apostrophe, _ = word.partition("'")
    known = word in lists.function_words and opening[1] not in polite
    known = known or (bool(apostrophe) and elided in lists.elided)
    return text[:at] + small(text[at], language) + text[at + 1 :] if known else text


@cache
def _nouns() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    lists = packaged("subfit.text", "german_nouns.yaml")
    always, phrase, last = (frozenset(lists[name].split()) for name in ("always", "phrase", "last"))
    return always, phrase, last
