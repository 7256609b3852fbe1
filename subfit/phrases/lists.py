"""The lists of phrases, as they are written.

A line of ``lists/*.tsv`` has one thing that is said, in five languages, parted by tabs. Within a
language ``|`` parts ways to say it, the best first. Behind an English one stand

- ``?`` where it is a question, and ``!`` where it means this only when it is cried out;
- ``,`` where what stands beside it, parted from it by a comma, is a sentence of its own;
- of what people are called, ``+`` where it is several, ``=`` where it is somebody polite.

Within a translation ``~`` parts what is said to a friend, to a stranger, and to several people.
Marks that end a sentence are not written: a translation has those of its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import regex

from subfit.phrases.keys import key_of
from subfit.text.formality import Formality

_OPENERS = "openers"
"""The list of words that sentences open with (yes, well, oh), which models translate well enough:
of longer sentences they are not cut off."""
_ORDERS = "orders"
PHRASES = (_OPENERS, "greetings", "answers", "questions", _ORDERS, "alarms", "captions")
"""The lists of things said; of what two of them have, the first counts."""
_VOCATIVES = "vocatives"
_PEOPLE = regex.compile(r"\b(?:i|you|he|she|it|we|they|me|him|her|us|them)\b")
_SEVERAL, _POLITE = "+", "="


@dataclass(frozen=True, slots=True)
class Rendering:
    """One translation of a phrase."""

    informal: str
    formal: str
    several: str | None
    """What is said to several people; None where that is not known."""

    def said_to(self, form: Formality | None, *, several: bool) -> str | None:
        """Return it as it is said to somebody, familiarly where no form is asked for."""
        if several:
            return self.several
        return self.formal if form == "formal" else self.informal


@dataclass(frozen=True, slots=True)
class Entry:
    """What a phrase is in another language."""

    renderings: tuple[Rendering, ...]
    """The best first."""
    cried: bool = False
    """Whether it means this only before an exclamation mark."""
    set_off: bool = False
    """Whether it is parted from the rest of its sentence by a comma."""
    opener: bool = False
    """Whether it only opens what is said."""
    several: bool = False
    """Of what people are called: whether it is several people."""
    polite: bool = False
    """Likewise: whether strangers are called so."""


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """What is known of a pair of languages."""

    phrases: Mapping[str, Entry]
    """By key (`subfit.phrases.keys.key_of`)."""
    questions: Mapping[str, Entry]
    vocatives: Mapping[str, Entry]
    """What people are called, by key."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a list: by language its ways to say something, as written."""

    cells: Mapping[str, tuple[str, ...]]
    list: str

    @property
    def is_question(self) -> bool:
        return _marks(self.cells["en"][0])[0].endswith("?")

    @property
    def is_set_off(self) -> bool:
        return any(_marks(way)[1] for way in self.cells["en"])


@cache
def phrase_table(source_language: str, language: str) -> PhraseTable | None:
    """Return the phrases of a pair of languages; None where they are not known.

    Args:
        source_language: Two letters: of the language that is translated from.
        language: Likewise: into.
    """
    if source_language == language or not {source_language, language} <= _languages():
        return None
    tables: dict[bool, dict[str, Entry]] = {False: {}, True: {}}
    rows = [row for name in PHRASES for row in _rows(name)]
    ambiguous = _ambiguous(rows, source_language)
    for row, way, renderings in _best_first(rows, source_language, language):
        for key, question, entry in _entries(row, way, renderings, source_language):
            table = tables[question]
            known = table.get(key)
            if (key, question) in ambiguous:
                continue
            if known is None or known.renderings == entry.renderings:
                table[key] = _merged(known, entry)
    return PhraseTable(
        MappingProxyType(tables[False]),
        MappingProxyType(tables[True]),
        MappingProxyType(_called(source_language, language)),
    )


def _called(source_language: str, language: str) -> dict[str, Entry]:
    """What people are called."""
    called: dict[str, Entry] = {}
    for row in _rows(_VOCATIVES):
        marks = {way[-1] for way in row.cells["en"]}
        best = _unmarked(row.cells[language][0])
        entry = Entry(
            (_rendering(best, language),), several=_SEVERAL in marks, polite=_POLITE in marks
        )
        ways = row.cells["en"] if source_language == "en" else _forms(row.cells[source_language][0])
        for way in ways:
            called.setdefault(key_of(_unmarked(way), source_language), entry)
    return called


