"""A regression on a pre-trained encoder: learned, kept, and read from safetensors only."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint
from subfit.model.length_predictor import PREDICTOR_FOLDER, PretrainedPredictor
from subfit.training.predictor import mean_ratio, measure_predictor, train_predictor
from tests.tiny import PAIRS, save_tiny_bert

FEW = PAIRS[:8]
TEXTS = [pair.source for pair in PAIRS]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("bert") / "bert")


def trained(bert: Path, *, fine_tuned: bool, steps: int = 100) -> PretrainedPredictor:
    predictor = PretrainedPredictor.start(str(bert), mean_ratio(FEW), fine_tuned=fine_tuned)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("subfit.training.predictor.RATE", 0.05)
        patch.setattr("subfit.training.predictor.TEXTS", 8)
        train_predictor(predictor, FEW, 1, steps=steps)
    return predictor


def weights_of(predictor: PretrainedPredictor, folder: Path) -> dict[str, torch.Tensor]:
    predictor.save(folder)
    return load_file(folder / "model.safetensors")


@pytest.mark.parametrize("fine_tuned", [True, False])
def test_it_learns_a_handful_of_pairs_by_heart(bert, fine_tuned, tmp_path):
    before = load_file(bert / "model.safetensors")
    predictor = trained(bert, fine_tuned=fine_tuned)
    assert measure_predictor(predictor, FEW, FEW)["predictor"]["mean_absolute"] < 0.7
    after = weights_of(predictor, tmp_path / "saved")
    assert before.keys() == after.keys()
    moved = any(not torch.equal(weight, after[name]) for name, weight in before.items())
    assert moved == fine_tuned


@pytest.mark.parametrize("which", ["tiny_model_folder", "tiny_marian_folder"])
def test_any_model_can_carry_one(which, request, bert, tmp_path):
    folder, out = request.getfixturevalue(which), tmp_path / "out"
    predictor = trained(bert, fine_tuned=True, steps=20)
    shutil.copytree(folder, out)
    predictor.save(out / PREDICTOR_FOLDER)
    for file in folder.iterdir():
        assert file.read_bytes() == (out / file.name).read_bytes()
    translator = Translator(load_checkpoint(str(out)))
    assert translator.capabilities.predicts
    assert translator.predict_lengths(TEXTS) == predictor.predict(TEXTS)
    for line in (out / PREDICTOR_FOLDER / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((out / PREDICTOR_FOLDER / name).read_bytes()).hexdigest() == digest


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


def test_an_encoder_in_pickles_only_is_refused(bert, tmp_path):
    folder = Path(shutil.copytree(bert, tmp_path / "pickled"))
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="safetensors only"):
        PretrainedPredictor.start(str(folder), 1.0)


def test_what_is_no_encoder_is_refused(tiny_marian_folder, tmp_path):
    for place in (str(tiny_marian_folder), str(tmp_path / "nothing"), "./nothing", str(tmp_path)):
        with pytest.raises(ModelError) as caught:
            PretrainedPredictor.start(place, 1.0)
        assert "\n" not in str(caught.value)
