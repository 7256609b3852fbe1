"""What a run trains: a new model, or a trained one with a length signal added.

Lakew et al. 2019, §3.4. With ``length.gate_steps`` a fine-tuned model begins exactly as the one it
starts from; what it adds (rows for length tokens) changes no output before it is trained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from subfit.decoding.source_tokens import language_tokens
from subfit.errors import ModelError
from subfit.evaluation.corpus import Pair
from subfit.hub.names import is_causal, is_server
from subfit.model.bundled import find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint, load_tokenizer
from subfit.model.config import ModelConfig
from subfit.model.families import (
    ConfigWithLengths,
    ModelWithLengths,
    new_body,
    set_dropout,
    settle,
    stacks_of,
)
from subfit.model.tokenizer import TARGET_TOKENIZER_FILE, AnyTokenizer
from subfit.model.transformer import TrainableConfig, TrainableModel, Transformer
from subfit.text.formality import FORMALITIES
from subfit.training.distributed import training_device
from subfit.training.folder import empty_model, load_config, load_run, load_run_tokenizer
from subfit.training.recipe import Recipe
from subfit.training.sections import Attention
from subfit.training.state import OUTPUT_BIAS, has_state
from subfit.training.vocabulary import (
    SINK_PIECE,
    class_piece,
    formality_piece,
    language_piece,
    run_tokenizer,
    source_pieces,
)

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
    return isinstance(start.model, Transformer)


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
    start = load_checkpoint(place)
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
def copy_weights(start: Checkpoint, model: Transformer) -> None:
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


def config_with_lengths(recipe: Recipe, start: Checkpoint) -> ConfigWithLengths:
    """Return the configuration of the model that a recipe makes of one of Hugging Face's.

    Args:
        recipe: What to train. Its source tokens are numbered from behind the model's vocabulary;
            those of languages are the model's own.
        start: What the recipe starts from.

    Raises:
        UsageError: It does not know a language of the recipe.
    """
    body = body_of(start)
    family = deepcopy(body.config)
    set_dropout(family, recipe.model.dropout, recipe.model.attention_dropout)
    named = recipe.told_languages or recipe.target_languages
    languages = {
        language: language_tokens(start, *_pair_of(recipe, language)) for language in named
    }
    tokens: dict[str, int | None] = {
        language_piece(language): own.before_source if own.first is None else own.first
        for language, own in languages.items()
    }
    added = [piece for piece in source_pieces(recipe) if tokens.get(piece) is None]
    tokens |= {piece: int(family.vocab_size) + number for number, piece in enumerate(added)}
    several = (
        {language: tokens[language_piece(language)] for language in named}
        if len(named) > 1
        else None
    )
    lengths = {
        **_length_values(recipe, tokens),
        **_language_values(recipe, several),
    }
    return ConfigWithLengths.of(family, body.generation_config, lengths)


def config_for(
    recipe: Recipe, tokenizer: AnyTokenizer, start: Checkpoint | None = None
) -> ModelConfig:
    """Return the configuration of the model that a recipe trains.

    Args:
        recipe: What to train.
        tokenizer: Its pieces; tokens before sources that the source side lacks are added behind.
        start: What the recipe starts from, if anything; gives the sizes then.
    """
    tokens = {piece: tokenizer.source.token_id(piece) for piece in source_pieces(recipe)}
    former: ModelConfig = _new_config(recipe, tokenizer) if start is None else start.model.config
    added = len(tokenizer.source) if start is None else former.vocab_size
    forms = former.formality_tokens or {}  # a start has them behind its tokenizer's pieces
    tokens |= {formality_piece(name): token_id for name, token_id in forms.items()}
    for piece in [piece for piece, token_id in tokens.items() if token_id is None]:
        tokens[piece], added = added, added + 1
    several = {language: tokens[language_piece(language)] for language in recipe.told_languages}
    return replace(
        former,
        vocab_size=added,
        decoder_vocab_size=added if tokenizer.shared else len(tokenizer.target),
        share_encoder_decoder_embeddings=tokenizer.shared,
        dropout=recipe.model.dropout,
        attention_dropout=recipe.model.attention_dropout,
        token_characters=1.0,
        **_length_values(recipe, tokens),
        **_language_values(recipe, several),
        source_attention=recipe.attention.kind,
        coverage_vector=recipe.attention.coverage_vector,
        sink_token=tokens[SINK_PIECE] if recipe.attention.constrained else None,
        fertility=recipe.attention.fertility,
        constant_fertility=recipe.attention.constant,
        exhaustion=recipe.attention.exhaustion,
    )


def _length_values(recipe: Recipe, tokens: Mapping[str, int | None]) -> dict[str, Any]:
    """What a `LengthConfig` says of lengths, and of source tokens other than languages'."""
    length = recipe.length
    forms = [formality for formality in FORMALITIES if formality_piece(formality) in tokens]
    return {
        "length_encodings": list(length.encodings),
        "length_unit": length.unit,
        "rel_steps": length.rel_steps,
        "decoder_positions": length.positions,
        "closed_gate": length.gate_steps > 0,
        "length_classes": [
            [name, tokens[class_piece(name)], upper] for name, upper in length.bounds.items()
        ],
        "length_predictor": length.has_head,
        "free_translation": length.free > 0 or not (length.encodings or length.classes),
        "formality_tokens": {form: tokens[formality_piece(form)] for form in forms} or None,
    }


