"""What a model's files tell before they are loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from subfit.hub.names import is_causal


@pytest.mark.parametrize(
    ("values", "causal"),
    [
        ({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}, True),
        ({"architectures": ["MarianMTModel"], "model_type": "marian"}, False),
        ({"architectures": ["T5ForConditionalGeneration"], "model_type": "t5"}, False),
        ({"architectures": ["SubfitForTranslation"], "model_type": "llama"}, False),
        ({"architectures": [], "model_type": "llama"}, False),
        ([], False),
    ],
)
def test_decoder_only_models_are_told_by_their_configuration(
    tmp_path: Path, values: object, causal: bool
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(values), encoding="utf-8")
    assert is_causal(str(tmp_path)) is causal


def test_an_empty_folder_is_none(tmp_path: Path) -> None:
    assert not is_causal(str(tmp_path))
