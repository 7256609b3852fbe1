"""The pairs a recipe trains and validates on: read, filtered, without duplicates."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

import regex

from subfit.errors import InputFileError, RecipeError
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.model.tokenizer import language_and_script
from subfit.text.formality import Formality, formality_of
from subfit.training.recipe import Recipe
from subfit.training.sections import Data

_MISSING = regex.compile(r"\bGAP!")  # in MultiWordNet, where a language has no word
_LISTED = regex.compile(r"(?:^|\s)[\da-z]{1,2}\)|[:;]-?[()]")  # "a) this", ":)"
_BROKEN_OFF = regex.compile(r"\p{L}(?:\.\.\.|…)\Z")  # "Graduierten...", but not "so ..."
_ENDED = regex.compile(r"[.!?…,;:–—-][\"”’»)]*\Z|\s")  # a sentence, or a phrase that may trail off
_NO_WORD = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
_TOGETHER = {
    "Jpan": ("Hani", "Hira", "Kana"), "Kore": ("Hang", "Hani"), "Hans": ("Hani",), "Hant": ("Hani",)
}  # fmt: skip
_BOTH = ("sr",)  # written in Cyrillic and in Latin
LEAST_SHARE = 0.5
"""A text with a smaller share of its letters in the language's scripts is in another language, or
is code; names and loan words of other scripts are not as many."""
SHORTEST_SOURCE = 20
"""Sources of fewer characters say little of how a sentence is put shortly: "Yes." is "Ja."."""


@dataclass(frozen=True)
class Corpus:
    """The pairs that stay, and how many were left out for which reason."""

    pairs: tuple[Pair, ...]
    left_out: dict[str, int]
    unfiltered: tuple[str, ...] = ()
    """Languages whose scripts are not known, so that ``data.scripts`` leaves them as they are."""

    def to_dict(self) -> dict[str, Any]:
        """Return all counts as plain data."""
        by_language = Counter(pair.language for pair in self.pairs)
        return {
            "pairs": len(self.pairs),
            "corpora": dict(Counter(pair.corpus for pair in self.pairs).most_common()),
            **({"languages": dict(by_language)} if set(by_language) != {""} else {}),
            "left_out": self.left_out,
            "not_filtered_by_script": list(self.unfiltered),
        }


def load_corpus(recipe: Recipe) -> Corpus:
    """Read all training files of a recipe and drop pairs that teach nothing.

    Returns:
        The pairs in file order, without duplicates.

    Raises:
        InputFileError: A file cannot be read.
        RecipeError: Nothing is left to train on.
    """
    data, keep = recipe.data, _Filter(recipe)
    left_out: Counter[str] = Counter()
    kept: dict[Hashable, Pair] = {}
    for language, name in data.train_files:
        for pair in read_pairs(Path(data.root) / name, language, turned=data.turned):
            reason = keep.reason(pair)
            key = len(kept) if data.dedup == "none" else duplicate_key(pair, data)
            if not reason and kept.setdefault(key, pair) is not pair:
                reason = "duplicate"
            if reason:
                left_out[reason] += 1
    pairs = tuple(kept.values())
    missing = set(data.languages) - {pair.language for pair in pairs}
    if missing or not pairs:
        where = f"data.train.{min(missing)}" if missing else "data.train"
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise RecipeError(f"{where} has no pairs to train on ({reasons or 'empty files'})")
    return Corpus(pairs, dict(left_out), keep.unknown_scripts)


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
    parts += [f"no script is known for {name!r}: not filtered by it" for name in corpus.unfiltered]
    return "; ".join(parts)


class _Filter:
    """Tells the reason to leave a pair out, if there is one."""

    def __init__(self, recipe: Recipe) -> None:
        self.data = data = recipe.data
        sides = (recipe.source_language, recipe.target_language)
        named = (data.languages or ("",)) if data.scripts else ()
        told = {name: [side if isinstance(side, str) else name for side in sides] for name in named}
        self._scripts = {name: list(map(scripts_of, both)) for name, both in told.items()}
        languages = dict.fromkeys(language for both in told.values() for language in both)
        self.unknown_scripts = tuple(each for each in languages if not scripts_of(each))
        self._dropped = frozenset(  # hashes: they take less memory than the texts
            hash((pair.source, pair.target))
            for name in data.drop
            for pair in read_pairs(Path(data.root) / name, turned=data.turned)
        )

    def reason(self, pair: Pair) -> str | None:
        """Return why a pair is left out, or None if it stays."""
        data = self.data
        source, target = len(pair.source), len(pair.target)
        if data.weights.get(pair.corpus, 1.0) == 0:
            return f"corpus {pair.corpus} has weight 0"
        if not source or not target:
            return "empty side"
        if min(source, target) < data.min_characters:
            return f"shorter than {data.min_characters} characters"
        if max(source, target) > data.max_characters:
            return f"longer than {data.max_characters} characters"
        if max(source, target) > data.max_ratio * min(source, target) + 10:
            return f"sides differ by more than {data.max_ratio:g} times"
        if target in data.unseen_characters:
            return "of a length to be unseen"
        entry = pair.turned if data.turned else pair  # dictionaries have English first
        if not data.damaged and is_damaged(entry.source, entry.target):
            return "damaged"
        if not data.untranslated and bare(pair.source) == bare(pair.target):
            return "untranslated"
        scripts = self._scripts.get(pair.language, [(), ()])
        sides = ("source", pair.source), ("target", pair.target)
        for (side, text), own in zip(sides, scripts, strict=True):
            if own and script_share(text, own) <= LEAST_SHARE:
                return f"{side} in another script"
        if self._dropped and hash((pair.source, pair.target)) in self._dropped:
            return "named in data.drop"
        return None


def is_damaged(source: str, target: str) -> bool:
    """Tell whether a pair was cut in the wrong place, as entries of dictionaries often are."""
    if _MISSING.search(target):
        return True
    if (source.count("(") != source.count(")")) or (target.count("(") != target.count(")")):
        return not _LISTED.search(source)
    return _BROKEN_OFF.search(target) is not None and _ENDED.search(source) is None


def bare(text: str) -> str:
    """Return a text without case, punctuation and spaces; as it is where nothing else is in it."""
    return _NO_WORD.sub("", text.casefold()) or text


def duplicate_key(pair: Pair, data: Data) -> Hashable:
    """Return what a pair has in common with its duplicates, by ``data.dedup``."""
    if data.dedup == "pairs":
        return pair
    text = "\t".join([pair.language, bare(pair.source), bare(pair.target)])
    return blake2b(text.encode(), digest_size=16).digest()  # a tenth of the memory of the text


@cache
def scripts_of(language: str) -> tuple[str, ...]:
    """Return the scripts of a language by its tag; none if they are not known."""
    code, script = language_and_script(language)
    scripts = _TOGETHER.get(script, (script,) if script else ())
    return ("Latn", *scripts) if code in _BOTH else scripts


def script_share(text: str, scripts: tuple[str, ...]) -> float:
    """Return the share of a text's letters that belong to some scripts, 1 of no letters."""
    if text.isascii() and "Latn" in scripts:
        return 1.0
    letters, expected = _patterns(scripts)
    count = len(letters.findall(text))
    return len(expected.findall(text)) / count if count else 1.0


