"""Code-switched sources: some of their words are given in the target language.

A model that has seen "the owner of this Villa" beside "der Besitzer dieser Villa" takes a word over
that it is given, in whatever form the translation wants (Song et al. 2019, NAACL, "Code-Switching
for Enhancing NMT with Pre-Specified Translation"; Dinu et al. 2019, ACL, "replace"). So a
dictionary may tell it in use what it does not know (`subfit.decoding.switched_search`).
"""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace

from subfit.decoding.dictionary_words import places_in
from subfit.decoding.rare_words import stem_of
from subfit.errors import RecipeError
from subfit.model.checkpoint import Checkpoint
from subfit.model.dictionary import Dictionary
from subfit.model.dictionary_file import find_dictionary
from subfit.model.tokenizer import AnyTokenizer
from subfit.model.trainable import TrainableConfig
from subfit.training.data.example import Example
from subfit.training.recipe.recipe import Recipe

EACH = 0.5
"""Share of the words that could be switched that are, in a text that is code-switched."""


class Switcher:
    """Code-switches the sources of one pair of languages.

    Args:
        dictionary: Of the pair.
        tokenizer: Of both sides.
        language: Tag of the source's language.
    """

    def __init__(self, dictionary: Dictionary, tokenizer: AnyTokenizer, language: str) -> None:
        self._dictionary, self._language = dictionary, language
        self._printed = tokenizer.piece_texts

    def of(self, source: Sequence[int], target: Sequence[int], chooser: random.Random) -> list[int]:
        """Return the pieces of a source, some of its words in the target language.

        Args:
            source: Its pieces.
            target: Those of its translation, which has these words in some form.
            chooser: Draws the words.
        """
        texts = [self._printed[piece] for piece in source]
        ends = list(accumulate(map(len, texts)))
        said = "".join(self._printed[piece] for piece in target).lower()
        switched: list[int] = []
        done = until = 0
        for place in places_in("".join(texts), self._language):
            for word in place.words if place.start >= until else ():
                translation = self._translation(word, said, opening=place.opening)
                if translation is None:
                    continue
                until = place.start + len(word)
                if chooser.random() < EACH:
                    switched += source[done : bisect_right(ends, place.start)]
                    switched += translation
                    done = bisect_left(ends, until) + 1
                break
        return [*switched, *source[done:]]

    def _translation(self, word: str, said: str, *, opening: bool) -> tuple[int, ...] | None:
        """What a dictionary has for a word and a translation says; None if there is no such."""
        for pieces in self._dictionary.look_up(word, opening=opening):
            text = "".join(self._printed[piece] for piece in pieces).strip()
            if stem_of(text) in said:
                return pieces
        return None


@dataclass(frozen=True, slots=True)
class CodeSwitching:
    """What code-switches the sources of a training run."""

    switchers: Mapping[str, Switcher]
    """By the language that pairs name."""
    share: float
    """Of the texts."""

    def shown(self, text: Example, room: int, chooser: random.Random) -> Example:
        """Return a text as it is shown: with words of the target language in its source, or as is.

        Args:
            text: One whose pieces have no fertilities.
            room: Pieces that its source has fewer than.
            chooser: Draws whether, and which words.
        """
        if text.fertilities is not None or chooser.random() >= self.share:
            return text
        switched = self.switchers[text.language].of(text.source, text.target, chooser)
        return replace(text, source=switched) if len(switched) < room else text


def code_switching(
    recipe: Recipe, config: TrainableConfig, tokenizer: AnyTokenizer
) -> CodeSwitching | None:
    """Return what code-switches the sources of a run; None unless its recipe asks for it.

    Args:
        recipe: Its ``data.dictionary`` is the folder of a model with dictionaries.
        config: Of the model that is trained.
        tokenizer: Of both models.

    Raises:
        RecipeError: There is no dictionary for a language, or the sides have vocabularies of their
            own.
        ModelError: A dictionary is damaged, or of another vocabulary.
    """
    if not recipe.data.switched:
        return None
    if not tokenizer.shared:
        raise RecipeError("data.switched needs one vocabulary for both sides")
    folder = Path(recipe.data.dictionary)
    model = Checkpoint(str(folder), SimpleNamespace(config=config), tokenizer, folder=folder)
    switchers = {}
    for language in recipe.told_languages or ("",):
        dictionary = find_dictionary(model, language or None)
        if dictionary is None:
            raise RecipeError(
                f"data.dictionary: {folder} has no dictionary for {language or 'its languages'};"
                " 'subfit lexicon' makes it"
            )
        switchers[language] = Switcher(dictionary, tokenizer, config.source_language or language)
    return CodeSwitching(switchers, recipe.data.switched)
