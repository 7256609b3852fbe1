"""From a training run to a model folder that can be shipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from subfit.model.checkpoint import METRICS_FILE, save_checkpoint
from subfit.model.transformer import TrainableModel
from subfit.training.recipe.file import dump_recipe
from subfit.training.run.folder import CARD_FILE, RECIPE_FILE, load_run


def export_run(
    run_folder: Path, out_folder: Path, *, dtype: torch.dtype = torch.float16
) -> TrainableModel:
    """Build a model folder from a run, finished or not, and return the model in float32.

    The weights are the mean over the ``run.average`` validations kept, the last or the best by
    ``run.keep``, or the last saved state's where none are kept or nothing was validated yet; with
    ``run.start_share`` of those it began with.

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
    texts |= {
        name: (run_folder / name).read_text(encoding="utf-8")
        for name in (METRICS_FILE, CARD_FILE)
        if (run_folder / name).is_file()
    }
    save_checkpoint(out_folder, model, tokenizer, texts, dtype=dtype)
    return model
