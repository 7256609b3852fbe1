"""Lengths in tokens: trained, searched and measured in the same unit (Oka et al. 2020)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import ModelConfig
from subfit.model.length import LengthSignal, sinusoid
from subfit.model.tokenizer import Tokenizer
from subfit.training.folder import export_run
from subfit.training.sections import Length
from subfit.training.start import config_for
from subfit.training.train import dataset_of, train
from tests.tiny import PAIRS, RECIPE, tiny_model, write_pairs

TOKENS = Length(encodings=("abs",), unit="tokens")


@pytest.fixture(scope="module")
def translator(tokenizer: Tokenizer) -> Translator:
    model = tiny_model(tokenizer, length=TOKENS, token_characters=2.5)
    return Translator(Checkpoint("tiny", model, tokenizer))


def test_the_signal_counts_the_tokens_before_each_position():
    signal = LengthSignal(
        ModelConfig(
            d_model=8,
            vocab_size=6,
            length_encodings=["abs"],
            decoder_start_token_id=0,
            length_unit="tokens",
        )
    )
    tokens = torch.tensor([[0, 3, 5, 3, 2]])
    written = signal.emitted(tokens)
    assert written.tolist() == [[0, 1, 2, 3, 4]]
    added = signal(torch.tensor([4]), written, tokens, torch.zeros(1, 5, 8))
    assert torch.equal(added[0], sinusoid(torch.tensor([4, 3, 2, 1, 0]), 8))


def test_training_asks_for_the_tokens_of_the_reference_as_shown(tokenizer):
    recipe = replace(RECIPE, length=TOKENS)
    config = config_for(recipe, tokenizer)
    dataset = dataset_of(PAIRS, tokenizer, config, recipe, training=True)
    batch = dataset.batch([(0,), (1, 2), (3,)])
    ends = batch.labels == tokenizer.eos_id
    assert (batch.asked + 1).cumsum(0).tolist() == (ends.nonzero()[:, 0] + 1).tolist()
    noisy = {
        int(shift)
        for seed in range(40)
        for shift in dataset.batch([(3,), (4,)], seed=seed, noise=4).asked
        - dataset.batch([(3,), (4,)]).asked
    }
    assert noisy == set(range(-4, 5))
    assert dataset.token_characters == pytest.approx(
        sum(len(pair.target) for pair in PAIRS)
        / sum(len(tokenizer.encode(pair.target)) for pair in PAIRS)
    )


def test_a_run_in_tokens_is_trained_saved_and_used(tmp_path):
    write_pairs(tmp_path / "toy.tsv")
    data = replace(RECIPE.data, root=str(tmp_path))
    length = Length(encodings=("abs",), unit="tokens", noise=2, predictor="encoder")
    train(replace(RECIPE, data=data, length=length), tmp_path / "run")
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["length_unit"] == "tokens"
    assert 1 < config["token_characters"] < 4
    export_run(tmp_path / "run", tmp_path / "model")
    model = Translator.load(tmp_path / "model")
    assert model.length_unit.name == "tokens"
    [units], [characters] = (
        model.predict_units(["How are you?"]),
        model.predict_lengths(["How are you?"]),
    )
    assert characters == pytest.approx(units * config["token_characters"], abs=0.5)
    assert units < 12
