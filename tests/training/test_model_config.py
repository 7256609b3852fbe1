"""From a recipe to the configuration of its model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.model.checkpoint import load_checkpoint
from subfit.training.sections import Architecture, Length
from subfit.training.start import config_for, with_sizes
from tests.tiny import RECIPE

BOTH = replace(RECIPE.data, formality=0.5)
SEVERAL = replace(
    RECIPE,
    target_language=("de", "it"),
    data=replace(BOTH, train={"de": ("a",), "it": ("b",)}, dev={"de": "a", "it": "b"}),
)


def test_sizes_are_those_of_the_recipe(tokenizer):
    shape = Architecture(
        encoder_layers=3,
        decoder_layers=1,
        width=48,
        feed_forward=96,
        heads=4,
        dropout=0.2,
        attention_dropout=0.1,
        max_tokens=100,
    )
    config = config_for(replace(RECIPE, model=shape), tokenizer)
    assert (config.encoder_layers, config.decoder_layers, config.d_model) == (3, 1, 48)
    assert (config.dropout, config.attention_dropout) == (0.2, 0.1)
    assert with_sizes(RECIPE, config).model == replace(RECIPE.model, **sizes_of(shape))


def sizes_of(shape: Architecture) -> dict[str, int]:
    names = ("encoder_layers", "decoder_layers", "width", "feed_forward", "heads", "max_tokens")
    return {name: getattr(shape, name) for name in names}


@pytest.mark.parametrize("recipe", [RECIPE, SEVERAL], ids=["one pair", "two languages"])
def test_every_token_before_sources_is_one_of_its_own_within_the_vocabulary(tokenizer, recipe):
    config = config_for(recipe, tokenizer)
    tokens = config.source_token_ids
    assert len(set(tokens)) == len(tokens)
    assert all(0 <= token < config.vocab_size for token in tokens)
    # The toy vocabulary has pieces for the length classes; all others are added behind.
    added = [token for token in tokens if token >= len(tokenizer)]
    assert sorted(added) == list(range(len(tokenizer), config.vocab_size))
    told = recipe is SEVERAL
    assert set(config.language_tokens or {}) == ({"de", "it"} if told else set())
    assert set(config.formality_tokens or {}) == ({"formal", "informal"} if told else set())
    assert config.target_language == (None if told else "de")
    assert config.source_language == "en"


@pytest.mark.parametrize(
    ("length", "free"),
    [
        (Length(), True),  # there is no signal that it could be without
        (Length(encodings=("abs",)), False),
        (Length(encodings=("abs",), free=0.2), True),
        (Length(classes={"short": 1.0, "long": None}), False),
    ],
)
def test_it_translates_freely_where_it_has_seen_texts_without_a_length(tokenizer, length, free):
    assert config_for(replace(RECIPE, length=length), tokenizer).free_translation is free


def test_a_fine_tuned_model_keeps_the_sizes_and_the_tokens_of_its_start(tiny_model_folder):
    start = load_checkpoint(str(tiny_model_folder))
    recipe = replace(
        RECIPE,
        model=replace(RECIPE.model, start=str(tiny_model_folder), width=512, heads=8),
        data=replace(RECIPE.data, formality=0.5),
        length=replace(RECIPE.length, encodings=("rel",)),
    )
    config, own = config_for(recipe, start.tokenizer, start), start.model.config
    assert (config.d_model, config.encoder_layers) == (own.d_model, own.encoder_layers)
    assert config.length_encodings == ["rel"]
    assert [each.token_id for each in config.classes] == [each.token_id for each in own.classes]
    size = own.vocab_size
    assert config.formality_tokens == {"formal": size, "informal": size + 1}
    assert config.vocab_size == size + 2
