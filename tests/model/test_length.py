"""The length encodings beside their equations, written out number by number."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from subfit.decoding.translator import Translator
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import ModelConfig
from subfit.model.length import (
    LC_UNIT,
    LengthSignal,
    characters_emitted,
    encode_abs,
    encode_lrpe,
    encode_rel,
    sinusoid,
)
from subfit.model.tokenizer import Tokenizer
from subfit.training.folder import export_run
from subfit.training.sections import Length
from subfit.training.start import config_for
from subfit.training.train import dataset_of, train
from tests.tiny import PAIRS, RECIPE, tiny_model, write_pairs

WIDTH = 8
ASKED = [1, 7, 30, 250]
EMITTED = [[0, 0, 0, 1], [0, 3, 6, 7], [0, 11, 29, 45], [0, 1, 100, 249]]


def sines(value: float, frequencies: list[float]) -> list[float]:
    return [math.sin(value * each) for each in frequencies] + [
        math.cos(value * each) for each in frequencies
    ]


def frequencies(base: float) -> list[float]:
    return [base ** (-2 * i / WIDTH) for i in range(WIDTH // 2)]


def by_abs(asked: int, emitted: int) -> list[float]:
    return sines(max(asked - emitted, 0), frequencies(10000))


def by_rel(asked: int, emitted: int) -> list[float]:
    share = min(emitted / asked, 1)  # q_N is defined on [0, 1]
    return sines(math.floor(5 * share), frequencies(10000))


def by_lrpe(asked: int, emitted: int) -> list[float]:
    return sines(emitted, frequencies(asked))


@pytest.mark.parametrize(
    ("encode", "equation"),
    [
        (encode_abs, by_abs),
        (lambda asked, emitted, width: encode_rel(asked, emitted, width, 5), by_rel),
        (encode_lrpe, by_lrpe),
    ],
    ids=["abs", "rel", "lrpe"],
)
def test_encodings_are_their_equations(encode, equation):
    found = encode(torch.tensor(ASKED).unsqueeze(1), torch.tensor(EMITTED), WIDTH)
    wanted = [
        [equation(asked, each) for each in row] for asked, row in zip(ASKED, EMITTED, strict=True)
    ]
    np.testing.assert_allclose(found.numpy(), np.array(wanted), atol=2e-5)


def signal_of(*names: str, **config: int) -> LengthSignal:
    return LengthSignal(
        ModelConfig(d_model=WIDTH, vocab_size=10, length_encodings=list(names), **config)
    )


def test_signals_are_summed_and_silent_where_no_length_is_asked():
    signal = signal_of("abs", "lrpe")
    asked, emitted = torch.tensor([12, 0]), torch.tensor([[0, 5], [0, 5]])
    found = signal(asked, emitted, torch.ones(2, 2, dtype=torch.int64), torch.randn(2, 2, WIDTH))
    column = asked[:1].unsqueeze(1)
    wanted = encode_abs(column, emitted[:1], WIDTH) + encode_lrpe(column, emitted[:1], WIDTH)
    torch.testing.assert_close(found[:1], wanted)
    assert not found[1].any()


def test_leninit_adds_the_length_times_a_trained_vector_at_the_start_alone():
    signal = signal_of("leninit", decoder_start_token_id=7)
    with torch.no_grad():
        signal.start_vector.copy_(torch.randn(WIDTH))
    asked, tokens = torch.tensor([12, 30, 0]), torch.tensor([[7, 1, 2]] * 3)
    found = signal(asked, torch.zeros(3, 3), tokens, torch.randn(3, 3, WIDTH))
    torch.testing.assert_close(found[0, 0], 12 * signal.start_vector)
    torch.testing.assert_close(found[1, 0], 30 * signal.start_vector)
    assert not found[:, 1:].any()
    assert not found[2].any()


def test_lc_multiplies_every_embedding_with_the_length():
    signal = signal_of("lc")
    embedded = torch.randn(3, 4, WIDTH)
    asked = torch.tensor([25, 100, 0])
    found = embedded + signal(asked, torch.zeros(3, 4), torch.ones(3, 4), embedded)
    torch.testing.assert_close(found[0], embedded[0] * 25 / LC_UNIT["characters"])
    torch.testing.assert_close(found[1], embedded[1] * 100 / LC_UNIT["characters"])
    torch.testing.assert_close(found[2], embedded[2])


@pytest.mark.parametrize(
    "text",
    [
        *(pair.target for pair in PAIRS),
        *(pair.source for pair in PAIRS),
        "Œuvre 😀 naïve 漢字 – „so“…",
        "😀",
        "漢 字",
        "ß",
    ],
)
def test_characters_so_far_are_those_of_the_detokenized_prefix(tokenizer, text):
    tokens = tokenizer.encode(text)
    table = torch.tensor(tokenizer.piece_characters), torch.tensor(tokenizer.piece_leads)
    found = characters_emitted(torch.tensor([[tokenizer.pad_id, *tokens]]), *table)[0].tolist()
    prefixes = [tokenizer.decode(tokens[:count]) for count in range(len(tokens) + 1)]
    for count, (emitted, prefix) in enumerate(zip(found, prefixes, strict=True)):
        if "\ufffd" not in prefix:  # a character spelt in bytes counts from its first byte on
            assert emitted == len(prefix), (count, prefix)
    assert found[-1] == len(text)


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
