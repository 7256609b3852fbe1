"""Training length predictors: they learn, say how well, and leave the translator alone."""

from __future__ import annotations

import math
from itertools import chain
from pathlib import Path

import pytest
import torch

from subfit.decoding.layers import Encoder
from subfit.errors import UsageError
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.tokenizer import Tokenizer
from subfit.training.length.predictor import (
    PredictorTraining,
    length_loss,
    mean_ratio,
    measure_predictor,
    new_encoder_predictor,
    prediction_errors,
    train_predictor,
    usable,
)
from tests.tiny import PAIRS

FEW = PAIRS[:8]
QUICK = PredictorTraining(steps=250, batch_texts=8, learning_rate=0.01)


@pytest.fixture
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


def test_a_head_learns_a_handful_of_pairs_by_heart(checkpoint):
    predictor = new_encoder_predictor(checkpoint, mean_ratio(FEW))
    before = measure_predictor(predictor, FEW, mean_ratio(FEW))
    assert before.predictor == before.source_times_ratio
    train_predictor(predictor, FEW, QUICK)
    after = measure_predictor(predictor, FEW, mean_ratio(FEW))
    assert before.predictor.mean_absolute > 1.5
    assert after.predictor.mean_absolute < 0.5
    assert after.predictor.correlation > 0.99


def test_training_moves_nothing_but_the_head_and_is_repeatable(checkpoint, tiny_model_folder):
    texts = [pair.source for pair in PAIRS]
    found = []
    for _ in range(2):
        predictor = new_encoder_predictor(checkpoint, 1.1)
        train_predictor(predictor, FEW, PredictorTraining(steps=10, batch_texts=4))
        found.append(predictor.predict(texts))
    assert found[0] == found[1]
    before = load_checkpoint(str(tiny_model_folder)).model.state_dict()
    after = checkpoint.model.state_dict()
    assert all(torch.equal(weight, after[name]) for name, weight in before.items())


def test_a_plain_marian_model_has_no_place_for_a_head(tiny_marian_folder):
    with pytest.raises(UsageError, match="plain Marian"):
        new_encoder_predictor(load_checkpoint(str(tiny_marian_folder)), 1.0)


def test_errors_of_known_predictions():
    found = prediction_errors([10, 22, 30], [12, 20, 33])
    assert found.mean_absolute == pytest.approx(7 / 3)
    assert found.variance == pytest.approx(14 / 3)  # of -2, 2 and -3, whose mean is -1
    assert found.correlation == pytest.approx(0.9685, abs=1e-4)
    assert prediction_errors([5, 5], [4, 6]).correlation is None
    assert prediction_errors([5], [7]).mean_absolute == 2


def test_the_loss_treats_half_and_double_alike_and_learns_the_median():
    source = torch.tensor([10.0, 40.0, 10.0])
    assert length_loss(torch.zeros(2), source[:2], torch.tensor([20, 80])) == pytest.approx(
        length_loss(torch.zeros(2), source[:2], torch.tensor([5, 20])).item()
    )
    target = torch.tensor([10, 44, 100])  # the median ratio is 1.1, the mean 4.03
    losses = {
        ratio: length_loss(torch.full((3,), math.log(ratio)), source, target).item()
        for ratio in (1.0, 1.1, 1.5, 4.03)
    }
    assert min(losses, key=losses.__getitem__) == 1.1


def test_pairs_without_a_side_are_not_learned_from():
    pairs = [Pair("", "a", ""), Pair("", "", "b"), Pair("", "ab", "abc")]
    assert usable(pairs) == pairs[2:]
    assert mean_ratio(usable(pairs)) == 1.5


def test_texts_are_encoded_without_a_class_that_would_tell_their_length(checkpoint, monkeypatch):
    """In training as in use: the class of a pair is made from its reference's length."""
    seen = []
    encode = Encoder.__call__
    monkeypatch.setattr(
        Encoder, "__call__", lambda self, texts: seen.append(texts) or encode(self, texts)
    )
    predictor = new_encoder_predictor(checkpoint, 1.1)
    train_predictor(predictor, FEW, PredictorTraining(steps=2, batch_texts=8))
    predictor.predict([pair.source for pair in FEW])
    classes = {each.token_id for each in checkpoint.model.config.classes}
    assert len(seen) == 3
    assert classes
    assert not classes & set(chain.from_iterable(chain.from_iterable(seen)))
    assert isinstance(checkpoint.tokenizer, Tokenizer)