def with_sizes(recipe: Recipe, config: TrainableConfig) -> Recipe:
    """Return the recipe with the sizes that a configuration has, whoever decided them."""
    sizes = replace(
        recipe.model,
        encoder_layers=config.encoder_layers,
        decoder_layers=config.decoder_layers,
        width=config.d_model,
        feed_forward=config.encoder_ffn_dim,
        heads=config.encoder_attention_heads,
        max_tokens=config.max_position_embeddings,
    )
    return replace(recipe, model=sizes)


def _new_config(recipe: Recipe, tokenizer: AnyTokenizer) -> ModelConfig:
    shape = recipe.model
    return ModelConfig(
        d_model=shape.width,
        encoder_layers=shape.encoder_layers,
        decoder_layers=shape.decoder_layers,
        encoder_ffn_dim=shape.feed_forward,
        decoder_ffn_dim=shape.feed_forward,
        encoder_attention_heads=shape.heads,
        decoder_attention_heads=shape.heads,
        max_position_embeddings=shape.max_tokens,
        activation_function="relu",
        scale_embedding=True,
        init_std=shape.width**-0.5,
        pad_token_id=tokenizer.pad_id,
        decoder_start_token_id=tokenizer.pad_id,
        eos_token_id=tokenizer.eos_id,
    )


def _pair_of(recipe: Recipe, language: str) -> tuple[str | None, str | None]:
    """The source and the target language of pairs that name one of the recipe's languages."""
    sides = (recipe.source_language, recipe.target_language)
    source, target = (side if isinstance(side, str) else language for side in sides)
    return source, target


def _language_values(recipe: Recipe, tokens: Mapping[str, int | None] | None) -> dict[str, Any]:
    """What a configuration tells of languages: the one of a side, or tokens for the several."""
    sides = (recipe.source_language, recipe.target_language)
    source, target = (side if isinstance(side, str) else None for side in sides)
    return {
        "source_language": source,
        "target_language": target,
        "language_tokens": tokens or None,
    }


def tokenizer_of(
    recipe: Recipe, pairs: Sequence[Pair], folder: Path, start: Checkpoint | None
) -> AnyTokenizer:
    """Return the run's tokenizer: what is there already, the start's, or a new one."""
    if not recipe.model.start:
        return run_tokenizer(recipe, pairs, folder)
    if start is None:
        return load_run_tokenizer(folder, load_config(folder))
    start.tokenizer.save(folder)
    if not is_own(start):
        return start.tokenizer
    return load_tokenizer(folder, shared=not (folder / TARGET_TOKENIZER_FILE).is_file())


def config_of(recipe: Recipe, tokenizer: AnyTokenizer, start: Checkpoint | None) -> TrainableConfig:
    """The configuration of what a new run trains."""
    if start is None or is_own(start):
        return config_for(recipe, tokenizer, start)
    return config_with_lengths(recipe, start)


def new_model(
    recipe: Recipe,
    config: TrainableConfig,
    tokenizer: AnyTokenizer,
    start: Checkpoint | None = None,
    *,
    tied: bool = True,
) -> TrainableModel:
    """Return a model before its first step, on the accelerator, if there is one.

    Args:
        recipe: Its ``run.seed`` draws the weights that do not come from ``start``.
        config: From `config_for` or `config_with_lengths`.
        tokenizer: The run's.
        start: What the recipe starts from, if anything.
        tied: Whether the output layer shares its weights, of a run that goes on.
    """
    torch.manual_seed(recipe.run.seed)
    model: TrainableModel
    if isinstance(config, ConfigWithLengths):
        model = empty_model(config, tied=tied) if start is None else with_lengths(config, start)
    else:
        model = Transformer(config).start()
        if start is not None:
            copy_weights(start, model)
    model.set_piece_table(tokenizer.target.piece_characters, tokenizer.target.piece_leads)
    return model.to(training_device())
