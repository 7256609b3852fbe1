"""The configuration as Hugging Face's library has it."""

from __future__ import annotations

from pathlib import Path

from subfit.model.checkpoint import load_checkpoint
from subfit.model.transformer import SubfitConfig


def test_it_is_read_back_as_it_was_written(tiny_model_folder: Path, tmp_path: Path) -> None:
    config = SubfitConfig.from_pretrained(tiny_model_folder)
    config.save_pretrained(tmp_path)
    again = SubfitConfig.from_pretrained(tmp_path)
    assert again.to_dict() == config.to_dict()
    assert again.model_type == "subfit"


def test_length_classes_and_tokens_are_those_of_the_model(tiny_model_folder: Path) -> None:
    config = SubfitConfig.from_pretrained(tiny_model_folder)
    own = load_checkpoint(str(tiny_model_folder)).model.config
    for name in ("short", "normal", "long"):
        assert config.class_named(name) == own.class_named(name)
    assert config.class_for(0.5) == own.class_for(0.5)
    assert config.vocab_size == own.vocab_size
