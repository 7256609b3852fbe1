"""Ratings of cues that someone read, and what fitting knew of their translations, as tables."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from benchmarks.risk_fit import Array
from subfit.fitting.outcomes import RiskFeatures

CHANGED, WRONG = 1, 2
"""Ratings from which on a cue must be changed, or translated again."""
TEST_SHARE = 0.4
RATING_COLUMNS = ("language", "file", "cue", "rating", "checksum", "split", "fitting")
FEATURE_NAMES = tuple(field.name for field in fields(RiskFeatures))

Key = tuple[str, str, int]
"""Language, file and number of a cue."""
Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Rated:
    """A cue that was rated, with what was known of its translation."""

    key: Key
    sentence: int
    """Number of the first cue of its sentence."""
    rating: int
    features: RiskFeatures
    fitting: str = "whole"
    """``strict`` of a translation that was made with ``--strict-budget``."""

    @property
    def is_test(self) -> bool:
        """Whether weights are not to know of it."""
        return split_of(self.key[1], self.sentence) == "test"

    @property
    def group(self) -> tuple[str, int]:
        """Its sentence, in whatever language."""
        return self.key[1], self.sentence


def split_of(file: str, sentence: int) -> str:
    """Return which part a sentence belongs to, the same in all languages."""
    digest = hashlib.sha256(f"{file}:{sentence}".encode()).digest()
    return "test" if digest[0] < TEST_SHARE * 256 else "calibration"


def checksum(text: str) -> str:
    """Return what tells a translation from others, however its lines are broken."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


def read_rows(paths: Iterable[Path]) -> Iterator[dict[str, str]]:
    """Yield the rows of tables with headings."""
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table with headings."""
    lines = ["\t".join(map(str, row)) for row in (columns, *rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def key_of(row: dict[str, str]) -> Key:
    """Return which cue a row is about."""
    return row["language"], file_of(row["file"]), int(row["cue"])


def rated_cues(
    ratings: Iterable[dict[str, str]], features: Iterable[dict[str, str]]
) -> tuple[list[Rated], int, int]:
    """Return the rated cues with their features.

    Cues with several sentences are left out: nobody rated one of these alone.

    Returns:
        Also how many ratings are of a text that has changed since, and of cues without features.
    """
    rows: dict[Key, dict[str, list[dict[str, str]]]] = {}
    for row in features:
        rows.setdefault(key_of(row), {}).setdefault(row["checksum"], []).append(row)
    rated: list[Rated] = []
    changed = unknown = 0
    for rating in ratings:
        key = key_of(rating)
        texts = rows.get(key, {})
        own = texts.get(rating["checksum"], [])
        if len(own) == 1:
            known = {name: float(own[0][name]) for name in FEATURE_NAMES if own[0][name]}
            values = RiskFeatures(**{name: known.get(name) for name in FEATURE_NAMES})
            sentence, rank = int(own[0]["sentence"]), int(rating["rating"])
            rated.append(Rated(key, sentence, rank, values, rating["fitting"]))
        elif own or not texts:
            unknown += 1
        else:
            changed += 1
    return rated, changed, unknown


def values_of(rated: Sequence[Rated], names: Sequence[str]) -> Array:
    """Return the features of cues; shape: (cues, features), NaN where not known."""
    rows = [[getattr(one.features, name) for name in names] for one in rated]
    return np.array(rows, dtype=np.float64).reshape(len(rated), len(names))


def ratings_of(rated: Sequence[Rated]) -> Array:
    """Return the ratings of cues; shape: (cues,)."""
    return np.array([one.rating for one in rated], dtype=np.float64)


def at_least(rated: Sequence[Rated], rating: int) -> Array:
    """Return 1 for cues with this rating or a worse one, 0 for others."""
    return np.array([float(one.rating >= rating) for one in rated])


def rating_rows(rows: Iterable[dict[str, str]], sentences: Mapping[Key, int]) -> Iterator[Row]:
    """Yield ratings without the texts that were rated.

    Args:
        rows: Of tables with the columns ``translation`` and ``fitting`` (see `Rated.fitting`).
        sentences: The first cue of the sentence of each; its own cue where none is named.
    """
    for row in rows:
        language, file, cue = key_of(row)
        split = split_of(file, sentences.get((language, file, cue), cue))
        digest = checksum(row["translation"])
        yield language, file, cue, row["rating"], digest, split, row["fitting"]


def file_of(name: str) -> str:
    """Return how ratings name a file: by what stands before its first dot."""
    return name.split(".")[0]
