"""Tables of persons, CSV or XLSX: who is who, how they are written, whom they address formally."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from subfit.errors import InputFileError
from subfit.files import read_bytes
from subfit.subtitles.scripts.columns import heading_of
from subfit.subtitles.scripts.workbook import read_workbook
from subfit.terms.glossary import Term, name
from subfit.terms.glossary_file import Entries, Origin, column_of, forms_in, rows_of, text_of, tidy
from subfit.text.formality import Formality
from subfit.text.languages import closest_language, primary_language

_COLUMNS = {
    "name": "name|person|character|role|source",
    "target": "target|translation|name in target|written",
    "gender": "gender|sex",
    "formal": "formal|formal to|formally|addresses formally|formal with",
}
_GENDERS = {"f": "female", "w": "female", "woman": "female", "m": "male", "man": "male"}
_ANYBODY = frozenset({"*", "all", "everybody", "everyone", "anybody"})


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a film."""

    names: tuple[str, ...]
    """What they are called, the full name first."""
    written: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By language tag what these names are written as, where that is another; the tag is empty
    where it is so in any language."""
    gender: str = ""
    """In English; empty where it is not told."""
    formal: tuple[str, ...] | None = None
    """Names of those whom they address formally, ``*`` for all; None where nothing is told."""

    def is_called(self, name: str) -> bool:
        """Whether a name is one of theirs, whatever its case."""
        return name.casefold() in {own.casefold() for own in self.names}

    def addresses(self, other: Person | None) -> Formality | None:
        """Return how they speak to somebody; None if that is not told, or not to whom."""
        if self.formal is None or (other is None and self.formal not in ((), ("*",))):
            return None
        formally = (one == "*" or (other and other.is_called(one)) for one in self.formal)
        return "formal" if any(formally) else "informal"

    def written_in(self, language: str) -> tuple[str, ...]:
        """Return what their names are written as in a language."""
        known = dict(self.written)
        return known.get(closest_language(language, known) or "", self.names)

    def described(self, language: str) -> str:
        """Return a line that tells a language model of them."""
        name, written = self.names[0], self.written_in(language)[0]
        parts = [name if name == written else f"{name} (written {written})"]
        parts += [self.gender] if self.gender else []
        if self.formal:
            others = "everybody" if "*" in self.formal else ", ".join(self.formal)
            parts.append(f"addresses {others} formally")
        return ", ".join(parts)


def find_person(persons: Sequence[Person], label: str) -> Person | None:
    """Return whom a speaker's label names, as ``ANNA (off)``; None if it is none of them."""
    name = label.partition("(")[0].partition("[")[0].strip()
    return next((one for one in persons if one.is_called(name)), None)


def told_of(persons: Sequence[Person], text: str, language: str) -> str:
    """Return what a language model is told of those whom a text names; empty if it names none."""
    words = text.casefold()

    def is_in(name: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", words) is not None

    there = (one for one in persons if any(map(is_in, (*one.names, *one.written_in(language)))))
    return " ".join(f"{one.described(language)}." for one in there)


def read_persons(
    path: str, source_language: str, target_languages: Sequence[str], entries: Entries
) -> tuple[Person, ...]:
    """Read a table of persons.

    Args:
        path: CSV, TSV or XLSX with a first row that names its columns: name, and where wanted
            target (or a column for each language), gender, formal. Several names of one person, or
            several whom they address formally, are parted by ``|``.
        source_language: Tag of the language that is translated from.
        target_languages: Tags of the languages that are translated into.
        entries: Gets the names, which are held.

    Raises:
        InputFileError: It cannot be read, has no column of names, or no persons.
    """
    rows = list(_rows_of(path, source_language, entries))
    columns = [column_of(cell, _COLUMNS) for cell in rows[0][1]] if rows else []
    if "name" not in columns:
        remedy = "write a first row that names the columns: name,target,gender,formal"
        raise InputFileError(path, "no column of names", remedy=remedy)
    languages = [one for one in columns if one not in _COLUMNS and primary_language(one)]
    persons: list[Person] = []
    for line, cells in rows[1:]:
        row = dict(zip(columns, cells, strict=False))
        if not (names := forms_in(row["name"])):
            raise Origin(path, line).error("no name")
        written = [("", row.get("target", "")), *((tag, row.get(tag, "")) for tag in languages)]
        formal = None
        if "formal" in columns:
            others = forms_in(row.get("formal", "").replace(";", "|"))
            formal = tuple("*" if other.casefold() in _ANYBODY else other for other in others)
        gender = row.get("gender", "").casefold()
        told = tuple((tag, forms_in(cell)) for tag, cell in written if cell)
        person = Person(names, told, _GENDERS.get(gender, gender), formal)
        persons.append(person)
        for term in _held(person, target_languages):
            entries.add(Origin(path, line), term)
    if not persons:
        raise InputFileError(path, "no persons in it", remedy="write a row for each")
    return tuple(persons)


def _held(person: Person, languages: Sequence[str]) -> Iterator[Term]:
    """The names as terms: each by its own form, where there are as many of these."""
    if all(person.written_in(language) == person.names for language in languages):
        yield from map(name, person.names)
        return
    for language in languages:
        written = person.written_in(language)
        alike = len(written) == len(person.names)
        for number, own in enumerate(person.names):
            yield Term((own,), (written[number],) if alike else written, language, case=True)


def _rows_of(path: str, source_language: str, entries: Entries) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table that have anything in them, with their numbers."""
    if Path(path).suffix.lower() not in (".xlsx", ".xlsm"):
        yield from rows_of(text_of(path, entries, source_language), path)
        return
    for sheet in islice(read_workbook(read_bytes(path), path, None), 1):
        for number, row in enumerate(sheet.cells, 1):
            cells = [tidy(heading_of(cell)) for cell in row]
            if any(cells):
                yield number, cells
