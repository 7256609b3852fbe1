"""A model written again with its length predictor."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.decoding.translator import Translator
from subfit.errors import ModelError, OutputFileError
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.training.length.predictor import (
    PredictorTraining,
    new_encoder_predictor,
    train_predictor,
)
from subfit.training.length.predictor_files import write_with_predictor
from tests.tiny import PAIRS

FEW = PAIRS[:8]


@pytest.fixture
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


def test_the_folder_with_a_predictor_translates_as_before(checkpoint, tiny_model_folder, tmp_path):
    predictor = new_encoder_predictor(checkpoint, 1.1)
    train_predictor(predictor, FEW, PredictorTraining(steps=20, batch_texts=8))
    out = tmp_path / "with"
    write_with_predictor(tiny_model_folder, out, predictor)
    old = load_file(tiny_model_folder / "model.safetensors")
    new = load_file(out / "model.safetensors")
    for name, weight in old.items():
        assert torch.equal(weight, new[name])
        assert weight.dtype == new[name].dtype
    texts = [pair.source for pair in PAIRS]
    translator = Translator(load_checkpoint(str(out)))
    assert translator.can_predict_lengths
    assert translator.predict_lengths(texts) == predictor.predict(texts)
    for line in (out / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    with pytest.raises(OutputFileError):
        write_with_predictor(tiny_model_folder, out, predictor)


def test_weights_in_several_files_are_refused_before_anything_is_written(
    checkpoint, tiny_model_folder, tmp_path
):
    parted = Path(shutil.copytree(tiny_model_folder, tmp_path / "parted"))
    (parted / "model.safetensors").rename(parted / "model-00001-of-00002.safetensors")
    with pytest.raises(ModelError, match=f"{parted}: its weights are not in one") as caught:
        write_with_predictor(parted, tmp_path / "with", new_encoder_predictor(checkpoint, 1.1))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "with").exists()


def test_a_folder_that_cannot_be_made_is_told_in_a_line(checkpoint, tiny_model_folder, tmp_path):
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "with"
    with pytest.raises(OutputFileError, match="cannot be written") as caught:
        write_with_predictor(tiny_model_folder, out, new_encoder_predictor(checkpoint, 1.1))
    assert str(out) in str(caught.value) and "\n" not in str(caught.value)
