"""Terms that a client wants translated in one way, and names that stay as they are.

Whole words count: `ship` is not found in `shipping`. Case counts only where a term says so, or is a
name. White space of any width, straight and curly apostrophes, and hyphens of any kind are alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from subfit.languages import same_language

_ALIKE = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "\xa0": " ", "\u202f": " ", "\xad": None}
)
_WORD = re.compile(r"\w+")
OPEN_END = "*"
"""Ends a target form that other letters may follow: ``Leuchtturm*`` allows ``Leuchtturms``."""


@dataclass(frozen=True, slots=True)
class Term:
    """What a source word or phrase is to become in one language."""

    sources: tuple[str, ...]
    """Its forms in the source; the first is the one it is called by."""
    targets: tuple[str, ...]
    """What may stand for it, the preferred form first; see `OPEN_END`."""
    language: str
    """Tag of the language of the targets; empty for a name, which is the same in all."""
    case: bool = False
    """Whether capitals count in the source."""

    @property
    def is_name(self) -> bool:
        """Whether it stays as it is."""
        return not self.language

    def targets_in(self, language: str) -> tuple[str, ...]:
        """Return what may stand for it in a language; German names may have their genitive s."""
        name = self.targets[0]
        if self.is_name and same_language(language, "de") and re.search(r"[^\Wsxzß\d_]$", name):
            return (name, name + "s")
        return self.targets


def name(text: str) -> Term:
    """Return the term that keeps a name as it is."""
    return Term((text,), (text,), language="", case=True)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A term that a text has."""

    source: str
    """As the text has it."""
    start: int
    """Where, in characters of the text as NFC has it."""
    targets: tuple[str, ...]
    """What may stand for it in the translation, the preferred form first."""
    placeable: bool = False
    """Whether it is no term, but has to be kept all the same; see `subfit.placeables`."""
    held: bool = True
    """Whether a translation with it is searched for; else it is only told where it is missing."""

    def is_in(self, text: str) -> bool:
        """Whether a translation has one of the forms, as a whole word.

        The first letter may be a capital where the form has none, as where a sentence begins; a
        translation in capitals throughout may have all of it in capitals. Of placeables no case
        counts, and what is no Latin letter may stand right beside them.
        """
        plain = plain_characters(text)
        if self.placeable:
            digits = plain if plain.isascii() else _western_digits(plain)
            return any(_placeable(each).search(digits) for each in self.targets)
        shouted = plain.isupper()
        return any(_pattern(each, upper=shouted).search(plain) for each in self.targets)


class TermFinder:
    """Finds terms in texts of the source language.

    Args:
        terms: Those of the target language, and names.
        language: Tag of the target language.
    """

    def __init__(self, terms: Iterable[Term], language: str) -> None:
        self._language = language
        self._by_word: dict[str, list[tuple[int, str, Term]]] = {}
        for term in terms:
            if term.is_name or same_language(term.language, language):
                for form in term.sources:
                    self._enter(form, term)
        for found in self._by_word.values():
            found.sort(key=lambda each: -len(each[1]))

    def _enter(self, form: str, term: Term) -> None:
        """Enter a form by its first word."""
        form = plain_form(form)
        word = _WORD.search(form)
        start = word.start() if word else 0
        key = word[0] if word else form[:1]
        self._by_word.setdefault(key.casefold(), []).append((start, form, term))

    def find(self, text: str) -> tuple[Occurrence, ...]:
        """Return the terms of a text, each once, in the order of their first places.

        Of terms that overlap the longest counts, and of equally long ones the first. In a text that
        is in capitals throughout case does not count.
        """
        if not self._by_word:
            return ()
        plain = plain_characters(text)
        places: list[tuple[int, int, Term]] = []
        for word in re.finditer(r"\w+|[^\w\s]", plain):
            for offset, form, term in self._by_word.get(word[0].casefold(), ()):
                end = _end_of(plain, word.start() - offset, form, term.case)
                if end:
                    places.append((word.start() - offset, end, term))
        found: dict[Term, Occurrence] = {}
        taken: list[tuple[int, int]] = []
        for start, end, term in sorted(places, key=lambda each: (each[0] - each[1], each[0])):
            if all(end <= before or after <= start for before, after in taken):
                taken.append((start, end))
                earlier = found.get(term)
                if earlier is None or start < earlier.start:
                    targets = term.targets_in(self._language)
                    found[term] = Occurrence(plain[start:end], start, targets)
        return tuple(sorted(found.values(), key=lambda each: each.start))


def plain_form(form: str) -> str:
    """Return a form in NFC, with single spaces, straight apostrophes and plain hyphens."""
    return " ".join(plain_characters(form).split())


def plain_characters(text: str) -> str:
    """Return a text in NFC, with straight apostrophes, plain hyphens and breaking spaces."""
    return unicodedata.normalize("NFC", text).translate(_ALIKE)


def _end_of(text: str, start: int, form: str, case: bool) -> int:
    """Where a form that begins at a place of a text ends there, 0 if it does not stand there."""
    if start < 0 or (start and text[start].isalnum() and text[start - 1].isalnum()):
        return 0
    match = _literal(form, case and not text.isupper()).match(text, start)
    return match.end() if match else 0


@lru_cache(maxsize=4096)
def _literal(form: str, case: bool) -> re.Pattern[str]:
    """A form as a whole word, with any white space between its words."""
    body = _spaced(form)
    after = r"(?!\w)" if form[-1:].isalnum() else ""
    return re.compile(body + after, 0 if case else re.IGNORECASE)


@lru_cache(maxsize=4096)
def _pattern(form: str, *, upper: bool) -> re.Pattern[str]:
    """A target form as a whole word, its first letter perhaps a capital."""
    form, open_end = plain_form(form.removesuffix(OPEN_END)), form.endswith(OPEN_END)
    variants = {form, form[:1].upper() + form[1:], *([form.upper()] if upper else [])}
    words = "|".join(_spaced(each) for each in sorted(variants))
    before = r"(?<!\w)" if form[:1].isalnum() else ""
    after = r"(?!\w)" if form[-1:].isalnum() and not open_end else ""
    return re.compile(f"{before}(?:{words}){after}")


@lru_cache(maxsize=4096)
def _placeable(form: str) -> re.Pattern[str]:
    """A form of a placeable, which no other Latin letters or digits go on with."""
    before = r"(?<!\d)(?<!\d[.,])" if form[:1].isdigit() else r"(?<![A-Za-z0-9_])"
    after = r"(?!\d|[.,]\d)" if form[-1:].isdigit() else r"(?![A-Za-z0-9_])"
    return re.compile(before + _spaced(form) + after, re.IGNORECASE)


def _spaced(form: str) -> str:
    """An expression for a form, with any white space between its words."""
    return r"\s+".join(map(re.escape, form.split()))


def _western_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in text)


def missing_from(text: str, terms: Sequence[Occurrence]) -> tuple[Occurrence, ...]:
    """Return the terms that a translation does not have."""
    return tuple(each for each in terms if not each.is_in(text))
