"""The lexical tables of a model, from the pairs of its recipe."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from subfit.evaluation.corpus import Pair
from subfit.model.lexicon import LexicalTable
from subfit.model.tokenizer import AnyTokenizer
from subfit.training.data.alignment import DEFAULT_SETTINGS, AlignmentSettings, learn_table
from subfit.training.data.selection import corpus_of
from subfit.training.recipe.file import load_recipe


@dataclass(frozen=True, slots=True)
class LexiconSource:
    """The sentence pairs that tables are learned from."""

    pairs: dict[str, list[Pair]]
    """The drawn pairs, by the tag of the target language."""

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
        return cls(drawn)


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
