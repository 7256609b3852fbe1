"""Test sets: the lines of a file that are measured, and what belongs to them line by line."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from subfit.errors import InputFileError, UsageError, reason_of
from subfit.evaluation.corpus import Pair, languages_in, read_pairs

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CharacterRange:
    """A range of lengths in characters, both ends included."""

    minimum: int
    maximum: int

    @classmethod
    def parse(cls, text: str) -> CharacterRange:
        """Read ``MIN:MAX``, two whole numbers.

        Raises:
            UsageError: It is something else, or an empty range.
        """
        low, _, high = text.partition(":")
        if not (low.isdecimal() and high.isdecimal()) or int(low) > int(high):
            raise UsageError(f"{text!r} is no range of characters such as 20:40")
        return cls(int(low), int(high))


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """The pairs of a file that are measured."""

    file: Path
    pairs: tuple[Pair, ...]
    numbers: tuple[int, ...]
    """Indices of these pairs among all lines of the file."""
    lines: int
    """All lines of the file."""
    turned: bool = False
    """Whether the file has the references before the sources."""
    more_references: tuple[tuple[str, ...], ...] = ()
    """Further references, each one text for every pair that is measured."""

    @property
    def languages(self) -> tuple[str | None, str | None]:
        """The languages of sources and references, as far as the file's name tells them."""
        first, second = languages_in(self.file.name)
        return (second, first) if self.turned else (first, second)

    @property
    def sources(self) -> list[str]:
        """The texts to translate."""
        return [pair.source for pair in self.pairs]

    @property
    def references(self) -> list[str]:
        """The translations to compare with."""
        return [pair.target for pair in self.pairs]

    @property
    def checksum(self) -> str:
        """SHA-256 of the pairs that are measured."""
        text = "".join(f"{pair.source}\t{pair.target}\n" for pair in self.pairs)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()

    def select(self, values: Sequence[T], path: Path) -> tuple[T, ...]:
        """Return the values for the lines that are measured.

        Args:
            values: One for each line of the whole file, or one for each measured line.
            path: The file they are from.

        Raises:
            InputFileError: They are neither.
        """
        if len(values) == self.lines:
            return tuple(values[number] for number in self.numbers)
        if len(values) == len(self.pairs):
            return tuple(values)
        problem = f"{len(values)} lines for the {self.lines} lines of {self.file}"
        raise InputFileError(path, problem, remedy="it needs one line for each")


def read_evaluation_set(
    file: Path,
    limit: int | None = None,
    reference_characters: CharacterRange | None = None,
    *,
    turned: bool = False,
    references: Sequence[Path] = (),
) -> EvaluationSet:
    """Read a test set.

    Args:
        file: As `subfit.evaluation.corpus.read_pairs` reads it.
        limit: Measure the first lines only.
        reference_characters: Measure lines with references of such lengths only.
        turned: Whether its lines have the references before the sources.
        references: Files of further references, one a line.

    Raises:
        InputFileError: It cannot be read, or has no such lines with both sides.
    """
    pairs = list(read_pairs(file, turned=turned))
    numbers = [
        number
        for number, pair in enumerate(pairs)
        if reference_characters is None
        or reference_characters.minimum <= len(pair.target) <= reference_characters.maximum
    ][:limit]
    chosen = tuple(pairs[number] for number in numbers)
    if not any(pair.source and pair.target for pair in chosen):
        of_such = " with references of such lengths" if reference_characters and pairs else ""
        raise InputFileError(file, f"no sentence pairs{of_such} in it")
    test = EvaluationSet(file, chosen, tuple(numbers), len(pairs), turned)
    more = tuple(test.select(read_lines(path), path) for path in references)
    return replace(test, more_references=more)


def read_lines(path: Path) -> list[str]:
    """Read a text file line by line, without line ends.

    Raises:
        InputFileError: It cannot be read, or is not UTF-8.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            return [line.rstrip("\r\n") for line in file]
    except OSError as error:
        raise InputFileError(path, f"cannot be read ({reason_of(error)})") from error
    except UnicodeDecodeError as error:
        raise InputFileError(path, "is not UTF-8") from error
