"""Terms that a client wants translated in one way, and names that stay as they are.

Whole words count: `ship` is not found in `shipping`. What is whole in scripts without spaces, says
`subfit.text.word_bounds`. Case counts only where a term says so, or is a name. White space of any
width, straight and curly apostrophes, and hyphens of any kind are alike.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple, Protocol, TypeVar

from subfit.text.casing import Folded, capitalised, fold, in_capitals, unfolded
from subfit.text.languages import same_language
from subfit.text.word_bounds import split_unspaced, word_bounds

_ALIKE = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "\xa0": " ", "\u202f": " "}
    # Soft hyphens, and what says that a line may or may not be broken, part no letters.
    | dict.fromkeys("\xad\u200b\u2060")
)
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
        own = self.targets[0]
        if self.is_name and same_language(language, "de") and re.search(r"[^\Wsxzß\d_]$", own):
            return (own, own + "s")
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
    """Whether it is no term, but has to be kept all the same; see `subfit.terms.protected`."""
    held: bool = True
    """Whether a translation with it is searched for; else it is only told where it is missing."""
    language: str = ""
    """Tag of the language of the targets, as far as known: of its capitals."""
    digits: str = ""
    """Of a number in words, how its source has it in digits. Such a placeable has a capital where a
    sentence begins, and may be left out with what it counts."""
    times: int = 1
    """How often the source has it, if it is written alike each time: signs, labels, addresses."""
    of_file: bool = False
    """Whether it is a name that its file tells (`subfit.terms.names`); it may be left out with
    what it belongs to, as where somebody is only spoken to."""

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.source)

    @property
    def spelt(self) -> bool:
        """Whether it is a number in words."""
        return bool(self.digits)

    def is_in(self, text: str) -> bool:
        """Whether a translation has one of the forms, as a whole word.

        The first letter may be a capital where the form has none, as where a sentence begins; a
        translation in capitals throughout may have all of it in capitals. Of placeables no case
        counts, and what is no Latin letter may stand right beside them, if they are no words.
        """
        plain = plain_characters(text)
        if self.spelt:
            return any(_spelt(target).search(plain) for target in self.targets)
        if self.times > 1:
            return self.count_in(text) >= self.times
        if self.placeable:
            digits = "".join(str(unicodedata.decimal(char, char)) for char in plain)
            return any(_placeable(target).search(digits) for target in self.targets)
        return any(_stands_in(plain, target, self.language) for target in self.targets)

    def count_in(self, text: str) -> int:
        """Return how often a text has a placeable, as the source has it or in any other form."""
        text, count = plain_characters(text), 0
        for form in sorted({self.source, *self.targets}, key=len, reverse=True):
            text, found = _placeable(form).subn("\ufffc", text)
            count += found
        return count


class _Placed(Protocol):
    """A part of a text, or what is found at one."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


_Part = TypeVar("_Part", bound=_Placed)


def disjoint(parts: Iterable[_Part]) -> list[_Part]:
    """Return the parts of a text that overlap none given before them, in order of their places."""
    taken: list[_Part] = []
    for part in parts:
        at = bisect_right(taken, (part.start, part.end), key=lambda one: (one.start, one.end))
        if all(one.end <= part.start for one in taken[max(0, at - 1) : at]) and all(
            part.end <= one.start for one in taken[at : at + 1]
        ):
            taken.insert(at, part)
    return taken


class TermFinder:
    """Finds terms in texts of the source language.

    Args:
        terms: Those of the target language, and names.
        language: Tag of the target language.
        source_language: Tag of the texts' language, which says what capitals are alike.
    """

    def __init__(self, terms: Iterable[Term], language: str, source_language: str = "en") -> None:
        self._language = language
        forms = [
            (plain_form(form), term)
            for term in terms
            if term.is_name or same_language(term.language, language)
            for form in (term.targets_in(source_language) if term.is_name else term.sources)
        ]
        # Of texts in capitals throughout, and of others.
        self._forms = {loud: _Forms(forms, source_language, loud=loud) for loud in (False, True)}

    def find(self, text: str) -> tuple[Occurrence, ...]:
        """Return the terms of a text, each once, in the order of their first places.

        Of terms that overlap the longest counts, and of equally long ones the first. In a text that
        is in capitals throughout case does not count.
        """
        plain = plain_characters(text)
        found: dict[Term, Occurrence] = {}
        matches = sorted(
            self._forms[in_capitals(plain)].matches(plain),
            key=lambda match: (match.start - match.end, match.start, match.rank),
        )
        for start, end, _, term in disjoint(matches):
            targets = term.targets_in(self._language)
            found.setdefault(
                term, Occurrence(plain[start:end], start, targets, language=self._language)
            )
        return tuple(found.values())


