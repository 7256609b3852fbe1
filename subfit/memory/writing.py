"""Memories as files: TMX and tab-separated text for other tools, and subfit's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from subfit.errors import UsageError
from subfit.files import output_file
from subfit.memory.entry import Entry
from subfit.memory.reading import single_spaced
from subfit.memory.store import SUFFIX, Languages, create
from subfit.memory.xml import write_tmx

SUFFIXES = (".tmx", ".tsv", SUFFIX)


def write_entries(
    path: Path, entries: Iterator[Entry], languages: Languages, *, overwrite: bool
) -> int:
    """Write entries in the format that a file's name asks for, and return how many there were.

    Raises:
        OutputFileError: It cannot be written, or is there already.
        UsageError: The name ends in none of `SUFFIXES`.
    """
    check_memory_name(path)
    suffix = path.suffix.lower()
    if suffix == ".tmx":
        return write_tmx(path, entries, languages, overwrite=overwrite)
    if suffix == ".tsv":
        return _write_tsv(path, entries, overwrite=overwrite)
    added = create(path, entries, languages, overwrite=overwrite)
    return added.new


def check_memory_name(path: Path) -> None:
    """Check that a memory can be written to a file of this name.

    Raises:
        UsageError: Its suffix is of no format that is written.
    """
    if path.suffix.lower() not in SUFFIXES:
        known = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise UsageError(f"{path}: a translation memory is written as {known}")


def _write_tsv(path: Path, entries: Iterator[Entry], *, overwrite: bool) -> int:
    count = 0
    with output_file(path, overwrite=overwrite) as file:
        for entry in entries:
            sides = map(single_spaced, (entry.source, entry.target))
            file.write(("\t".join(sides) + "\n").encode())
            count += 1
    return count
