"""Of what kind a model is, told by its files before anything loads them."""

from __future__ import annotations

from pathlib import Path

from subfit.hub.json_files import read_json

_PLAIN = ("SubfitForTranslation", "MarianMTModel")
"""Architectures that are known without a look at Hugging Face's list."""


def is_gguf(place: str) -> bool:
    """Whether a model is a GGUF file, which holds all of a decoder-only model."""
    return Path(place).suffix.lower() == ".gguf"


def is_translations(system: str) -> bool:
    """Tell whether a system is named by a file of its translations."""
    return Path(system).is_file() and not is_gguf(system)


def is_causal(place: str) -> bool:
    """Whether a model is decoder-only: a language model, which is told in words what to do.

    Args:
        place: A folder, or a GGUF file.
    """
    if is_gguf(place):
        return True
    try:
        values = read_json(Path(place) / "config.json")
    except (OSError, ValueError):
        return False
    values = values if isinstance(values, dict) else {}
    architectures, kind = values.get("architectures"), values.get("model_type")
    if not isinstance(architectures, list) or not isinstance(kind, str):
        return False
    if not architectures or any(architecture in _PLAIN for architecture in architectures):
        return False
    from transformers.models.auto import modeling_auto as known

    seq2seq = known.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    return kind in known.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and kind not in seq2seq
