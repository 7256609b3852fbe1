"""Model folders, written and read again."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForSeq2SeqLM

from subfit.errors import ModelError, OutputFileError
from subfit.model.checkpoint import Checkpoint, load_checkpoint, load_trainable, save_checkpoint
from subfit.model.config import LENGTH_ENCODINGS
from subfit.model.tokenizer import Tokenizer, TokenizerPair
from subfit.model.transformer import SubfitConfig, SubfitForTranslation
from subfit.training.dataset import Dataset
from subfit.training.sections import Length
from tests.tiny import PAIRS, tiny_model


@pytest.fixture(scope="module")
def tokenizer(tiny_model_folder: Path) -> Tokenizer:
    return Tokenizer(tiny_model_folder / "tokenizer.model")


def inputs(tokenizer: Tokenizer) -> dict[str, torch.Tensor]:
    config = SubfitConfig(pad_token_id=0, eos_token_id=2)
    batch = Dataset(PAIRS[:4], tokenizer, config, 128).batch([(0,), (1,), (2, 3)])
    return {
        "input_ids": batch.source,
        "attention_mask": batch.source_mask,
        "labels": batch.labels,
        "decoder_char_budget": torch.tensor([11, 0, 60]),
    }


def stale_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make memory that is allocated without content show it."""

    def dirty(make):
        def made(*args, **kwargs):
            tensor = make(*args, **kwargs)
            if tensor.device.type == "meta":
                return tensor
            return tensor.fill_(1 if tensor.dtype == torch.bool else 77)

        return made

    for name in ("empty", "empty_like"):
        monkeypatch.setattr(torch, name, dirty(getattr(torch, name)))


@pytest.mark.parametrize("positions", [True, False], ids=["+PE", "no PE"])
def test_a_saved_model_comes_back_the_same_to_the_bit(tokenizer, positions, tmp_path, monkeypatch):
    length = Length(classes={"a": 1.0, "b": None}, encodings=LENGTH_ENCODINGS, positions=positions)
    model = tiny_model(tokenizer, length=length)
    save_checkpoint(tmp_path / "made", model, tokenizer, {}, dtype=torch.float32)
    stale_memory(monkeypatch)
    loaded = load_trainable(str(tmp_path / "made")).model
    before = model.state_dict()
    for after in (loaded.state_dict(), load_checkpoint(str(tmp_path / "made")).model.state_dict()):
        assert before.keys() == after.keys()
        for name, weight in before.items():
            assert torch.equal(weight, after[name]), name
    with torch.inference_mode():
        given = inputs(tokenizer)
        assert torch.equal(model(**given).logits, loaded(**given).logits)


def test_transformers_finds_our_classes_by_the_folder(tiny_model_folder):
    assert isinstance(AutoConfig.from_pretrained(tiny_model_folder), SubfitConfig)
    model = AutoModelForSeq2SeqLM.from_pretrained(tiny_model_folder)
    assert isinstance(model, SubfitForTranslation)
    config = model.config
    assert [each.name for each in config.classes] == ["short", "normal", "long"]
    assert config.class_for(0.5).name == "short"
    assert config.class_for(1.15).name == "normal"
    assert config.class_for(99.0).name == "long"


def test_half_precision_loads_as_float32(tokenizer, tmp_path):
    model = tiny_model(tokenizer)
    save_checkpoint(tmp_path, model, tokenizer, {"README.md": "# Card\n"})
    assert load_file(tmp_path / "model.safetensors")["model.encoder.layers.0.fc1.weight"].dtype == (
        torch.float16
    )
    loaded = load_checkpoint(str(tmp_path)).model
    assert {each.dtype for each in loaded.parameters()} == {torch.float32}
    assert torch.equal(loaded.length_signal.piece_characters, model.length_signal.piece_characters)
    assert model.config.dtype != torch.float16  # saving leaves the model alone


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


@pytest.mark.parametrize("load", [load_checkpoint, load_trainable])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_folders_are_refused_in_one_line(folder, damage, load):
    damage(folder)
    with pytest.raises(ModelError) as caught:
        load(str(folder))
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_loading_prints_nothing(tiny_model_folder, tiny_marian_folder, capfd):
    load_checkpoint(str(tiny_model_folder))
    load_checkpoint(str(tiny_marian_folder))
    assert capfd.readouterr() == ("", "")


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
@pytest.mark.parametrize("load", [load_checkpoint, load_trainable])
def test_a_configuration_that_cannot_be_is_refused_in_one_line(
    tiny_model_folder: Path,
    tmp_path: Path,
    values: dict[str, object],
    said: str,
    load: Callable[[str], Checkpoint],
) -> None:
    with pytest.raises(ModelError, match=said) as failure:
        load(_change(tiny_model_folder, tmp_path, **values))
    assert "\n" not in str(failure.value)


def test_weights_that_are_not_safetensors_are_not_read(
    tiny_model_folder: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(tiny_model_folder, tmp_path / "pickled"))
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="safetensors only"):
        load_checkpoint(str(folder))


def test_a_marian_folder_says_which_tokenizer_file_is_missing(
    tiny_marian_folder: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(tiny_marian_folder, tmp_path / "marian"))
    (folder / "source.spm").unlink()
    with pytest.raises(ModelError, match=r"source\.spm"):
        load_checkpoint(str(folder))
