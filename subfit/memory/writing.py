"""Memories for other tools: TMX and tab-separated text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from subfit.errors import UsageError
from subfit.files import output_file
from subfit.memory.entry import Entry
from subfit.memory.store import Languages
from subfit.memory.xml import write_tmx


def write_entries(
    path: Path, entries: Iterator[Entry], languages: Languages, *, overwrite: bool
) -> int:
    """Write entries to a file in the format that its name asks for.

    Returns:
        How many there were.

    Raises:
        OutputFileError: It cannot be written, or is there already.
        UsageError: The name ends neither in ``.tmx`` nor in ``.tsv``.
    """
    suffix = path.suffix.lower()
    if suffix == ".tmx":
        return write_tmx(path, entries, languages, overwrite=overwrite)
    if suffix == ".tsv":
        return _write_tsv(path, entries, overwrite=overwrite)
    raise UsageError(f"{path}: a memory is written as .tmx or .tsv")


def _write_tsv(path: Path, entries: Iterator[Entry], *, overwrite: bool) -> int:
    count = 0
    with output_file(path, overwrite=overwrite) as file:
        for entry in entries:
            sides = (" ".join(text.split()) for text in (entry.source, entry.target))
            file.write(("\t".join(sides) + "\n").encode())
            count += 1
    return count