def _unmarked(way: str) -> str:
    return way.rstrip(f" {_SEVERAL}{_POLITE}")


def _best_first(
    rows: Sequence[_Row], source_language: str, language: str
) -> list[tuple[_Row, str, tuple[Rendering, ...]]]:
    """All ways to say things, with their translations: what one row has first is not what another
    has second."""
    ranked = [
        (rank, row, way, renderings)
        for row in rows
        for renderings in [_renderings(row.cells[language], language)]
        for rank, way in enumerate(row.cells[source_language])
    ]
    ranked.sort(key=lambda one: one[0])
    return [(row, way, renderings) for _, row, way, renderings in ranked]


def _entries(
    row: _Row, way: str, renderings: tuple[Rendering, ...], source_language: str
) -> Iterator[tuple[str, bool, Entry]]:
    """The entry of a row under each form of a way to say it, and whether that asks."""
    english = source_language == "en"
    written, set_off = _marks(way)
    question = written.endswith("?") if english else row.is_question
    entry = Entry(
        renderings,
        cried=english and written.endswith("!"),
        set_off=set_off if english else row.is_set_off,
        opener=row.list == _OPENERS,
    )
    for form in _clear_forms(row, written, source_language):
        yield key_of(form, source_language), question, entry


def _clear_forms(row: _Row, way: str, language: str) -> list[str]:
    """The forms of a way to say something that cannot be meant of others than who is spoken to.

    "¿Está bien?" may ask somebody, or of him or her; German "Sie" where it opens a sentence may be
    "they". Orders are clear.
    """
    forms = _forms(way)
    if row.list == _ORDERS or len(forms) == 1:
        return forms
    if language == "de":
        return [form for form in forms if not form.startswith("Sie ")]
    if language == "es":
        return forms[:1]
    return forms[:1] + forms[2:] if language == "it" else forms


def _ambiguous(rows: Sequence[_Row], language: str) -> set[tuple[str, bool]]:
    """What is the best way to say several things that are said of different people.

    "¿Dónde está?" is "Where is he?" and "Where is it?": that is left to the model, which may know.

    Args:
        rows: All lines of all lists.
        language: Two letters: of the language that is translated from.
    """
    if language == "en":
        return set()
    meant: dict[tuple[str, bool], set[frozenset[str]]] = {}
    for row in rows:
        people = frozenset(_PEOPLE.findall(row.cells["en"][0]))
        for form in _clear_forms(row, row.cells[language][0], language):
            meant.setdefault((key_of(form, language), row.is_question), set()).add(people)
    return {key for key, several in meant.items() if len(several) > 1}


def _merged(known: Entry | None, entry: Entry) -> Entry:
    """One entry of two of the same phrase, which means the same cried out and not."""
    if known is None:
        return entry
    return replace(known, cried=known.cried and entry.cried, set_off=known.set_off or entry.set_off)


def _renderings(ways: Sequence[str], language: str) -> tuple[Rendering, ...]:
    if language == "en":
        plain = dict.fromkeys(_plain(way) for way in ways)
        return tuple(Rendering(way, way, way) for way in plain)
    return tuple(_rendering(way, language) for way in ways)


def _rendering(way: str, language: str) -> Rendering:
    informal, *others = _forms(way)
    if not others:
        return Rendering(informal, informal, informal)
    formal, *several = others
    to_several = several[0] if several else formal if language == "fr" else None
    return Rendering(informal, formal, to_several)


def _forms(way: str) -> list[str]:
    return [form.strip() for form in way.split("~")]


def _marks(way: str) -> tuple[str, bool]:
    """An English way without the comma behind it, and whether it had one."""
    return way.removesuffix(","), way.endswith(",")


def _plain(way: str) -> str:
    """An English way as a translation: with a capital, without marks."""
    text = way.rstrip(",?!")
    words = [
        "I" + word[1:] if word == "i" or word.startswith("i'") else word for word in text.split()
    ]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


@cache
def _languages() -> frozenset[str]:
    return frozenset(_rows(_VOCATIVES)[0].cells)


@cache
def _rows(name: str) -> tuple[_Row, ...]:
    """The lines of a list."""
    content = files("subfit.phrases").joinpath(f"lists/{name}.tsv").read_text(encoding="utf-8")
    heading, *lines = content.splitlines()
    languages = heading.split("\t")
    return tuple(
        _Row(dict(zip(languages, (tuple(cell.split(" | ")) for cell in cells), strict=True)), name)
        for cells in (line.split("\t") for line in lines)
    )
