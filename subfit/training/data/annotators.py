"""What annotates the sources of a training run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from subfit.decoding.annotation import Annotator, Marks
from subfit.errors import RecipeError
from subfit.model.checkpoint import Checkpoint
from subfit.model.dictionary_file import find_dictionary
from subfit.model.tokenizer import AnyTokenizer
from subfit.model.trainable import TrainableConfig
from subfit.training.recipe.recipe import Recipe


def annotators_of(
    recipe: Recipe, config: TrainableConfig, tokenizer: AnyTokenizer
) -> dict[str, Annotator]:
    """Return what annotates sources, by the language that pairs name; nothing unless asked for.

    Args:
        recipe: Its ``data.dictionary`` is the folder of a model with dictionaries.
        config: Of the model that is trained.
        tokenizer: Of both models.

    Raises:
        RecipeError: There is no dictionary for a language.
        ModelError: A dictionary is damaged, or of another vocabulary.
    """
    if not recipe.data.annotated:
        return {}
    assert config.annotation_tokens is not None
    marks = Marks(**config.annotation_tokens)
    folder = Path(recipe.data.dictionary)
    model = Checkpoint(str(folder), SimpleNamespace(config=config), tokenizer, folder=folder)
    annotators = {}
    for language in recipe.told_languages or ("",):
        dictionary = find_dictionary(model, language or None)
        if dictionary is None:
            raise RecipeError(
                f"data.dictionary: {folder} has no dictionary for {language or 'its languages'};"
                " 'subfit lexicon' makes it"
            )
        source = config.source_language or language
        annotators[language] = Annotator(dictionary, tokenizer.piece_texts, marks, source)
    return annotators
