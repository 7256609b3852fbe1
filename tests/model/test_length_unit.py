"""Lengths in tokens: trained, searched and measured in the same unit (Oka et al. 2020)."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.evaluation.comparison import RowResult
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.length_control import make_length_control
from subfit.evaluation.tables import token_table
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.length import CHARACTERS, LengthSignal, length_unit, sinusoid
from subfit.model.tokenizer import Tokenizer
from subfit.training.dataset import IGNORED
from subfit.training.folder import export_run
from subfit.training.model_config import config_for
from subfit.training.predictor import fit_line, joint_length_loss, prediction_errors
from subfit.training.recipe import load_recipe, recipe_variants
from subfit.training.sections import Length
from subfit.training.train import dataset_of, train
from tests.places import ROOT
from tests.tiny import PAIRS, RECIPE, tiny_model, write_pairs

TOKENS = Length(encodings=("abs",), unit="tokens")


@pytest.fixture(scope="module")
def tokenizer(tiny_model_folder: Path) -> Tokenizer:
    return Tokenizer(tiny_model_folder / "tokenizer.model")


@pytest.fixture(scope="module")
def translator(tokenizer: Tokenizer) -> Translator:
    model = tiny_model(tokenizer, length=TOKENS, token_characters=2.5)
    return Translator(Checkpoint("tiny", model, tokenizer))


def test_the_signal_counts_the_tokens_before_each_position():
    signal = LengthSignal(8, 6, ("abs",), start_id=0, unit="tokens")
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
    pieces = (batch.labels != IGNORED).sum(dim=1) - 1
    assert batch.asked.tolist() == pieces.tolist()
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


def test_the_search_is_told_what_training_was_told(tokenizer, translator):
    text = PAIRS[3].source
    (nbest,) = translator.translate([Request(text, asked_tokens=9)])
    model = translator.checkpoint.model
    start, end = model.config.decoder_start_token_id, tokenizer.eos_id
    for found in nbest[:3]:
        inputs = torch.tensor([[start, *found.token_ids]])
        source = torch.tensor([[*tokenizer.encode(text), end]])
        with torch.no_grad():
            logits = model(
                input_ids=source,
                attention_mask=torch.ones_like(source),
                decoder_input_ids=inputs,
                decoder_char_budget=torch.tensor([9]),
            ).logits[0]
        labels = torch.tensor([*found.token_ids, end])
        total = logits.log_softmax(-1).gather(1, labels.unsqueeze(1)).sum()
        assert found.log_probability == pytest.approx(float(total), abs=1e-3)


def test_characters_asked_for_become_tokens_by_their_mean(translator):
    text = PAIRS[3].source
    by_characters = translator.translate([Request(text, asked=20)])
    assert by_characters == translator.translate([Request(text, asked_tokens=8)])
    assert by_characters != translator.translate([Request(text, asked_tokens=3)])


@pytest.mark.parametrize("ask", ["source", "reference", "7"])
def test_lengths_are_asked_and_measured_in_tokens(tokenizer, translator, ask):
    found = evaluate(translator, PAIRS, make_length_control(ask))
    wishes = {
        "source": [len(tokenizer.encode(pair.source)) for pair in PAIRS],
        "reference": [len(tokenizer.encode(pair.target)) for pair in PAIRS],
        "7": [7] * 30,
    }[ask]
    requests = [
        Request(pair.source, asked_tokens=wish) for pair, wish in zip(PAIRS, wishes, strict=True)
    ]
    written = [
        len(nbest[0].token_ids if nbest else tokenizer.encode(pair.source))
        for nbest, pair in zip(translator.translate(requests), PAIRS, strict=True)
    ]
    squares = [(tokens - wish) ** 2 for tokens, wish in zip(written, wishes, strict=True)]
    assert found.variance == pytest.approx(sum(squares) / 30)
    assert found.setup is not None and found.setup.unit == "tokens"
    references = [len(tokenizer.encode(pair.target)) for pair in PAIRS]
    squares = [(tokens - other) ** 2 for tokens, other in zip(written, references, strict=True)]
    assert found.tokens is not None
    assert found.tokens.reference_variance == pytest.approx(sum(squares) / 30)
    table = token_table([RowResult("row", found)])
    assert table is not None
    assert f"| row | {found.variance:.2f} | {found.tokens.reference_variance:.2f} (" in table


def test_tables_of_characters_have_no_tokens(tokenizer):
    translator = Translator(Checkpoint("tiny", tiny_model(tokenizer), tokenizer))
    found = evaluate(translator, PAIRS[:3], make_length_control("source"))
    assert found.setup is not None and found.setup.unit == "characters"
    assert token_table([RowResult("row", found)]) is None


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


def test_the_predictors_loss_is_of_tokens(tokenizer):
    recipe = replace(RECIPE, length=Length(encodings=("abs",), unit="tokens", predictor="encoder"))
    config = config_for(recipe, tokenizer)
    dataset = dataset_of(PAIRS, tokenizer, config, recipe)
    batch = dataset.batch([(0,), (3,)])
    model = tiny_model(tokenizer, length=recipe.length, token_characters=3.0)
    ratio = 1.2
    model.length_head.start_at(ratio)
    states = torch.randn(2, batch.source.shape[1], 32)
    loss = joint_length_loss(model, batch, states)
    pieces = (batch.labels != IGNORED).sum(dim=1) - 1
    errors = [
        abs(math.log(ratio) - math.log(3.0 * int(piece) / int(source)))
        for piece, (source, _) in zip(pieces, batch.characters.tolist(), strict=True)
    ]
    assert all(error > 0.05 for error in errors)  # where the loss is rounded off
    assert float(loss.detach()) == pytest.approx(
        sum(error - 0.025 for error in errors) / 2, abs=1e-4
    )


def test_a_line_through_the_lengths_is_the_regression_without_an_encoder():
    slope, offset = fit_line(PAIRS)
    lengths = [(len(pair.source), len(pair.target)) for pair in PAIRS]
    residual = sum(target - slope * source - offset for source, target in lengths)
    assert residual == pytest.approx(0, abs=1e-6)
    predicted = [round(slope * source + offset) for source, _ in lengths]
    own = prediction_errors([source for source, _ in lengths], [target for _, target in lengths])
    assert prediction_errors(predicted, [t for _, t in lengths]).variance < own.variance
    assert fit_line(PAIRS[:1]) == (0.0, len(PAIRS[0].target))


def test_recipes_after_oka_count_in_tokens_and_others_in_characters():
    units = {
        (name, variant): load_recipe(ROOT / "recipes" / f"{name}.yaml", variant=variant).length.unit
        for name in ("oka2020", "oka2020-en-it", "lakew2019", "takase2019")
        for variant in recipe_variants(ROOT / "recipes" / f"{name}.yaml")
    }
    assert len(units) > 50
    assert all((unit == "tokens") == name.startswith("oka") for (name, _), unit in units.items())


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"length_unit": "words"}, "where one of characters, tokens is wanted"),
        ({"token_characters": 0}, "token_characters is"),
        ({"token_characters": "two"}, "token_characters is"),
    ],
)
def test_models_with_units_that_are_none_are_refused(tmp_path, tiny_model_folder, changes, problem):
    model = shutil.copytree(tiny_model_folder, tmp_path / "model")
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, **changes}))
    with pytest.raises(ModelError, match=problem):
        load_checkpoint(str(model))


def test_the_unit_is_characters_where_nothing_says_otherwise(tokenizer):
    assert length_unit(tiny_model(tokenizer).config, tokenizer) is CHARACTERS
    assert CHARACTERS.of_characters(7.4) == 7
