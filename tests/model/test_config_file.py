"""Configurations that cannot be: refused in a line that names file and key."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from subfit.errors import ModelError
from subfit.model.checkpoint import load_checkpoint
from subfit.model.config import read_config

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
    ("lowercase_token", "3"),
    ("mean_length_ratio", 0),
    ("mean_length_ratio", float("nan")),
    ("rel_steps", 0),
    ("source_language", ["en"]),
    ("target_language", {"de": 1}),
    ("model_type", ["subfit"]),
    ("model_type", None),
    ("eos_token_id", [2]),
]


@pytest.fixture
def folder(tiny_model_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_model_folder, tmp_path / "tiny"))


@pytest.mark.parametrize(("key", "value"), IMPOSSIBLE, ids=lambda part: str(part)[:30])
def test_an_impossible_value_is_refused_with_file_and_key(folder, key, value):
    path = folder / "config.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**values, key: value}), encoding="utf-8")
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
