"""Ratings of cues that someone read, and what fitting knew of their translations, as tables."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.risk_fit import Array
from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.translator import Translator
from subfit.fitting.risk import RiskFeatures
from subfit.fitting.risk_features import CuePart, Evidence, features_of
from subfit.text.counting import count_characters

CHANGED, WRONG = 1, 2
"""Ratings from which on a cue must be changed, or translated again."""
TEST_SHARE = 0.4
RATING_COLUMNS = ("language", "file", "cue", "rating", "checksum", "split", "fitting")
FEATURE_NAMES = tuple(field.name for field in fields(RiskFeatures))
FEATURE_COLUMNS = ("language", "file", "cue", "sentence", "checksum", *FEATURE_NAMES)

Key = tuple[str, str, int]
"""Language, file and number of a cue."""
Row = tuple[object, ...]
Cue = dict[str, Any]
"""A cue of a report as JSON."""


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


def feature_rows(report: Path, translator: Translator, wanted: set[Key]) -> Iterator[Row]:
    """Yield what is known of the translation of each cue in a report as JSON.

    Its texts are rated anew. Cues of two speakers are left out: nobody rated one of these alone.

    Args:
        report: Of one file.
        translator: The model that translated it.
        wanted: Cues to tell of.
    """
    document = json.loads(report.read_text(encoding="utf-8"))
    file, language = file_of(Path(document["input"]).name), translator.language
    cues = {cue["number"]: cue for cue in document["cues"]}
    numbers = [number for tag, name, number in wanted if (tag, name) == (language, file)]
    told = {tuple(cues[number]["joined"] or [number]) for number in numbers if number in cues}
    sentences = [[cues[number] for number in own] for own in sorted(told)]
    sentences = [own for own in sentences if _can_be_rated(own, translator)]
    for own, evidence in zip(sentences, _evidence(sentences, translator), strict=True):
        for cue, features in zip(own, features_of(evidence), strict=True):
            if cue["number"] in numbers:
                values = ("" if one is None else f"{one:.5g}" for one in astuple(features))
                key = language, file, cue["number"]
                yield *key, own[0]["number"], checksum(cue["target"]), *values


def _can_be_rated(cues: Sequence[Cue], translator: Translator) -> bool:
    """Whether a sentence was translated, of one speaker and in pieces that the model can write."""
    one_speaker = not any("\n-" in cue["source"] for cue in cues)
    texts = [_joined(cues, name) for name in ("target", "natural")]
    return one_speaker and all(text and translator.rating.pieces_of(text) for text in texts)


def _evidence(sentences: Sequence[Sequence[Cue]], translator: Translator) -> list[Evidence]:
    """What is known of sentences, each with its cues."""
    sources = [_joined(cues, "source") for cues in sentences]
    chosen = [_hypothesis(cues, "target", translator) for cues in sentences]
    natural = [_hypothesis(cues, "natural", translator) for cues in sentences]
    pairs = translator.rate(sources, list(zip(chosen, natural, strict=True)))
    pieces = translator.rate_pieces(sources, chosen) or []
    returned = translator.given_back(sources, [hypothesis.text for hypothesis in chosen])
    returned = returned or [None] * len(sources)
    return [
        Evidence(
            source=source,
            language=translator.source_language,
            parts=tuple(map(_part, cues)),
            chosen=one,
            natural=other,
            pieces=own,
            words=translator.word_scores,
            rates_ends=translator.can_rate,
            returned=back,
        )
        for source, cues, (one, other), own, back in zip(
            sources, sentences, pairs, pieces, returned, strict=True
        )
    ]


def _part(cue: Cue) -> CuePart:
    missing = sum(not term["placed"] for term in cue["terms"] + cue["lost"])
    texts = [_joined([cue], name) for name in ("source", "target")]
    return CuePart(*texts, tuple(cue["omitted"]), missing)


def _hypothesis(cues: Sequence[Cue], name: str, translator: Translator) -> Hypothesis:
    """A translation of a sentence as a report has it, not rated yet."""
    text = _joined(cues, name)
    return Hypothesis(
        text,
        count_characters(text, translator.counting),
        0.0,
        0.0,
        translator.rating.pieces_of(text),
    )


def _joined(cues: Sequence[Cue], name: str) -> str:
    """The text of a sentence in one line, without the dash of a speaker."""
    return " ".join(" ".join(cue[name] for cue in cues).split()).removeprefix("- ")


def file_of(name: str) -> str:
    """Return how ratings name a file: by what stands before its first dot."""
    return name.split(".")[0]
