"""The pairs a recipe trains and validates on: read, filtered, recased, without duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from subfit.errors import InputFileError, RecipeError
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.training.data.filters import PairFilter, duplicate_key
from subfit.training.data.truecasing import Truecaser
from subfit.training.recipe.data import Data
from subfit.training.recipe.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Variants:
    """How many translations the sources have, and how far their lengths are apart."""

    sources: int
    several: int
    """Sources with more than one translation."""
    most: int
    """Translations of the source that has most."""
    mean: float
    """Translations per source."""
    spread: float | None
    """Mean of the longest over the shortest translation, in characters, of sources with several;
    None where there are none."""


@dataclass(frozen=True)
class Corpus:
    """The pairs that stay, and how many were left out for which reason."""

    pairs: tuple[Pair, ...]
    left_out: dict[str, int]
    recased: int = 0
    """Pairs of lower-cased corpora that were given capitals."""
    tagged: int = 0
    """Pairs that are shown as lower-cased."""
    unfiltered: tuple[str, ...] = ()
    """Languages whose scripts are not known, so that ``data.scripts`` leaves them as they are."""

    @cached_property
    def variants(self) -> Variants:
        """The translations per source."""
        lengths: dict[tuple[str, str], list[int]] = {}
        for pair in self.pairs:
            lengths.setdefault((pair.language, pair.source), []).append(len(pair.target))
        several = [max(some) / min(some) for some in lengths.values() if len(some) > 1]
        return Variants(
            sources=len(lengths),
            several=len(several),
            most=max(map(len, lengths.values())),
            mean=round(len(self.pairs) / len(lengths), 4),
            spread=round(sum(several) / len(several), 4) if several else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all counts as plain data."""
        by_language = Counter(pair.language for pair in self.pairs)
        return {
            "pairs": len(self.pairs),
            "corpora": dict(Counter(pair.corpus for pair in self.pairs).most_common()),
            **({"languages": dict(by_language)} if set(by_language) != {""} else {}),
            "left_out": self.left_out,
            "recased": self.recased,
            "tagged": self.tagged,
            "not_filtered_by_script": list(self.unfiltered),
            "translations": asdict(self.variants),
        }


def corpus_of(recipe: Recipe) -> Corpus:
    """Return the training pairs of a recipe; raises as `load_corpus` does."""
    sides = (recipe.source_language, recipe.target_language)
    return load_corpus(recipe.data, *(side if isinstance(side, str) else "" for side in sides))


def load_corpus(data: Data, source_language: str = "", target_language: str = "") -> Corpus:
    """Read all training files and drop pairs that teach nothing.

    Args:
        data: The recipe's data section.
        source_language: Tag of the source language, for its scripts; empty if unknown, or if files
            are named for several.
        target_language: Likewise of the target.

    Returns:
        The pairs in file order, without duplicates.

    Raises:
        InputFileError: A file cannot be read.
        RecipeError: Nothing is left to train on.
    """
    pair_filter = PairFilter(data, source_language, target_language)
    left_out: Counter[str] = Counter()
    dropped = _named(data)
    read: list[Pair] = []
    for language, name in data.train_files:
        for pair in read_pairs(Path(data.root) / name, language, turned=data.turned):
            reason = pair_filter.reason(pair) or _dropped(pair, dropped)
            if reason:
                left_out[reason] += 1
            else:
                read.append(pair)
    pairs = _without_duplicates(_recased(read, data), data, left_out)
    missing = set(data.languages) - {pair.language for pair in pairs}
    if missing or not pairs:
        where = f"data.train.{min(missing)}" if missing else "data.train"
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise RecipeError(f"{where} has no pairs to train on ({reasons or 'empty files'})")
    ways = Counter(data.lowercased.get(pair.corpus) for pair in pairs)
    return Corpus(pairs, dict(left_out), ways["recase"], ways["tag"], pair_filter.unknown_scripts)


def _named(data: Data) -> frozenset[int]:
    """Hashes of the pairs that are to be left out: they take less memory than the texts."""
    root = Path(data.root)
    return frozenset(
        hash((pair.source, pair.target))
        for name in data.drop
        for pair in read_pairs(root / name, turned=data.turned)
    )


def _dropped(pair: Pair, dropped: frozenset[int]) -> str | None:
    return "named in data.drop" if dropped and hash((pair.source, pair.target)) in dropped else None


def _recased(pairs: Sequence[Pair], data: Data) -> Sequence[Pair]:
    """Give the corpora to recase the case of words in the corpora that are not lower-cased."""
    names = {name for name, way in data.lowercased.items() if way == "recase"}
    if not any(pair.corpus in names for pair in pairs):
        return pairs
    cased = [pair for pair in pairs if pair.corpus not in data.lowercased]
    casers: dict[str, tuple[Truecaser, Truecaser]] = {}
    for language in {pair.language for pair in pairs}:
        alike = [pair for pair in cased if pair.language == language]
        casers[language] = (
            Truecaser(pair.source for pair in alike),
            Truecaser(pair.target for pair in alike),
        )
    return [
        replace(
            pair,
            source=casers[pair.language][0].recase(pair.source),
            target=casers[pair.language][1].recase(pair.target),
        )
        if pair.corpus in names
        else pair
        for pair in pairs
    ]


def _without_duplicates(
    pairs: Iterable[Pair], data: Data, left_out: Counter[str]
) -> tuple[Pair, ...]:
    """Keep the first of all pairs with the same key, and count the others."""
    if data.dedup == "none":
        return tuple(pairs)
    kept: dict[Hashable, Pair] = {}
    for pair in pairs:
        if kept.setdefault(duplicate_key(pair, data), pair) is not pair:
            left_out["duplicate"] += 1
    return tuple(kept.values())


def load_dev(data: Data) -> list[Pair]:
    """Read the validation set of every language, without empty sides.

    Raises:
        InputFileError: A file cannot be read, or has no pairs.
    """
    dev: list[Pair] = []
    for language, name in data.dev_files:
        path = Path(data.root) / name
        read = read_pairs(path, language, turned=data.turned)
        pairs = [pair for pair in read if pair.source and pair.target]
        if not pairs:
            raise InputFileError(path, "no sentence pairs in it")
        dev += pairs
    return dev


def describe_data(corpus: Corpus, dev_pairs: Sequence[Pair]) -> str:
    """Return one line on what is trained on, what is left out and why."""
    parts = [f"{len(corpus.pairs)} pairs to train on, {len(dev_pairs)} to validate on"]
    parts += [f"{count} left out: {reason}" for reason, count in corpus.left_out.items()]
    parts += [f"{corpus.recased} recased"] * (corpus.recased > 0)
    parts += [f"{corpus.tagged} tagged as lower-cased"] * (corpus.tagged > 0)
    several = corpus.variants
    if several.spread is not None:
        parts.append(
            f"{several.several} of {several.sources} sources have several translations, the longest"
            f" {several.spread:.2f} times the shortest in the mean"
        )
    parts += [f"no script is known for {name!r}: not filtered by it" for name in corpus.unfiltered]
    return "; ".join(parts)
