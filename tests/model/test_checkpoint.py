"""Model folders, written and read again."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from subfit.errors import ModelError, OutputFileError
from subfit.model.checkpoint import load_checkpoint, save_checkpoint
from subfit.model.config import LengthConfig, read_config
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


def configured(**values: object) -> Callable[[Path], None]:
    """Write other values into the configuration."""

    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps({**config, **values}), encoding="utf-8")

    return change


DAMAGES = {
    "no tokenizer": lambda folder: (folder / "tokenizer.model").unlink(),
    "no weights": lambda folder: (folder / "model.safetensors").unlink(),
    "tokenizer is text": lambda folder: (folder / "tokenizer.model").write_text("hello"),
    "weights cut off": lambda folder: (folder / "model.safetensors").write_bytes(b"\0" * 99),
    "a weight missing": without_a_weight,
    "config is no JSON": lambda folder: (folder / "config.json").write_text("{"),
    "config is a list": lambda folder: (folder / "config.json").write_text("[]"),
    "another kind": lambda folder: (folder / "config.json").write_text('{"model_type": "bert"}'),
    "another vocabulary": configured(vocab_size=99),
    "another width": configured(d_model=64),
    "heads that do not divide it": configured(encoder_attention_heads=3),
    "a start that is no token": configured(decoder_start_token_id=99_999),
    "no end": configured(eos_token_id=None),
    "classes out of order": configured(length_classes=[["long", 3, 1.2], ["short", 4, 1.0]]),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_folders_are_refused_in_one_line(folder, damage):
    damage(folder)
    with pytest.raises(ModelError) as caught:
        load_checkpoint(str(folder))
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_marian_folder_says_which_tokenizer_file_is_missing(tiny_marian_folder, tmp_path):
    folder = Path(shutil.copytree(tiny_marian_folder, tmp_path / "marian"))
    (folder / "source.spm").unlink()
    with pytest.raises(ModelError, match=r"source\.spm"):
        load_checkpoint(str(folder))


IMPOSSIBLE = [
    ("encoder_attention_heads", -2),
    ("decoder_attention_heads", 0),
    ("decoder_attention_heads", 2.0),
    ("d_model", "32"),
    ("d_model", True),
    ("encoder_layers", None),
    ("max_position_embeddings", 0),
    ("max_position_embeddings", 1_000_000_000),
    ("vocab_size", -380),
    ("scale_embedding", "yes"),
    ("length_encodings", "abs"),
    ("length_encodings", [["abs"]]),
    ("length_classes", [["short", 3]]),
    ("length_classes", [[1, 2, 3]]),
    ("length_classes", {"short": 3}),
    ("language_tokens", 7),
    ("language_tokens", ["de"]),
    ("language_tokens", {"de": "3"}),
    ("language_tokens", {"de": -1}),
    ("formality_tokens", {"formal": [4]}),
    ("source_attention", "csoftmin"),
    ("source_attention", "csparsemax"),  # it has no sink
    ("sink_token", "<sink>"),
    ("fertility", 2),
    ("constant_fertility", 0),
    ("exhaustion", -0.1),
    ("mean_length_ratio", 0),
    ("mean_length_ratio", float("nan")),
    ("rel_steps", 0),
    ("source_language", ["en"]),
    ("target_language", {"de": 1}),
    ("model_type", ["subfit"]),
    ("model_type", None),
    ("eos_token_id", [2]),
    ("length_encodings", ["spiral"]),
]


@pytest.mark.parametrize(("key", "value"), IMPOSSIBLE, ids=lambda part: str(part)[:30])
def test_an_impossible_value_is_refused_with_file_and_key(folder, key, value):
    path = folder / "config.json"
    configured(**{key: value})(folder)
    with pytest.raises(ModelError) as caught:
        load_checkpoint(str(folder))
    assert str(caught.value).startswith(f"{path}: {key} is ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 250


@pytest.mark.parametrize(
    "text", ["[]", "3", "null", "[" * 9999, '{"a":' * 9999, '{"a": 1', "\ufeff{}", " " * 5_000_000]
)
def test_what_is_no_object_is_no_configuration(tmp_path, text):
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"config\.json: not a model configuration"):
        read_config(tmp_path)


CLASSES = [["short", 400, 0.95], ["normal", 401, 1.1], ["long", 402, None]]


@pytest.mark.parametrize(
    ("ratio", "name"),
    [
        (0.0, "short"),
        (0.95, "short"),
        (0.951, "normal"),
        (1.1, "normal"),
        (1.2, "long"),
        (99, "long"),
    ],
)
def test_every_ratio_falls_into_one_class(ratio, name):
    config = LengthConfig(length_classes=CLASSES)
    found = config.class_for(ratio)
    assert found is not None and found == config.class_named(name)
    assert config.classes[-1].upper == math.inf
    assert LengthConfig().class_for(ratio) is None and config.class_named("tiny") is None


@pytest.mark.parametrize(
    ("tag", "token"), [("de", 7), ("de-AT", 7), ("pt-BR", 8), ("pt-PT", None), ("zh", None)]
)
def test_a_tag_has_the_token_of_its_language(tag, token):
    config = LengthConfig(language_tokens={"de": 7, "pt-BR": 8})
    assert config.language_token(tag) == token
    assert LengthConfig().language_token(tag) is None


def test_tokens_before_sources_are_all_told_and_there_is_room_for_one_of_each_kind():
    config = LengthConfig(
        length_classes=CLASSES,
        language_tokens={"de": 7, "it": 8},
        formality_tokens={"formal": 10, "informal": 11},
        sink_token=9,
    )
    assert sorted(config.source_token_ids) == [*range(7, 12), 400, 401, 402]
    assert config.most_source_tokens == 4  # class, language, address, sink
    assert LengthConfig().source_token_ids == () and LengthConfig().most_source_tokens == 1
    assert (config.formality_token("formal"), config.formality_token(None)) == (10, None)
