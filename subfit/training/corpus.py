"""Sentence pairs, and the files they are read from."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from subfit.errors import InputFileError, reason_of
from subfit.tokenizer import normalize


@dataclass(frozen=True, slots=True)
class Pair:
    """One sentence with its translation."""

    corpus: str
    source: str
    target: str
    language: str = ""
    """Of the target, where a model has several target languages."""


def read_pairs(path: Path, language: str = "") -> Iterator[Pair]:
    """Read ``corpus <TAB> source <TAB> target`` or ``source <TAB> target`` lines.

    Args:
        path: A text file in UTF-8, plain or packed as ``.xz`` or ``.gz``.
        language: Of the targets, where a model has several target languages.

    Raises:
        InputFileError: The file cannot be read, or a line has another number of columns.
    """
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                yield _pair(line.rstrip("\r\n").split("\t"), path, number, language)
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
            remedy="expected corpus, source and target, parted by tabs",
        )
    corpus, source, target = columns
    return Pair(corpus, normalize(source), normalize(target), language)
