"""Which sentence pairs teach nothing, or something wrong, and why."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from hashlib import blake2b

import regex

from subfit.evaluation.corpus import Pair
from subfit.training.data.scripts import LEAST_SHARE, script_share, scripts_of
from subfit.training.recipe.data import Data

_MISSING = regex.compile(r"\bGAP!")  # in MultiWordNet, where a language has no word
_LISTED = regex.compile(r"(?:^|\s)[\da-z]{1,2}\)|[:;]-?[()]")  # "a) this", ":)"
_BROKEN_OFF = regex.compile(r"\p{L}(?:\.\.\.|…)\Z")  # "Graduierten...", but not "so ..."
_ENDED = regex.compile(r"[.!?…,;:–—-][\"”’»)]*\Z|\s")  # a sentence, or a phrase that may trail off
_NO_WORD = regex.compile(r"[^\p{L}\p{M}\p{N}]+")


class PairFilter:
    """Tells the reason to leave a pair out, if there is one.

    Args:
        data: The recipe's data section.
        source_language: Tag of the source language; empty where pairs name it.
        target_language: Tag of the target language; likewise.
    """

    def __init__(self, data: Data, source_language: str, target_language: str) -> None:
        self.data = data
        named = data.languages or ("",)
        sources, targets = (
            dict.fromkeys(named, source_language),
            dict.fromkeys(named, target_language),
        )
        if data.languages:
            several = sources if target_language else targets
            several.update(zip(named, named, strict=True))
        self._source_scripts = _scripts(sources, data)
        self._target_scripts = _scripts(targets, data)
        self.unknown_scripts: tuple[str, ...] = tuple(
            language
            for language in dict.fromkeys((*sources.values(), *targets.values()))
            if data.scripts and not scripts_of(language)
        )
        """Languages whose text is not filtered by script though it should be."""

    def reason(self, pair: Pair) -> str | None:
        """Return why a pair is left out, or None if it stays."""
        data = self.data
        source, target = len(pair.source), len(pair.target)
        if data.weights.get(pair.corpus, 1.0) == 0:
            return f"corpus {pair.corpus} has weight 0"
        if data.lowercased.get(pair.corpus) == "drop":
            return f"corpus {pair.corpus} is lower-cased"
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
        return self._reason_in_words(pair)

    def _reason_in_words(self, pair: Pair) -> str | None:
        entry = pair.turned if self.data.turned else pair  # dictionaries have English first
        if not self.data.damaged and is_damaged(entry.source, entry.target):
            return "damaged"
        if not self.data.untranslated and bare(pair.source) == bare(pair.target):
            return "untranslated"
        if _foreign(pair.source, self._source_scripts.get(pair.language, ())):
            return "source in another script"
        if _foreign(pair.target, self._target_scripts.get(pair.language, ())):
            return "target in another script"
        return None


def _scripts(languages: Mapping[str, str], data: Data) -> dict[str, tuple[str, ...]]:
    """The scripts of one side of pairs, by the language that these name."""
    return {
        named: scripts_of(language) if data.scripts else () for named, language in languages.items()
    }


def _foreign(text: str, scripts: tuple[str, ...]) -> bool:
    return bool(scripts) and script_share(text, scripts) <= LEAST_SHARE


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
    sides = [pair.source] if data.dedup == "sources" else [pair.source, pair.target]
    text = "\t".join([pair.language, *map(bare, sides)])
    return blake2b(text.encode(), digest_size=16).digest()  # a tenth of the memory of the text
