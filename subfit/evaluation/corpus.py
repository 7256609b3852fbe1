"""Sentence pairs, the files they are read from, and the test sets made of them.

Lines parted by tabs (``.tsv`` and whatever else, packed as ``.xz`` or ``.gz`` or not), two files of
as many lines parted by a colon, the ``.yaml`` of MuST-C and MuST-Cinema, IWSLT's ``.xml`` and TMX.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import TextIO, TypeVar

from subfit.errors import InputFileError, UsageError, reason_of
from subfit.files import read_bytes
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
    """Read sentence pairs.

    Args:
        path: A text file in UTF-8, plain or packed as ``.xz`` or ``.gz``, of lines
            ``corpus <TAB> source <TAB> target`` or ``source <TAB> target``; or two text files
            parted by a colon, ``news.en:news.de``; or ``tst.yaml`` of MuST-C beside its texts;
            or the ``.xml`` of an IWSLT source, beside that of its target; or a ``.tmx``. Names of
            the last three tell the languages, ``ted.en-de.tmx``, or the folder of MuST-C does.
        language: Of the targets, or of the sources, where a model has several of them.
        turned: Whether the lines have the target before the source.

    Raises:
        InputFileError: The file cannot be read, or a line has another number of columns.
    """
    for corpus, source, target in _triples(path):
        pair = Pair(corpus, normalize(source), normalize(target), language)
        yield pair.turned if turned else pair


def _triples(path: Path) -> Iterator[tuple[str, str, str]]:
    """Corpus, source and target of every pair of a file of any kind."""
    sides = _two_files(path)
    if sides is not None:
        return _parallel(*sides, repeat(""))
    reader = {".yaml": _must_c, ".xml": _iwslt, ".tmx": _tmx}.get(path.suffix.lower(), _tabbed)
    return reader(path)


def _tabbed(path: Path) -> Iterator[tuple[str, str, str]]:
    for number, columns in _rows(path):
        if len(columns) not in (2, 3):
            raise InputFileError(
                path,
                f"{len(columns)} column" + "s" * (len(columns) != 1),
                line=number,
                remedy="expected source and target, or corpus, source and target, parted by tabs",
            )
        corpus, source, target = columns if len(columns) == 3 else ("", *columns)
        yield corpus, source, target


def _two_files(path: Path) -> tuple[Path, Path] | None:
    """The two files that a name with a colon means, if it means two."""
    name = str(path)
    places = [at for at, character in enumerate(name) if character == ":"]
    sides = ((Path(name[:at]), Path(name[at + 1 :])) for at in places)
    return next((two for two in sides if all(side.is_file() for side in two)), None)


def _parallel(source: Path, target: Path, corpora: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Lines of two files; those that are empty on both sides are no pairs."""
    sides = [[" ".join(row) for _, row in _rows(path)] for path in (source, target)]
    if len(sides[0]) != len(sides[1]):
        problem = f"{len(sides[1])} lines for the {len(sides[0])} lines of {source}"
        raise InputFileError(target, problem, remedy="it needs one line for each")
    for corpus, ours, theirs in zip(corpora, *sides, strict=False):
        if ours.strip() or theirs.strip():
            yield corpus, ours, theirs


def _must_c(path: Path) -> Iterator[tuple[str, str, str]]:
    """MuST-C: ``en-de/data/tst-COMMON/txt/tst-COMMON.yaml`` beside ``.en`` and ``.de``.

    The talk is the corpus. MuST-Cinema has the same files, with breaks in the texts.
    """
    import yaml

    try:
        segments = yaml.load(read_bytes(path), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        talks = [str(segment["wav"]).removesuffix(".wav") for segment in segments]
    except (yaml.YAMLError, LookupError, TypeError, ValueError) as error:
        raise InputFileError(path, "is no list of segments as MuST-C has it") from error
    source, target = _languages(path)
    texts = path.with_suffix(f".{source}"), path.with_suffix(f".{target}")
    return _parallel(*texts, talks)


def _iwslt(path: Path) -> Iterator[tuple[str, str, str]]:
    """IWSLT: ``IWSLT17.TED.tst2010.en-de.en.xml`` beside ``….de.xml``, segments by number."""
    source, target = _languages(path)
    if not path.name.endswith(f".{source}.xml"):
        raise InputFileError(path, f"is not the side of {source}", remedy="give the source's .xml")
    other = path.with_name(path.name.removesuffix(f".{source}.xml") + f".{target}.xml")
    ours, theirs = _segments(path), _segments(other)
    for place, text in ours.items():
        if place not in theirs:
            raise InputFileError(
                other, f"has no segment {place[1]} of {place[0] or 'its document'}"
            )
        yield place[0], text, theirs[place]


def _segments(path: Path) -> dict[tuple[str, str], str]:
    from lxml import etree

    try:
        parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
        root = etree.fromstring(read_bytes(path), parser)
    except etree.XMLSyntaxError as error:
        raise InputFileError(path, "is no XML") from error
    segments = {
        (document.get("docid", ""), segment.get("id", "")): "".join(segment.itertext()).strip()
        for document in (() if root is None else root.iter("doc"))
        for segment in document.iter("seg")
    }
    if not segments:
        raise InputFileError(path, "has no segments as IWSLT has them")
    return segments


def _tmx(path: Path) -> Iterator[tuple[str, str, str]]:
    from subfit.memory.files import read_entries
    from subfit.memory.store import Languages

    for entry in read_entries(str(path), Languages(*_languages(path))):
        yield "", entry.source, entry.target


def _languages(path: Path) -> tuple[str, str]:
    """The languages that a file's name, or one of its folders, tells."""
    for part in reversed(path.absolute().parts):
        source, target = languages_in(part)
        if source is not None and target is not None:
            return source, target
    remedy = "name it, or its folder, as in test.en-de.tmx"
    raise InputFileError(path, "does not tell its languages", remedy=remedy)


def languages_in(name: str) -> tuple[str | None, str | None]:
    """Return the languages that a name tells, as ``test.en-de.tsv``; else None."""
    match = re.search(r"(?:^|[._-])([a-z]{2,3})-([a-z]{2,3})(?=[._]|$)", name)
    return (match[1], match[2]) if match else (None, None)


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


T = TypeVar("T")


def parse_range(text: str) -> range:
    """Read ``MIN:MAX``, numbers of characters, both ends included.

    Raises:
        UsageError: It is something else, or an empty range.
    """
    low, _, high = text.partition(":")
    if not (low.isdecimal() and high.isdecimal()) or int(low) > int(high):
        raise UsageError(f"{text!r} is no range of characters such as 20:40")
    return range(int(low), int(high) + 1)


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
    reference_characters: range | None = None,
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
        if reference_characters is None or len(pair.target) in reference_characters
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
    return ["\t".join(columns) for _, columns in _rows(path)]
