"""Sentence pairs, and the files they are read from."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TextIO

from subfit.errors import InputFileError, reason_of
from subfit.files import output_file
from subfit.model.tokenizer import normalize


@dataclass(frozen=True, slots=True)
class Pair:
    """One sentence with its translation."""

    corpus: str
    source: str
    target: str
    language: str = ""
    """The target's language, where a model has several; or the source's, where it has several of
    these."""

    @property
    def turned(self) -> Pair:
        """The pair with its source for the target."""
        return replace(self, source=self.target, target=self.source)


def read_pairs(path: Path, language: str = "", *, turned: bool = False) -> Iterator[Pair]:
    """Read ``corpus <TAB> source <TAB> target`` or ``source <TAB> target`` lines.

    Args:
        path: A text file in UTF-8, plain or packed as ``.xz`` or ``.gz``.
        language: Of the targets, or of the sources, where a model has several of them.
        turned: Whether the lines have the target before the source.

    Raises:
        InputFileError: The file cannot be read, or a line has another number of columns.
    """
    for number, columns in _rows(path):
        pair = _pair(columns, path, number, language)
        yield pair.turned if turned else pair


def read_sources(path: Path) -> Iterator[str]:
    """Read the sources of a file of pairs, or the lines of a plain text file.

    Args:
        path: As for `read_pairs`; lines without a tab are sources.

    Raises:
        InputFileError: As `read_pairs` does.
    """
    for number, columns in _rows(path):
        alone = len(columns) == 1
        yield normalize(columns[0]) if alone else _pair(columns, path, number, "").source


@contextmanager
def pair_writer(path: Path, *, overwrite: bool) -> Iterator[Callable[[Pair], object]]:
    """Write pairs in the form that `read_pairs` reads, packed if the name says so.

    Yields:
        A function that writes a normalised pair.

    Raises:
        OutputFileError: The file exists already, or cannot be written.
    """
    with output_file(path, overwrite=overwrite) as file, _packed(file, path.suffix) as packed:
        yield lambda pair: packed.write(f"{pair.corpus}\t{pair.source}\t{pair.target}\n".encode())


def _packed(file: BinaryIO, suffix: str) -> lzma.LZMAFile | gzip.GzipFile | nullcontext[BinaryIO]:
    if suffix == ".xz":
        return lzma.open(file, "wb")
    if suffix == ".gz":
        return gzip.open(file, "wb")
    return nullcontext(file)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The columns of every line, with the line's number."""
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                yield number, line.rstrip("\r\n").split("\t")
    except (OSError, lzma.LZMAError, zlib.error, EOFError) as error:
        raise InputFileError(path, f"cannot be read ({reason_of(error)})") from error
    except UnicodeDecodeError as error:
        raise InputFileError(path, "is not UTF-8") from error


def _open(path: Path) -> TextIO:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8-sig", newline="\n")
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="\n")
    return path.open(encoding="utf-8-sig", newline="\n")


def _pair(columns: list[str], path: Path, number: int, language: str) -> Pair:
    if len(columns) == 2:
        columns = ["", *columns]
    if len(columns) != 3:
        raise InputFileError(
            path,
            f"{len(columns)} column" + "s" * (len(columns) != 1),
            line=number,
            remedy="expected source and target, or corpus, source and target, parted by tabs",
        )
    corpus, source, target = columns
    return Pair(corpus, normalize(source), normalize(target), language)
