"""What a training run leaves in its folder, and the model in it, which can be shipped."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import torch
from transformers import AutoConfig, GenerationConfig

from subfit.errors import ModelError
from subfit.model.checkpoint import (
    METRICS_FILE,
    load_tokenizer,
    save_checkpoint,
    write_checksums,
)
from subfit.model.config import CONFIG_FILE, read_config
from subfit.model.families import (
    ARCHITECTURES,
    GENERATION_FILE,
    LENGTHS_KEY,
    ConfigWithLengths,
    ModelWithLengths,
    load_pieces,
    new_body,
)
from subfit.model.length_predictor import PREDICTOR_FOLDER
from subfit.model.lexicon import LEXICON_FILE
from subfit.model.tokenizer import (
    HUB_FILES,
    MARIAN_FILES,
    TARGET_TOKENIZER_FILE,
    TOKENIZER_FILE,
    AnyTokenizer,
)
from subfit.model.transformer import (
    SubfitConfig,
    SubfitForTranslation,
    TrainableConfig,
    TrainableModel,
)
from subfit.training.recipe import Recipe, dump_recipe, load_recipe
from subfit.training.record import LOG_FILE
from subfit.training.state import (
    VALIDATED,
    average_weights,
    weights_of_state,
)

RECIPE_FILE = "recipe.yaml"


class TrainedRun(NamedTuple):
    """A run, finished or not, ready to be used."""

    recipe: Recipe
    model: TrainableModel
    """The model in evaluation mode, float32."""
    tokenizer: AnyTokenizer


def load_run(folder: Path) -> TrainedRun:
    """Load the model of a run.

    The weights are the mean over the ``run.average`` validations kept, the last or the best by
    ``run.keep``, or the last saved state's where none are kept or nothing was validated yet.

    Raises:
        ModelError: The folder holds no run, or nothing is saved in it yet.
        RecipeError: Its recipe is damaged.
    """
    if not ((folder / RECIPE_FILE).is_file() and (folder / CONFIG_FILE).is_file()):
        raise ModelError(f"{folder}: no training run in this folder")
    recipe = load_recipe(folder / RECIPE_FILE)
    config = load_config(folder)
    tokenizer = load_run_tokenizer(folder, config)
    validated = sorted((folder / VALIDATED).glob("*.safetensors"))[-recipe.run.average :]
    use_validated = validated and (recipe.run.average > 1 or recipe.run.keeps_best)
    weights = average_weights(validated) if use_validated else weights_of_state(folder)
    if weights is None:
        raise ModelError(f"{folder}: the run has saved nothing yet")
    model = empty_model(config, tied=UNTIED not in weights)
    model.set_piece_table(tokenizer.target.piece_characters, tokenizer.target.piece_leads)
    model.load_state_dict(weights, strict=False)  # sinusoids and tied copies are not stored
    return TrainedRun(recipe, model.eval(), tokenizer)


UNTIED = "body.lm_head.weight"
"""Among a run's weights where the output layer has some of its own."""


def load_config(folder: Path) -> TrainableConfig:
    """Load the configuration of a run's model."""
    values = read_config(folder)
    lengths = values.get(LENGTHS_KEY)
    if lengths is None:
        own: SubfitConfig = SubfitConfig.from_pretrained(folder)
        return own
    family = AutoConfig.from_pretrained(folder, local_files_only=True)
    delattr(family, LENGTHS_KEY)
    generation = GenerationConfig.from_pretrained(folder, local_files_only=True)
    return ConfigWithLengths.of(family, generation, lengths)


def load_run_tokenizer(folder: Path, config: TrainableConfig) -> AnyTokenizer:
    """Load the tokenizer of a run."""
    if isinstance(config, ConfigWithLengths) and config.family.model_type in ARCHITECTURES:
        size = int(config.decoder_vocab_size or 0)
        return load_pieces(folder, config.family.model_type, size)
    return load_tokenizer(folder, shared=config.share_encoder_decoder_embeddings)


def empty_model(config: TrainableConfig, *, tied: bool = True) -> TrainableModel:
    """Return a model whose weights are still to be loaded.

    Args:
        config: Its configuration.
        tied: See `subfit.model.with_lengths.new_body`.
    """
    if isinstance(config, ConfigWithLengths):
        return ModelWithLengths(new_body(config, tied=tied), config)
    return SubfitForTranslation(config)


def is_finished(recipe: Recipe, folder: Path) -> bool:
    """Tell whether a run has come to its end by this recipe, and its model has been measured."""
    if not (folder / METRICS_FILE).is_file():  # written last
        return False
    former = load_recipe(folder / RECIPE_FILE)
    return (former.schedule, former.run) == (recipe.schedule, recipe.run)


def clear(folder: Path) -> None:
    """Take away what a run left that ended before it saved a state: it may be of another recipe."""
    files = (TOKENIZER_FILE, TARGET_TOKENIZER_FILE, *MARIAN_FILES, *HUB_FILES, GENERATION_FILE)
    for name in (*files, LOG_FILE, LEXICON_FILE):
        (folder / name).unlink(missing_ok=True)
    for name in (VALIDATED, PREDICTOR_FOLDER):
        shutil.rmtree(folder / name, ignore_errors=True)


def reopen(folder: Path) -> None:
    """Take away the figures of a run that goes on: they are of other weights."""
    (folder / METRICS_FILE).unlink(missing_ok=True)


def export_run(
    run_folder: Path, out_folder: Path, *, dtype: torch.dtype = torch.float16
) -> TrainableModel:
    """Build a model folder from a run, finished or not, and return the model in float32.

    The weights are those of `load_run`.

    Args:
        run_folder: What `subfit.training.train.train` wrote.
        out_folder: Made if absent; its files are replaced.
        dtype: Type of the stored weights.

    Raises:
        ModelError: The folder holds no run, or nothing is saved in it yet.
        RecipeError: Its recipe is damaged.
    """
    recipe, model, tokenizer = load_run(run_folder)
    texts = {RECIPE_FILE: dump_recipe(replace(recipe, data=replace(recipe.data, root="data")))}
    if (run_folder / METRICS_FILE).is_file():
        texts[METRICS_FILE] = (run_folder / METRICS_FILE).read_text(encoding="utf-8")
    save_checkpoint(out_folder, model, tokenizer, texts, dtype=dtype)
    if (run_folder / LEXICON_FILE).is_file():
        shutil.copyfile(run_folder / LEXICON_FILE, out_folder / LEXICON_FILE)
        write_checksums(out_folder)
    if (run_folder / PREDICTOR_FOLDER).is_dir():
        shutil.copytree(
            run_folder / PREDICTOR_FOLDER, out_folder / PREDICTOR_FOLDER, dirs_exist_ok=True
        )
    return model
