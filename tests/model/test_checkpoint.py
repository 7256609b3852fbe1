"""Model folders, written and read again."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from subfit.errors import ModelError, OutputFileError
from subfit.model.checkpoint import load_checkpoint, save_checkpoint
from subfit.model.tokenizer import TokenizerPair
from tests.tiny import tiny_model


def test_checksums_cover_every_file(tokenizer, tmp_path):
    (tmp_path / "notes").mkdir()
    save_checkpoint(tmp_path, tiny_model(tokenizer), tokenizer, {"recipe.yaml": "name: x\n"})
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert sums.keys() == {"config.json", "model.safetensors", "recipe.yaml", "tokenizer.model"}
    for name, digest in sums.items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest


def test_a_save_that_fails_leaves_the_files_of_a_good_folder(tokenizer, tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    def files():
        return {each.name: each.read_bytes() for each in tmp_path.iterdir()}

    model = tiny_model(tokenizer)
    save_checkpoint(tmp_path, model, tokenizer, {"recipe.yaml": "name: x\n"})
    before = files()
    model.float().model.shared.weight.data.zero_()
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputFileError, match="no space left"):
        save_checkpoint(tmp_path, model, tokenizer, {"recipe.yaml": "name: y\n"})
    assert files() == before
    for each in (tokenizer, TokenizerPair(tokenizer, tokenizer)):
        with pytest.raises(OutputFileError, match="no space left"):
            each.save(tmp_path)


@pytest.fixture
def folder(tiny_model_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_model_folder, tmp_path / "copy"))


def without_a_weight(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights["model.encoder.layers.0.fc1.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def of_another_vocabulary(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "vocab_size": 99}))


DAMAGES = {
    "no tokenizer": lambda folder: (folder / "tokenizer.model").unlink(),
    "no weights": lambda folder: (folder / "model.safetensors").unlink(),
    "tokenizer is text": lambda folder: (folder / "tokenizer.model").write_text("hello"),
    "weights cut off": lambda folder: (folder / "model.safetensors").write_bytes(b"\0" * 99),
    "a weight missing": without_a_weight,
    "config is no JSON": lambda folder: (folder / "config.json").write_text("{"),
    "config is a list": lambda folder: (folder / "config.json").write_text("[]"),
    "another kind": lambda folder: (folder / "config.json").write_text('{"model_type": "bert"}'),
    "another vocabulary": of_another_vocabulary,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_folders_are_refused_in_one_line(folder, damage):
    damage(folder)
    with pytest.raises(ModelError) as caught:
        load_checkpoint(str(folder))
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def _change(folder: Path, target: Path, **values: object) -> str:
    """Copy a model folder with other values in its configuration."""
    copy = Path(shutil.copytree(folder, target / "changed"))
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    (copy / "config.json").write_text(json.dumps({**config, **values}), encoding="utf-8")
    return str(copy)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"eos_token_id": None}, "eos_token_id"),
        ({"decoder_start_token_id": 99_999}, "decoder_start_token_id"),
        ({"length_encodings": ["spiral"]}, "spiral"),
        ({"length_classes": [["short", "x"]]}, "length_classes"),
        ({"length_classes": [["long", 3, 1.2], ["short", 4, 1.0]]}, "length_classes"),
        ({"d_model": 64}, "do not belong together"),
        ({"encoder_attention_heads": 3}, "heads"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused_in_one_line(
    tiny_model_folder: Path,
    tmp_path: Path,
    values: dict[str, object],
    said: str,
) -> None:
    with pytest.raises(ModelError, match=said) as failure:
        load_checkpoint(_change(tiny_model_folder, tmp_path, **values))
    assert "\n" not in str(failure.value)


def test_a_marian_folder_says_which_tokenizer_file_is_missing(tiny_marian_folder, tmp_path):
    folder = Path(shutil.copytree(tiny_marian_folder, tmp_path / "marian"))
    (folder / "source.spm").unlink()
    with pytest.raises(ModelError, match=r"source\.spm"):
        load_checkpoint(str(folder))
