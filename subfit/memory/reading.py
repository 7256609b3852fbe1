"""Entries from files: TMX, XLIFF, PO, tab-separated text, memories, corrections, subtitle pairs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from subfit.errors import InputFileError, UsageError
from subfit.files import read_bytes
from subfit.memory.edits import read_edits
from subfit.memory.entry import Entry
from subfit.memory.store import SUFFIX, Languages, Memory
from subfit.memory.subtitle_pairs import read_subtitle_pair
from subfit.memory.xml import read_tmx, read_xliff
from subfit.subtitles.encoding import decode

_SPACES = re.compile(r"[^\S\u00a0\u202f]+")
"""White space, but for the spaces that keep French marks with their words."""
LONGEST = 2000
"""Characters of a side; what is longer is no sentence, and is left out."""

Reader = Callable[[Path, Languages], Iterator[Entry]]


def read_entries(name: str, languages: Languages) -> Iterator[Entry]:
    """Read what was translated before.

    Args:
        name: A file (``.tmx``, ``.xliff``, ``.xlf``, ``.po``, ``.tsv``, ``.memory``), the edits
            of a report's page (``.json``), or two
            subtitle files of the same programme, parted by a colon: ``film.en.srt:film.de.srt``.
        languages: Which of its languages are wanted.

    Yields:
        Entries with text on both sides, white space as single spaces, no-break spaces as they are.

    Raises:
        InputFileError: It cannot be read, is damaged, or refers to what lies outside it.
        UsageError: Its format is not known, or it is a memory of other languages.
    """
    for entry in _read(name, languages):
        source, target = map(single_spaced, (entry.source, entry.target))
        if source and target and max(len(source), len(target)) <= LONGEST:
            yield Entry(source, target, entry.origin)


def single_spaced(text: str) -> str:
    """Return a text with single spaces for its white space, no-break spaces as they are."""
    return " ".join(_SPACES.split(text)).strip()


def _read(name: str, languages: Languages) -> Iterator[Entry]:
    path = Path(name)
    reader = READERS.get(path.suffix.lower())
    if reader is not None and (path.is_file() or ":" not in name):
        return reader(path, languages)
    pair = _subtitle_pair(name)
    if pair is not None:
        return read_subtitle_pair(*pair, languages)
    known = ", ".join(READERS)
    raise UsageError(
        f"{name}: no translation memory is known for {path.suffix or 'a name without a suffix'};"
        f" use one of {known}, or two subtitle files as SOURCE:TRANSLATION"
    )


def files_of(name: str) -> tuple[Path, ...]:
    """Return the files that a name stands for; none if they are not there."""
    path = Path(name)
    return (path,) if path.is_file() else _subtitle_pair(name) or ()


def _subtitle_pair(name: str) -> tuple[Path, Path] | None:
    """The two files of ``a.srt:b.srt``; a colon may stand in their names, too."""
    cuts = [place for place, char in enumerate(name) if char == ":"]
    pairs = [(Path(name[:cut]), Path(name[cut + 1 :])) for cut in cuts]
    there = [pair for pair in pairs if all(path.is_file() for path in pair)]
    missing = [pair for pair in pairs if pair[0].is_file() and pair[1].suffix]
    if not there and missing:
        raise InputFileError(missing[0][1], "there is no such file")
    return there[0] if there else None


def _read_po(path: Path, _: Languages) -> Iterator[Entry]:
    """Messages that are translated; not those marked as fuzzy or obsolete."""
    from translate.storage.pypo import pofile

    try:
        store = pofile.parsestring(read_bytes(path))
    except (ValueError, TypeError, AttributeError) as error:
        raise InputFileError(path, f"is no PO file, or damaged ({error})") from error
    for unit in store.units:
        if unit.istranslated() and not unit.isfuzzy() and not unit.hasplural():
            yield Entry(str(unit.source), str(unit.target), path.name)


def _read_tsv(path: Path, languages: Languages) -> Iterator[Entry]:
    decoded = decode(read_bytes(path), name=str(path), source_language=languages.source)
    for line, text in enumerate(decoded.text.splitlines(), start=1):
        row = text.split("\t")
        if len(row) < 2:
            if any(row):
                raise InputFileError(
                    path, "one column", line=line, remedy="expected source, tab, translation"
                )
            continue
        yield Entry(row[0], row[1], path.name)


def _read_memory(path: Path, languages: Languages) -> Iterator[Entry]:
    memory = Memory.open(path)
    has, wanted = memory.languages, languages
    if not has.like(wanted):
        raise UsageError(
            f"{path} translates {has.source} to {has.target}, not {wanted.source} to"
            f" {wanted.target}"
        )
    return iter(memory)


READERS: dict[str, Reader] = {
    ".tmx": read_tmx,
    ".xliff": read_xliff,
    ".xlf": read_xliff,
    ".po": _read_po,
    ".tsv": _read_tsv,
    ".json": read_edits,
    SUFFIX: _read_memory,
}
"""What reads a file, by its suffix."""
