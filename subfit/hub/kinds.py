"""Of what kind a model is, told by its files before anything loads them."""

from __future__ import annotations

import json
from pathlib import Path

_PLAIN = ("SubfitForTranslation", "MarianMTModel")
"""Architectures that are known without a look at Hugging Face's list."""


def is_gguf(place: str) -> bool:
    """Whether a model is a GGUF file, which holds all of a decoder-only model."""
    return Path(place).suffix.lower() == ".gguf"


def is_causal(place: str) -> bool:
    """Whether a model is decoder-only: a language model, which is told in words what to do.

    Args:
        place: A folder, or a GGUF file.
    """
    if is_gguf(place):
        return True
    try:
        values = json.loads((Path(place) / "config.json").read_text(encoding="utf-8"))
        architectures, kind = values.get("architectures") or (), values.get("model_type")
    except (OSError, ValueError, AttributeError):
        return False
    if not architectures or any(each in _PLAIN for each in architectures):
        return False
    from transformers.models.auto import modeling_auto as known

    seq2seq = known.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    return kind in known.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and kind not in seq2seq
