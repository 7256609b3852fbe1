"""Starting from a trained model: its weights, sizes and vocabulary, with a length signal added.

Lakew et al. 2019, §3.4. With ``length.gate_steps`` the fine-tuned model begins exactly as the one
it starts from; what it adds (rows for length tokens) changes no output before it is trained.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from subfit.errors import ModelError
from subfit.hub.contents import is_causal
from subfit.hub.names import is_server
from subfit.model.bundled import find_model
from subfit.model.checkpoint import Checkpoint, load_trainable
from subfit.model.families import ConfigWithLengths, ModelWithLengths, new_body, settle, stacks_of
from subfit.model.transformer import SubfitForTranslation
from subfit.training.folder import load_run
from subfit.training.recipe import Recipe
from subfit.training.sections import Attention
from subfit.training.state import OUTPUT_BIAS, has_state

ROWS_SEED = 20
"""Draws the embeddings of added pieces."""
ANEW = ("length_signal.", "fertility.table")
"""What a model has of its own from the start, whatever it starts from."""
ADDED_BIAS = -30.0
"""Output bias of added length tokens, which no target holds: e^-30 changes no probability."""


def load_start(recipe: Recipe) -> Checkpoint:
    """Load the model that a recipe starts from.

    Args:
        recipe: Its ``model.start`` names a training run's folder, a model folder, a bundled model,
            or an encoder-decoder model or family of the Hugging Face hub. Only these may use the
            network.

    Raises:
        ModelError: There is none, it is damaged, or of a kind that cannot be fine-tuned so.
    """
    start = _load(recipe)
    if not is_own(start):
        _refuse_changes(start, recipe)
        settle(body_of(start))
    return start


def is_own(start: Checkpoint) -> bool:
    """Whether a model is of subfit's own shape, not one of Hugging Face's."""
    return isinstance(start.model, SubfitForTranslation)


def body_of(start: Checkpoint) -> Any:
    """Return the model as Hugging Face has it, without lengths that it may have been taught."""
    return start.model.body if isinstance(start.model, ModelWithLengths) else start.model


def _refuse_changes(start: Checkpoint, recipe: Recipe) -> None:
    """Refuse what would make of a model of Hugging Face's one that is none.

    Raises:
        ModelError: A recipe wants that.
    """
    wanted = {
        "attention is for models of subfit's own": recipe.attention != Attention(),
        "length.positions: false is for models of subfit's own": not recipe.length.positions,
    }
    for problem, is_wanted in wanted.items():
        if is_wanted:
            raise ModelError(f"{start.name}: {problem}; this is a model of Hugging Face's")


def _load(recipe: Recipe) -> Checkpoint:
    folder = Path(recipe.model.start)
    if has_state(folder):
        run = load_run(folder)
        return Checkpoint(folder.name, run.model, run.tokenizer)
    place = find_model(recipe.model.start, recipe.source_languages[0], recipe.target_languages[0])
    if is_server(place) or is_causal(place):
        raise ModelError(
            f"{place}: told in words what to do; subfit trains encoder-decoder models: its own,"
            " Marian, M2M100, NLLB, mBART-50 and T5"
        )
    start = load_trainable(place)
    shared = getattr(body_of(start).config, "share_encoder_decoder_embeddings", True)
    if start.tokenizer.shared != shared:
        raise ModelError(
            f"{place}: one vocabulary with embeddings for each side, which subfit cannot fine-tune"
        )
    return start


@torch.no_grad()
def with_lengths(config: ConfigWithLengths, start: Checkpoint) -> ModelWithLengths:
    """Return a model of Hugging Face's that takes lengths, which changes nothing yet."""
    body = body_of(start)
    if body.config.to_dict() != config.family.to_dict():  # another dropout
        former, tied = body, body.lm_head.weight is body.get_input_embeddings().weight
        body = new_body(config, tied=tied)
        body.load_state_dict(former.state_dict())
    model = ModelWithLengths(body, config)
    if model.source_rows is not None:
        table = stacks_of(body)[0].embed_tokens.weight
        size = torch.Size((len(table) + len(model.source_rows), table.shape[1]))
        model.source_rows.copy_(_with_drawn_rows(table, size)[len(table) :])
    head = getattr(start.model, "length_head", None)
    if head is not None and model.length_head is not None:
        model.length_head.load_state_dict(head.state_dict())
    return model


@torch.no_grad()
def copy_weights(start: Checkpoint, model: SubfitForTranslation) -> None:
    """Give a model the weights of the one it starts from.

    Pieces that only ``model`` has, at the end of its vocabulary, get embeddings drawn around the
    mean one, as far apart as those of others: pieces that begin alike are learned much later.

    Args:
        start: The trained model.
        model: One of the same sizes; its vocabulary may be larger.
    """
    own = model.state_dict()
    weights = {
        name: value
        for name, value in start.model.state_dict().items()
        if name in own and not name.startswith(ANEW)
    }
    bias = weights.pop(OUTPUT_BIAS)
    # Only embeddings can have more rows.
    grown = {name: _with_drawn_rows(value, own[name].shape) for name, value in weights.items()}
    padding = bias.new_full((1, own[OUTPUT_BIAS].shape[1] - bias.shape[1]), ADDED_BIAS)
    grown[OUTPUT_BIAS] = torch.cat([bias, padding], dim=1)
    model.load_state_dict(grown, strict=False)


def _with_drawn_rows(weight: Tensor, shape: torch.Size) -> Tensor:
    if weight.shape == shape:
        return weight
    generator = torch.Generator().manual_seed(ROWS_SEED)  # the same for embeddings that are tied
    drawn = torch.randn(shape[0] - len(weight), weight.shape[1], generator=generator)
    return torch.cat([weight, weight.mean(dim=0) + weight.std(dim=0) * drawn])
