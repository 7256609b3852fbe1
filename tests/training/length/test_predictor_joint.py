"""A length predictor that is trained with its translator, and does not touch it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.decoding.translator import Translator
from subfit.model.checkpoint import load_checkpoint
from subfit.model.length import UNASKED
from subfit.model.tokenizer import Tokenizer
from subfit.training.data.dataset import Dataset
from subfit.training.length.predictor import joint_length_loss
from subfit.training.recipe.model import Length
from subfit.training.recipe.recipe import Recipe
from subfit.training.run.export import export_run
from subfit.training.train import train
from tests.tiny import PAIRS, RECIPE, tiny_model, write_pairs


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    write_pairs(tmp_path / "toy.tsv")
    return replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(tmp_path), join=0.3),
        model=replace(RECIPE.model, dropout=0.1),
        optimizer=replace(RECIPE.optimizer, clip=0.1),  # so that every step is clipped
    )


def predicting(recipe: Recipe, **settings: object) -> Recipe:
    length = replace(recipe.length, predictor="encoder", **settings)  # type: ignore[arg-type]
    return replace(recipe, length=length)


def trained(recipe: Recipe, folder: Path) -> dict[str, torch.Tensor]:
    train(recipe, folder)
    return load_file(folder / "state" / "model.safetensors")


def test_the_translator_is_trained_as_without_it_to_the_bit(recipe, tmp_path):
    without = trained(recipe, tmp_path / "without")
    having = trained(predicting(recipe, predictor_weight=30.0), tmp_path / "with")
    head = {name for name in having if name.startswith("length_head.")}
    assert having.keys() - without.keys() == head
    for name, weight in without.items():
        assert torch.equal(weight, having[name]), name
    assert having["length_head.output"].any()  # it starts at zero


@pytest.mark.slow
def test_with_its_gradient_the_encoder_moves_otherwise(recipe, tmp_path):
    without = trained(recipe, tmp_path / "without")
    having = trained(predicting(recipe, predictor_gradient=True), tmp_path / "with")
    name = "model.encoder.layers.0.fc1.weight"
    assert not torch.equal(without[name], having[name])


def test_a_run_cut_in_two_ends_with_the_same_head(recipe, tmp_path):
    whole = trained(predicting(recipe), tmp_path / "whole")
    shorter = replace(recipe, schedule=replace(recipe.schedule, steps=4))
    trained(predicting(shorter), tmp_path / "cut")
    cut = trained(predicting(recipe), tmp_path / "cut")
    assert all(torch.equal(weight, cut[name]) for name, weight in whole.items())


def test_the_exported_model_predicts(recipe, tmp_path):
    trained(predicting(recipe), tmp_path / "run")
    export_run(tmp_path / "run", tmp_path / "model")
    translator = Translator(load_checkpoint(str(tmp_path / "model")))
    lengths = translator.predict_lengths([pair.source for pair in PAIRS])
    assert all(1 <= each <= 100 for each in lengths)
    assert len(set(lengths)) > 5


@pytest.mark.parametrize("classes", [{}, {"short": 1.0, "long": None}], ids=["", "classes"])
def test_texts_behind_a_length_token_do_not_count(classes, tiny_model_folder):
    tokenizer = Tokenizer(tiny_model_folder / "tokenizer.model")
    length = Length(classes=classes, encodings=("abs",), free=0.5, predictor="encoder")
    model = tiny_model(tokenizer, length=length)
    dataset = Dataset(PAIRS[:9], tokenizer, model.config, 128)
    batch = dataset.batch([(index,) for index in range(9)], free=0.5, seed=1)
    free = (batch.asked == UNASKED).nonzero().squeeze(1)
    assert 0 < len(free) < 9
    states = torch.randn(9, batch.source.shape[1], model.config.d_model, requires_grad=True)
    loss = joint_length_loss(model, batch, states, gradient=True)
    counted = free if classes else torch.arange(9)
    source, target = batch.characters[counted].unbind(1)
    errors = (torch.full_like(target, 1.0).float().log() - (target / source).log()).abs()
    smooth = torch.where(errors < 0.05, errors**2 / 0.1, errors - 0.025)
    assert loss.item() == pytest.approx(smooth.mean().item(), rel=1e-5)
    all_told = replace(batch, asked=torch.ones_like(batch.asked))
    none = joint_length_loss(model, all_told, states, gradient=True)
    assert (none.item() == 0) == bool(classes)


def test_batches_know_the_characters_of_joined_texts(tiny_model_folder):
    tokenizer = Tokenizer(tiny_model_folder / "tokenizer.model")
    dataset = Dataset(PAIRS[:2], tokenizer, tiny_model(tokenizer).config, 128)
    found = dataset.batch([(0,), (0, 1)], noise=9).characters.tolist()
    (first, second) = PAIRS[:2]
    assert found == [
        [len(first.source), len(first.target)],
        [len(f"{first.source} {second.source}"), len(f"{first.target} {second.target}")],
    ]
