"""What all length predictors do with their estimates."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file

from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint, save_checkpoint
from subfit.model.length import LengthHead
from subfit.model.length_predictor import BATCH_TEXTS, LengthPredictor, PretrainedPredictor
from subfit.training.predictor import mean_ratio, measure_predictor, train_predictor
from tests.properties import examples
from tests.tiny import PAIRS, save_tiny_bert, tiny_model


class Fixed(LengthPredictor):
    """Estimates by the length of a text alone."""

    kind = "encoder"

    def __init__(self, log_ratio):
        self.log_ratio, self.batches = log_ratio, []

    def log_ratios(self, texts):
        self.batches.append(len(texts))
        return torch.tensor([self.log_ratio(len(text)) for text in texts])

    def modules(self):
        return ()


@examples(40)
@given(st.lists(st.text("ab ", min_size=1, max_size=30), max_size=150))
def test_estimates_come_back_in_the_order_of_their_texts(texts):
    predictor = Fixed(lambda length: math.log(1.5) if length % 2 else 0.0)
    found = predictor.predict(texts)
    for text, length in zip(texts, found, strict=True):
        own = len(" ".join(text.split()))
        assert length == max(1, round(own * (1.5 if own % 2 else 1.0)))
    assert all(count <= BATCH_TEXTS for count in predictor.batches)


@pytest.mark.parametrize(("log_ratio", "length"), [(50.0, 100), (-50.0, 1), (0.0, 10)])
def test_no_estimate_is_ten_times_as_long_or_a_tenth(log_ratio, length):
    assert Fixed(lambda _: log_ratio).predict(["ten letter"]) == [length]


def test_lengths_are_in_the_unit_of_the_model():
    predictor = Fixed(lambda _: 0.0)
    predictor.unit_characters = 2.5
    assert predictor.predict(["ten letter", "x"]) == [4, 1]


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_no_numbers_are_told_in_one_line(broken):
    with pytest.raises(ModelError, match="computes no numbers; is it damaged"):
        Fixed(lambda length: broken if length > 3 else 0.0).predict(["one", "eleven"])


TEXTS = [pair.source for pair in PAIRS]


def test_padding_states_do_not_reach_the_head():
    torch.manual_seed(1)
    head = LengthHead(8, 1.1)
    torch.nn.init.normal_(head.output)
    torch.nn.init.normal_(head.attention)
    states, mask = torch.randn(1, 5, 8), torch.tensor([[1, 1, 1, 0, 0]])
    other = states.clone()
    other[:, 3:] = 1e3
    characters = torch.tensor([20.0])
    assert torch.equal(head(states, mask, characters), head(other, mask, characters))
    short = head(states[:, :3], mask[:, :3], characters)
    assert torch.allclose(head(states, mask, characters), short)


def test_a_head_is_saved_with_its_model(predicting, tokenizer, tmp_path):
    save_checkpoint(tmp_path, predicting.model, tokenizer, {}, dtype=torch.float32)
    loaded = load_checkpoint(str(tmp_path))
    expected = Translator(predicting).predict_lengths(TEXTS)
    assert Translator(loaded).predict_lengths(TEXTS) == expected


def test_a_folder_whose_head_is_missing_is_refused(tokenizer, tmp_path):
    model = tiny_model(tokenizer)
    model.config.length_predictor = True
    save_checkpoint(tmp_path, model, tokenizer, {})
    with pytest.raises(ModelError, match="length_head"):
        load_checkpoint(str(tmp_path))


FEW = PAIRS[:8]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("bert") / "bert")


def trained(bert: Path, steps: int = 100) -> PretrainedPredictor:
    predictor = PretrainedPredictor.start(str(bert), mean_ratio(FEW))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("subfit.training.predictor.RATE", 0.05)
        patch.setattr("subfit.training.predictor.TEXTS", 8)
        train_predictor(predictor, FEW, 1, steps=steps)
    return predictor


def weights_of(predictor: PretrainedPredictor, folder: Path) -> dict[str, torch.Tensor]:
    predictor.save(folder)
    return load_file(folder / "model.safetensors")


def test_it_learns_a_handful_of_pairs_by_heart(bert, tmp_path):
    before = load_file(bert / "model.safetensors")
    predictor = trained(bert)
    assert measure_predictor(predictor, FEW, FEW)["predictor"]["mean_absolute"] < 0.7
    after = weights_of(predictor, tmp_path / "saved")
    assert before.keys() == after.keys()
    moved = any(not torch.equal(weight, after[name]) for name, weight in before.items())
    assert moved


def without_head(folder: Path) -> None:
    (folder / "head.safetensors").unlink()


def pickled_head(folder: Path) -> None:
    (folder / "head.safetensors").unlink()
    torch.save({"weight": torch.zeros(1, 32)}, folder / "head.safetensors")


def pickled_encoder(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    torch.save(weights, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    (folder / "head.safetensors").unlink()


@pytest.mark.parametrize("damage", [without_head, pickled_head, pickled_encoder])
def test_damaged_predictors_are_refused_in_one_line(bert, tmp_path, damage):
    PretrainedPredictor.start(str(bert), 1.0).save(tmp_path / "saved")
    damage(tmp_path / "saved")
    with pytest.raises(ModelError, match="saved") as caught:
        PretrainedPredictor.load(tmp_path / "saved")
    assert "\n" not in str(caught.value)