@cache
def _patterns(scripts: tuple[str, ...]) -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    # Script_Extensions counts what several scripts share, such as the long vowel mark of kana.
    names = "".join(rf"\p{{Script_Extensions={name}}}" for name in scripts)
    return regex.compile(r"\p{L}"), regex.compile(rf"(?V1)[\p{{L}}&&[{names}]]")


def are_short(pairs: Sequence[Pair], ratio: float) -> list[bool]:
    """Return of each pair whether its translation is short.

    Args:
        pairs: Pairs of any languages.
        ratio: A translation is short when its target/source characters are below this share of
            their mean in its language, and its source has `SHORTEST_SOURCE` characters or more.
    """
    ratios = [len(pair.target) / max(1, len(pair.source)) for pair in pairs]
    by_language: defaultdict[str, list[float]] = defaultdict(list)
    for pair, own_ratio in zip(pairs, ratios, strict=True):
        by_language[pair.language].append(own_ratio)
    bounds = {language: ratio * fmean(ratios) for language, ratios in by_language.items()}
    return [
        own_ratio < bounds[pair.language] and len(pair.source) >= SHORTEST_SOURCE
        for pair, own_ratio in zip(pairs, ratios, strict=True)
    ]


def class_counts(recipe: Recipe, pairs: Iterable[Pair]) -> Mapping[str, int]:
    """Return how many pairs fall into each length class (Lakew et al. 2019, Table 3)."""
    bounds = {name: math.inf if top is None else top for name, top in recipe.length.classes.items()}
    ratios = (len(pair.target) / len(pair.source) for pair in pairs)
    counts = Counter(next((n for n, top in bounds.items() if ratio <= top), "") for ratio in ratios)
    return {name: counts[name] for name in bounds}


def formality_labels(
    pairs: Sequence[Pair], language: str = "", processes: int = 0
) -> list[Formality | None]:
    """Label the targets of pairs by how they address somebody (`subfit.text.formality`).

    Args:
        pairs: In any languages.
        language: Of the targets that name none.
        processes: How many may work at once; 0 or 1 for this one alone.

    Returns:
        Per pair its label.
    """
    columns = zip(*((p.target, p.language or language, p.source) for p in pairs), strict=True)
    if processes < 2 or len(pairs) <= CHUNK:
        return list(map(formality_of, *columns))
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        return list(pool.map(formality_of, *columns, chunksize=CHUNK))


CHUNK = 20_000
"""Pairs that a process labels at once."""
