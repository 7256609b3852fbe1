"""Sentence pairs from files, with what is left out and why."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from subfit.errors import InputFileError, RecipeError, reason_of
from subfit.tokenizer import normalize
from subfit.training.recipe_data import Data


@dataclass(frozen=True, slots=True)
class Pair:
    """One sentence with its translation."""

    corpus: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pairs that stay, and how many were left out for which reason."""

    pairs: tuple[Pair, ...]
    left_out: dict[str, int]


def read_pairs(path: Path) -> Iterator[Pair]:
    """Read ``corpus <TAB> source <TAB> target`` or ``source <TAB> target`` lines.

    Args:
        path: A text file in UTF-8, plain or packed as ``.xz`` or ``.gz``.

    Raises:
        InputFileError: The file cannot be read, or a line has another number of columns.
    """
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                yield _pair(line.rstrip("\r\n").split("\t"), path, number)
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


def _pair(columns: list[str], path: Path, number: int) -> Pair:
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
    return Pair(corpus, normalize(source), normalize(target))


def load_corpus(data: Data) -> Corpus:
    """Read all training files and drop pairs that teach nothing.

    Args:
        data: The recipe's data section.

    Returns:
        The pairs in file order, without exact duplicates.

    Raises:
        InputFileError: A file cannot be read.
        RecipeError: Nothing is left to train on.
    """
    kept: dict[Pair, None] = {}
    left_out: Counter[str] = Counter()
    for name in data.train:
        for pair in read_pairs(Path(data.root) / name):
            reason = _reason_to_drop(pair, data) or ("duplicate" if pair in kept else None)
            if reason:
                left_out[reason] += 1
            else:
                kept[pair] = None
    if not kept:
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise RecipeError(f"data.train has no pairs to train on ({reasons or 'empty files'})")
    return Corpus(tuple(kept), dict(left_out))


def _reason_to_drop(pair: Pair, data: Data) -> str | None:
    source, target = len(pair.source), len(pair.target)
    if data.weights.get(pair.corpus, 1.0) == 0:
        return f"corpus {pair.corpus} has weight 0"
    if not source or not target:
        return "empty side"
    if max(source, target) > data.max_characters:
        return f"longer than {data.max_characters} characters"
    if max(source, target) > data.max_ratio * min(source, target) + 10:
        return f"sides differ by more than {data.max_ratio:g} times"
    return None
