"""Starting from a trained model: its weights, sizes and vocabulary, with a length signal added.

Lakew et al. 2019, §3.4. With ``length.gate_steps`` the fine-tuned model begins exactly as the one
it starts from; what it adds (rows for length tokens) changes no output before it is trained.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from subfit.bundled import find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.transformer import SubfitForTranslation
from subfit.training.recipe import Recipe
from subfit.training.run_folder import load_run
from subfit.training.state import OUTPUT_BIAS, has_state

ADDED_BIAS = -30.0
"""Output bias of added length tokens, which no target holds: e^-30 changes no probability."""


def load_start(recipe: Recipe) -> Checkpoint:
    """Load the model that a recipe starts from.

    Args:
        recipe: Its ``model.start`` names a training run's folder, a model folder, a bundled model
            or a Marian hub model. Only the last may use the network.

    Raises:
        ModelError: There is none, or it is damaged.
    """
    folder = Path(recipe.model.start)
    if has_state(folder):
        run = load_run(folder)
        return Checkpoint(folder.name, run.model, run.tokenizer)
    place = find_model(recipe.model.start, recipe.source_language, recipe.target_languages[0])
    return load_checkpoint(place)


@torch.no_grad()
def copy_weights(start: Checkpoint, model: SubfitForTranslation) -> None:
    """Give a model the weights of the one it starts from.

    Pieces that only ``model`` has, at the end of its vocabulary, get the mean embedding.

    Args:
        start: The trained model.
        model: One of the same sizes; its vocabulary may be larger.
    """
    weights = start.model.state_dict()
    of_signal = [name for name in weights if name.startswith("length_signal.")]
    for name in of_signal:  # the new signal starts anew
        del weights[name]
    own = model.state_dict()
    bias = weights[OUTPUT_BIAS]
    for name in own.keys() & weights.keys() - {OUTPUT_BIAS}:  # only embeddings can have more rows
        weights[name] = _with_mean_rows(weights[name], len(own[name]) - len(weights[name]))
    padding = bias.new_full((1, own[OUTPUT_BIAS].shape[1] - bias.shape[1]), ADDED_BIAS)
    weights[OUTPUT_BIAS] = torch.cat([bias, padding], dim=1)
    model.load_state_dict(weights, strict=False)


def _with_mean_rows(embeddings: Tensor, count: int) -> Tensor:
    if not count:
        return embeddings
    mean = embeddings.mean(dim=0, keepdim=True)
    return torch.cat([embeddings, mean.expand(count, -1)])