class _Match(NamedTuple):
    """Where a form stands in a text."""

    start: int
    end: int
    rank: int
    """Of equally long ones the first counts."""
    term: Term


class _Forms:
    """Forms of terms, looked up at every place of a text where a word may begin.

    Args:
        forms: Each with its term.
        language: Tag of their language.
        loud: Whether the texts are in capitals throughout, and no case counts.
    """

    def __init__(self, forms: Iterable[tuple[str, Term]], language: str, *, loud: bool) -> None:
        self._views: dict[bool, Callable[[str], Folded]] = {
            True: unfolded,
            False: partial(fold, language=language, loud=loud),
        }
        self._terms: dict[bool, dict[str, list[tuple[int, Term]]]] = {False: {}, True: {}}
        """By whether case counts, and by form."""
        for rank, (form, term) in enumerate(forms):
            case = term.case and not loud
            if text := self._views[case](form).text:
                self._terms[case].setdefault(text, []).append((rank, term))
        self._sizes = {case: {*map(len, terms)} for case, terms in self._terms.items()}

    def matches(self, text: str) -> Iterator[_Match]:
        """Yield all matches of the forms in a text."""
        bounds = word_bounds(text)
        for case, terms in self._terms.items():
            view = self._views[case](text) if terms else unfolded("")
            for at, size in product({view.at(bound) for bound in bounds}, self._sizes[case]):
                known = terms.get(view.text[at : at + size], ())
                end = _end(view, at + size, text) if known else None
                if end in bounds:
                    yield from (_Match(view.origins[at], end, *one) for one in known)


def _end(view: Folded, place: int, text: str) -> int | None:
    """Where what ends at a place of a view ends in its text, but for white space behind it."""
    end = view.origin(place)
    while end and text[end - 1].isspace():
        end -= 1
    return end


def plain_form(form: str) -> str:
    """Return a form in NFC, with single spaces, straight apostrophes and plain hyphens."""
    return " ".join(plain_characters(form).split())


def plain_characters(text: str) -> str:
    """Return a text in NFC, with straight apostrophes, plain hyphens and breaking spaces."""
    return unicodedata.normalize("NFC", text).translate(_ALIKE)


def _stands_in(text: str, form: str, language: str) -> bool:
    """Whether a text has a target form as a whole word, its first letter perhaps a capital."""
    form, open_end = plain_form(form.removesuffix(OPEN_END)), form.endswith(OPEN_END)
    view, forms = unfolded(text), {unfolded(form), unfolded(capitalised(form, language))}
    if in_capitals(text):
        view, forms = fold(text, language, loud=True), {fold(form, language, loud=True)}
    bounds = word_bounds(text)
    return any(
        view.text.startswith(form.text, at)
        and (open_end or _end(view, at + len(form.text), text) in bounds)
        for at in map(view.at, bounds)
        for form in forms
    )


@lru_cache(maxsize=4096)
def _placeable(form: str) -> re.Pattern[str]:
    """A form of a placeable, which no other Latin letters or digits go on with."""
    digits = r"(?<!\d)(?<!\d[.,])", r"(?!\d|[.,]\d)"
    letters = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
    first, last = form[:1], form[-1:]
    before = (digits if first.isdigit() else letters)[0] * first.isalnum()
    before += r"(?<!\d\s)" * (first.isnumeric() and not first.isdigit())  # of 2 ¾
    after = (digits if last.isdigit() else letters)[1] * last.isalnum()
    capitals = form.isupper() and form.isalpha()  # of "US" us is none
    return re.compile(before + _spaced(form) + after, 0 if capitals else re.IGNORECASE)


@lru_cache(maxsize=4096)
def _spelt(form: str) -> re.Pattern[str]:
    """A number in words, which is no part of another one; in digits it may begin a word."""
    if form[:1].isdigit():
        return _placeable(form)
    after = r"(?![\w-])" * (form[-1:] != "'")
    return re.compile(r"(?<![\w-])" + _spaced(form) + after, re.IGNORECASE)


def _spaced(form: str) -> str:
    """What matches a form, with any white space between its words.

    Where the script has none, there may be some: a line was broken there.
    """
    words = (r"\s*".join(map(re.escape, split_unspaced(word))) for word in form.split())
    return r"\s+".join(words)


def missing_from(text: str, terms: Sequence[Occurrence]) -> tuple[Occurrence, ...]:
    """Return the terms that a translation does not have."""
    return tuple(term for term in terms if not term.is_in(text))
