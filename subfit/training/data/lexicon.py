"""The lexical tables of a model, from the pairs of its recipe."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from subfit.evaluation.corpus import Pair
from subfit.model.dictionary import Dictionary, Entry
from subfit.model.lexicon import LexicalTable
from subfit.model.source_words import SourceWord, SourceWords
from subfit.model.tokenizer import AnyTokenizer
from subfit.model.word_list import words_in
from subfit.text.languages import CAPITALISED
from subfit.training.data.alignment import DEFAULT_SETTINGS, AlignmentSettings, learn_table
from subfit.training.data.selection import corpus_of
from subfit.training.data.source_words import learn_source_words
from subfit.training.data.word_translations import learn_entries
from subfit.training.recipe.file import load_recipe
from subfit.training.recipe.recipe import Recipe


@dataclass(frozen=True, slots=True)
class LexiconSource:
    """The sentence pairs that tables are learned from."""

    pairs: dict[str, list[Pair]]
    """The drawn pairs, by the tag of the target language."""
    words: dict[str, set[str]]
    """The words of all targets, of pairs that were not drawn too, by the tag of their language."""
    entries: dict[str, list[Entry]]
    """What all pairs have for rare words, by the tag that ``pairs`` has."""
    source_words: dict[str, list[SourceWord]]
    """What has a capital in sources and is no name, likewise; nothing for source languages that
    write every noun with one."""

    @classmethod
    def read(cls, recipe: Path, data: Path, most: int, seed: int) -> LexiconSource:
        """Read the training pairs of a recipe, as its filters leave them, and draw some.

        Args:
            recipe: The YAML file.
            data: Folder in place of the recipe's ``data.root``.
            most: Pairs of each language, at most.
            seed: Of the draw.

        Raises:
            InputFileError: A file cannot be read.
            RecipeError: The recipe is wrong, or no pairs are left.
        """
        loaded = load_recipe(recipe)
        rooted = replace(loaded, data=replace(loaded.data, root=str(data)))
        only = loaded.target_languages[0]
        by_language: dict[str, list[Pair]] = {tag: [] for tag in loaded.told_languages or (only,)}
        for pair in corpus_of(rooted).pairs:
            by_language[pair.language or only].append(pair)
        chooser = random.Random(seed)
        drawn = {
            language: chooser.sample(pairs, min(most, len(pairs)))
            for language, pairs in by_language.items()
        }
        words: dict[str, set[str]] = {tag: set() for tag in loaded.target_languages}
        for language, pairs in by_language.items():
            words[language if language in words else only] |= words_in(
                pair.target for pair in pairs
            )
        entries = {
            language: learn_entries(pairs, language if language in words else only)
            for language, pairs in by_language.items()
        }
        source_words = {
            language: learn_source_words(pairs)
            for language, pairs in by_language.items()
            if _source_language(loaded, language) not in CAPITALISED
        }
        return cls(drawn, words, entries, source_words)

    def dictionaries(self, tokenizer: AnyTokenizer) -> dict[str, Dictionary]:
        """Return the dictionary of each language, in the pieces of a vocabulary."""
        found: dict[str, Dictionary] = {}
        for language, entries in self.entries.items():
            listed = self.source_words.get(language)
            source_words = None if listed is None else SourceWords.of(listed)
            found[language] = Dictionary.of(entries, tokenizer, source_words)
        return found


def _source_language(recipe: Recipe, told: str) -> str:
    """The source language of the pairs of a language that a model is told."""
    return told if told in recipe.source_languages else recipe.source_languages[0]


def learn_lexicon(
    source: LexiconSource,
    tokenizer: AnyTokenizer,
    settings: AlignmentSettings = DEFAULT_SETTINGS,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, LexicalTable]:
    """Learn one table for each language that the model is told; for one pair, of its target."""
    sizes = (len(tokenizer.source), len(tokenizer.target))
    done, total = 0, settings.iterations * len(source.pairs)

    def advance(count: int) -> None:
        nonlocal done
        done += count
        if on_progress:
            on_progress(done, total)

    return {
        language: learn_table(
            tokenizer.source.encode_all([pair.source for pair in pairs]),
            tokenizer.target.encode_all([pair.target for pair in pairs]),
            sizes,
            settings,
            advance,
        )
        for language, pairs in source.pairs.items()
    }
