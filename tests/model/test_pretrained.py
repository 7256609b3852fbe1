"""Models that Hugging Face's code loads: what is wrong with a folder is told in one line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from subfit.errors import ModelError
from subfit.model.pretrained import load_seq2seq

WEIGHTS = "model.safetensors"
FIRST = "model.encoder.layers.0.fc1.weight"


@pytest.fixture
def folder(tiny_marian_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_marian_folder, tmp_path / "copy"))


def test_weights_that_are_missing_are_not_made_up(folder: Path) -> None:
    weights = load_file(folder / WEIGHTS)
    del weights[FIRST]
    save_file(weights, folder / WEIGHTS, {"format": "pt"})
    with pytest.raises(ModelError) as caught:
        load_seq2seq(str(folder))
    assert str(caught.value) == f"{folder}: incomplete; 1 weights are missing ({FIRST})"


def test_a_folder_without_safetensors_and_damaged_ones_are_told(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:200])
    with pytest.raises(ModelError, match="cannot be loaded; is it complete"):
        load_seq2seq(str(folder))
    (folder / WEIGHTS).unlink()
    with pytest.raises(ModelError, match=r"no model\.safetensors here"):
        load_seq2seq(str(folder))
