"""Glossaries and lists of names as files: CSV, or TSV, in any encoding that subtitles may have.

A glossary has a row per term: source, target and, where wanted, case and what is for readers. A
header names the columns in any order; with languages as names it may have several: ``en,de,fr``.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from subfit.errors import InputFileError, UsageError
from subfit.files import read_bytes
from subfit.subtitles.encoding import decode
from subfit.terms.glossary import OPEN_END, Term, name, plain_form
from subfit.text.languages import closest_language, primary_language, same_language

_NAMES = {
    "source": "source|source term|source_term|term",
    "target": "target|target term|target_term|translation",
    "case": "case|case sensitive|case_sensitive|case-sensitive",
}
_WITHOUT_HEADER = ("source", "target", "case", "notes", "more notes")
_CASE = dict.fromkeys(("", *["no", "n", "false", "0", "insensitive", "ignore"]), False)
_CASE |= dict.fromkeys(["yes", "y", "true", "1", "sensitive", "exact", "match"], True)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a term was asked for."""

    path: str
    line: int | None = None

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"

    def error(self, problem: str, remedy: str | None = None) -> InputFileError:
        """Return the error of something that is wrong there."""
        return InputFileError(self.path, problem, line=self.line, remedy=remedy)


@dataclass(slots=True)
class Entries:
    """Terms from wherever they were asked for."""

    terms: list[Term] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What there is to tell: how a file was decoded, rows that say the same twice."""
    _places: dict[str, list[tuple[Origin, Term]]] = field(default_factory=dict)

    def add(self, place: Origin, term: Term) -> None:
        """Add a term.

        Raises:
            InputFileError: Another one says otherwise of the same source.
        """
        same = False
        for form in term.sources:
            beside = self._places.setdefault(plain_form(form).casefold(), [])
            for other_place, other in beside:
                if not _may_meet(term, other):
                    continue
                if term.targets != other.targets:
                    raise place.error(
                        f"{form!r} is to be {'|'.join(term.targets)!r} here and"
                        f" {'|'.join(other.targets)!r} in {other_place}",
                        "drop one, or allow both in one row, parted by |",
                    )
                if other_place != place and not same and _says_all_of(other, term):
                    same = True
                    self.notes.append(f"{place}: {form!r} stands in {other_place} already")
            beside.append((place, term))
        if not same:
            self.terms.append(term)


def _says_all_of(one: Term, other: Term) -> bool:
    """Whether a term is found wherever another is that is translated alike."""
    forms = [{plain_form(form).casefold() for form in term.sources} for term in (one, other)]
    return one.case == other.case and forms[0] >= forms[1]


def _may_meet(one: Term, other: Term) -> bool:
    """Whether two terms with a form that differs in case at most are found in the same places."""
    languages = one.language == other.language or one.is_name or other.is_name
    by_case = one.case and other.case and not set(one.sources) & set(other.sources)
    return languages and not by_case


def read_glossary(
    path: str, source_language: str, target_languages: Sequence[str], entries: Entries
) -> None:
    """Read a glossary.

    Args:
        path: A file with a row per term, or ``-``.
        source_language: Tag of the language that is translated from.
        target_languages: Tags of the languages that are translated into.
        entries: Gets the terms of these languages, in the order of the file.

    Raises:
        InputFileError: It cannot be read; a row is broken, or says otherwise than another.
        UsageError: It has no targets in one of the languages.
    """
    rows = list(rows_of(text_of(path, entries, source_language), path))
    if not rows:
        raise InputFileError(path, "no terms in it", remedy="write a row source,target for each")
    header = _header(rows[0][1], source_language)
    columns = header or list(_WITHOUT_HEADER)
    targets = _target_columns(path, columns, target_languages)
    for line, cells in rows[1:] if header else rows:
        place = Origin(path, line)
        if len(cells) > len(columns):
            raise place.error(
                f"{len(cells)} cells where there are {len(columns)} columns",
                "put a cell that has the separator in it into double quotes",
            )
        row = dict(zip_longest(columns, cells, fillvalue=""))
        sources, case = forms_in(row["source"]), _CASE.get(row.get("case", "").casefold())
        if not sources:
            raise place.error("no source term")
        if case is None:
            raise place.error(f"unknown case {row['case']!r}", "write yes or no")
        for language, column in targets.items():
            forms = forms_in(row[column])
            if any(not form.removesuffix(OPEN_END).strip() for form in forms):
                raise place.error(f"a target of nothing but {OPEN_END}")
            if forms:
                entries.add(place, Term(sources, forms, language, case))
            elif column == "target":
                raise place.error(
                    f"{sources[0]!r} has no target", "use --keep for what stays as it is"
                )


def read_names(path: str, entries: Entries) -> None:
    """Read a list of names that stay as they are, one a line; ``#`` begins a comment.

    Args:
        path: The file, or ``-``.
        entries: Gets them.

    Raises:
        InputFileError: It cannot be read, or has no names, or one is to be translated as well.
    """
    lines = [
        (number, tidy(line)) for number, line in enumerate(text_of(path, entries).split("\n"), 1)
    ]
    names = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not names:
        raise InputFileError(path, "no names in it", remedy="write one name a line")
    for number, line in names:
        entries.add(Origin(path, number), name(line))


def text_of(path: str, entries: Entries, source_language: str | None = None) -> str:
    """Return what a file says; ``entries`` get what there is to tell of its encoding."""
    decoded = decode(read_bytes(path), name=path, source_language=source_language)
    entries.notes += [f"{path}:{repair.line}: {repair.problem}" for repair in decoded.repairs]
    return decoded.text


def rows_of(text: str, path: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with the lines they begin in; no comments, no empty rows."""
    lines = ["" if line.lstrip().startswith("#") else line for line in text.split("\n")]
    first = next((line for line in lines if line.strip()), "")
    separator = "\t" if "\t" in first else ";" if first.count(";") > first.count(",") else ","
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = [tidy(cell) for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            remedy = "write a double quote within a quoted cell twice"
            raise Origin(path, line).error(f"not a row of a table ({error})", remedy) from error
        if any(cells):
            yield line, cells


def _header(cells: Sequence[str], source_language: str) -> list[str] | None:
    """The columns that a row names, None if it is no header."""
    columns = [_column(cell, source_language) for cell in cells]
    languages = [column for column in columns if primary_language(column)]
    return columns if "source" in columns and ("target" in columns or languages) else None


def column_of(cell: str, names: Mapping[str, str]) -> str:
    """Return the column that a cell of a header names; what is in no list names itself."""
    wanted = cell.casefold()
    return next((column for column, own in names.items() if wanted in own.split("|")), wanted)


def _column(cell: str, source_language: str) -> str:
    column = column_of(cell, _NAMES)
    own = primary_language(column) and same_language(column, source_language)
    return "source" if own else column


def _target_columns(path: str, columns: Sequence[str], languages: Sequence[str]) -> dict[str, str]:
    """The column of each target language."""
    there = [column for column in columns if primary_language(column)]
    columns_of = {
        language: closest_language(language, there)
        or next((one for one in there if same_language(one, language)), None)
        for language in languages
    }
    if "target" in columns and not any(columns_of.values()):  # "id" and "no" are no languages then
        if len(languages) > 1:
            raise UsageError(
                f"{path}: one column of targets for {', '.join(languages)};"
                " name a column for each language in a first row, as source,de,fr"
            )
        return {languages[0]: "target"}
    absent = [language for language, column in columns_of.items() if column is None]
    if absent:
        known = ", ".join(there) or "none"
        raise UsageError(f"{path}: no column for {', '.join(absent)}; there are {known}")
    return {language: column for language, column in columns_of.items() if column}


def forms_in(cell: str) -> tuple[str, ...]:
    """The forms of a cell, parted by ``|``, each once."""
    return tuple(dict.fromkeys(form for part in cell.split("|") if (form := part.strip())))


def tidy(cell: str) -> str:
    """Return a cell in one line, without spaces around it."""
    return " ".join(unicodedata.normalize("NFC", cell).split())
