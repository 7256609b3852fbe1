"""From a recipe to the configuration of the model that it trains."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from transformers import MarianConfig

from subfit.decoding.source_tokens import language_tokens
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import LengthConfig
from subfit.model.families import ConfigWithLengths, set_dropout
from subfit.model.tokenizer import AnyTokenizer
from subfit.model.transformer import SubfitConfig, TrainableConfig
from subfit.text.formality import FORMALITIES
from subfit.training.recipe import Recipe
from subfit.training.start import body_of
from subfit.training.vocabulary import (
    SINK_PIECE,
    class_piece,
    formality_piece,
    language_piece,
    source_pieces,
)


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
) -> SubfitConfig:
    """Return the configuration of the model that a recipe trains.

    Args:
        recipe: What to train.
        tokenizer: Its pieces; tokens before sources that the source side lacks are added behind.
        start: What the recipe starts from, if anything; gives the sizes then.
    """
    tokens = {piece: tokenizer.source.token_id(piece) for piece in source_pieces(recipe)}
    added = len(tokenizer.source)
    if start is not None:
        added = int(start.model.config.vocab_size)
        tokens |= _formality_of(start.model.config)
    for piece in [piece for piece, token_id in tokens.items() if token_id is None]:
        tokens[piece], added = added, added + 1
    several = {language: tokens[language_piece(language)] for language in recipe.told_languages}
    sizes = _sizes(recipe, tokenizer) if start is None else _sizes_of(start.model.config)
    return SubfitConfig(
        **sizes,
        vocab_size=added,
        decoder_vocab_size=added if tokenizer.shared else len(tokenizer.target),
        share_encoder_decoder_embeddings=tokenizer.shared,
        dropout=recipe.model.dropout,
        attention_dropout=recipe.model.attention_dropout,
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


def _formality_of(config: MarianConfig) -> dict[str, int | None]:
    """The source tokens that a start has for forms of address, behind its tokenizer's pieces."""
    tokens = getattr(config, "formality_tokens", None) or {}
    return {formality_piece(name): token_id for name, token_id in tokens.items()}


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


def _sizes(recipe: Recipe, tokenizer: AnyTokenizer) -> dict[str, Any]:
    shape = recipe.model
    return {
        "d_model": shape.width,
        "encoder_layers": shape.encoder_layers,
        "decoder_layers": shape.decoder_layers,
        "encoder_ffn_dim": shape.feed_forward,
        "decoder_ffn_dim": shape.feed_forward,
        "encoder_attention_heads": shape.heads,
        "decoder_attention_heads": shape.heads,
        "max_position_embeddings": shape.max_tokens,
        "activation_function": "relu",
        "scale_embedding": True,
        "init_std": shape.width**-0.5,
        "pad_token_id": tokenizer.pad_id,
        "decoder_start_token_id": tokenizer.pad_id,
        "eos_token_id": tokenizer.eos_id,
        "forced_eos_token_id": None,
    }


def _sizes_of(config: MarianConfig) -> dict[str, Any]:
    """Everything that a trained model's configuration says, but for what a recipe decides."""
    decided = {
        "model_type",
        "vocab_size",
        "decoder_vocab_size",
        "share_encoder_decoder_embeddings",
        "dropout",
        "attention_dropout",
        "architectures",
    }
    decided |= set(LengthConfig.__annotations__)
    return {key: value for key, value in config.to_dict().items() if key not in decided}


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
