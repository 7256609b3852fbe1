"""Wider states than the model has that a recipe starts from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.errors import ModelError, RecipeError
from subfit.model.checkpoint import Checkpoint
from subfit.training.recipe.model import Length
from subfit.training.recipe.recipe import Recipe
from subfit.training.run import widening
from subfit.training.run.folder import load_run
from subfit.training.run.widening import with_wider_layers
from subfit.training.train import check_resumable, prepare, train
from tests.tiny import RECIPE, tiny_model, tiny_tokenizer
from tests.training.run.test_start import fine_tuned


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory) -> Checkpoint:
    tokenizer = tiny_tokenizer(tmp_path_factory.mktemp("tokenizer"))
    model = tiny_model(tokenizer, length=Length(encodings=("abs",), predictor="encoder"))
    with torch.no_grad():  # normalisations and a length head as trained ones are
        for name, weight in model.named_parameters():
            if "norm" in name or "length_head" in name:
                weight.add_(0.2 * torch.randn(weight.shape))
    return Checkpoint("narrow", model, tokenizer)


def wider(plain: Path, width: int, steps: int = 3) -> Recipe:
    recipe = fine_tuned(plain, Length(encodings=("abs",), gate_steps=2), steps)
    return replace(recipe, model=replace(recipe.model, grown_width=width))


def inputs(checkpoint: Checkpoint) -> dict[str, torch.Tensor]:
    source = torch.tensor([checkpoint.tokenizer.encode("It is cold tonight.")])
    target = torch.tensor([checkpoint.tokenizer.encode("Heute Nacht ist es kalt.")])
    return {"input_ids": source, "decoder_input_ids": target}


def copy_positions(narrow: Checkpoint, wide: torch.nn.Module) -> None:
    """Give a model of twice the width the narrow one's encodings of positions."""
    copied = torch.cat([torch.arange(16), torch.arange(16, 32)]).repeat_interleave(2)
    for stack in ("encoder", "decoder"):
        positions = getattr(narrow.model.model, stack).embed_positions.weight
        getattr(wide.model, stack).embed_positions.weight.data = positions[:, copied].clone()


def test_twice_as_wide_only_encodings_of_positions_change(checkpoint, monkeypatch):
    """Where each unit has one copy, normalisation changes nothing: scores are the same."""
    monkeypatch.setattr(widening, "APART", 0.0)
    grown = with_wider_layers(checkpoint, 64).model.eval()
    assert grown.config.d_model == 64
    assert (
        grown.config.encoder_attention_heads == 2 * checkpoint.model.config.encoder_attention_heads
    )
    assert grown.model.encoder.layers[0].fc1.weight.shape == (128, 64)
    copy_positions(checkpoint, grown)
    with torch.no_grad():
        wanted = checkpoint.model(**inputs(checkpoint))
        found = grown(**inputs(checkpoint))
    torch.testing.assert_close(found.logits, wanted.logits, rtol=1e-3, atol=1e-3)
    states = wanted.encoder_last_hidden_state, found.encoder_last_hidden_state
    mask = torch.ones(states[0].shape[:2])
    of_both = [
        model.length_head(encoded, mask, torch.tensor([19]))
        for model, encoded in zip((checkpoint.model, grown), states, strict=True)
    ]
    torch.testing.assert_close(*of_both, rtol=1e-3, atol=1e-3)


def test_encodings_of_positions_find_nearly_their_frequencies(checkpoint):
    narrow = checkpoint.model.model.encoder.embed_positions.weight[:20]
    grown = with_wider_layers(checkpoint, 64).model
    wide = grown.model.encoder.embed_positions.weight[:20]
    even = torch.cat([torch.arange(0, 32, 2), torch.arange(32, 64, 2)])
    torch.testing.assert_close(wide[:, even], narrow)


def test_copies_part(checkpoint):
    """Copies that were alike in all would stay so, as their gradients would."""
    grown = with_wider_layers(checkpoint, 64).model
    weight = grown.model.encoder.layers[0].fc1.weight
    first, second = weight[:64], weight[64:]
    assert (first - second).abs().min(dim=1).values.max() > 0
    alike = torch.cosine_similarity(first, second, dim=1)
    assert 0.99 < alike.min() < alike.max() < 1.0


def test_feed_forward_layers_grow_by_themselves(checkpoint, monkeypatch):
    """As many units as asked for, copies of those there are: scores are the same."""
    monkeypatch.setattr(widening, "APART", 0.0)
    grown = with_wider_layers(checkpoint, 64, 80).model.eval()
    assert grown.config.encoder_ffn_dim == grown.config.decoder_ffn_dim == 80
    assert grown.model.decoder.layers[0].fc2.weight.shape == (64, 80)
    copy_positions(checkpoint, grown)
    with torch.no_grad():
        wanted, found = checkpoint.model(**inputs(checkpoint)), grown(**inputs(checkpoint))
    torch.testing.assert_close(found.logits, wanted.logits, rtol=1e-3, atol=1e-3)


def test_feed_forward_layers_do_not_shrink(checkpoint):
    with pytest.raises(ModelError, match=r"have 64 units; model\.grown_feed_forward=48 must not"):
        with_wider_layers(checkpoint, 64, 48)


def test_feed_forward_layers_grow_with_states_alone():
    with pytest.raises(RecipeError, match=r"model\.grown_feed_forward=80 goes with"):
        replace(RECIPE, model=replace(RECIPE.model, grown_feed_forward=80))


def test_a_run_goes_on_wider(plain, tmp_path):
    train(wider(plain, 64), tmp_path / "run")
    train(wider(plain, 64, steps=5), tmp_path / "run")
    run = load_run(tmp_path / "run")
    assert run.recipe.model.width == run.model.config.d_model == 64
    assert run.recipe.model.feed_forward == 128
    with pytest.raises(RecipeError, match=r"model\.grown_width was 64, is 96"):
        check_resumable(wider(plain, 96), tmp_path / "run")


@pytest.mark.parametrize("width", [16, 32, 70])
def test_the_width_must_be_more_and_a_multiple(plain, tmp_path, width):
    with pytest.raises(ModelError, match=rf"model\.grown_width={width} must be more"):
        prepare(wider(plain, width), tmp_path / "run")


def test_there_must_be_a_model_to_grow():
    with pytest.raises(RecipeError, match=r"model\.grown_width=64"):
        replace(RECIPE, model=replace(RECIPE.model, grown_width=64))
