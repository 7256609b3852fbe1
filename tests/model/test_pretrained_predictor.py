"""A regression on a pre-trained encoder: learned, kept, and read from safetensors only."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.errors import ModelError
from subfit.model.length_predictor import PretrainedPredictor
from subfit.training.predictor import mean_ratio, measure_predictor, train_predictor
from tests.tiny import PAIRS, save_tiny_bert

FEW = PAIRS[:8]
TEXTS = [pair.source for pair in PAIRS]


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
