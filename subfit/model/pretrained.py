"""Models by Hugging Face's own code: plain Marian ones, and ours where they are trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, MarianMTModel

from subfit.errors import ModelError
from subfit.model.quiet import quietly
from subfit.model.transformer import SubfitForTranslation


def load_marian(place: str) -> Any:
    """Load a plain Marian model (a `MarianMTModel`), in evaluation mode and float32.

    Raises:
        ModelError: It is incomplete or damaged.
    """
    return _load(MarianMTModel, place)


def load_seq2seq(place: str) -> Any:
    """Load a model of any encoder-decoder family, as `load_marian` does."""
    return _load(AutoModelForSeq2SeqLM, place)


def load_own(folder: Path) -> SubfitForTranslation:
    """Load a model folder of subfit's, as `load_marian` does."""
    model: SubfitForTranslation = _load(SubfitForTranslation, str(folder))
    return model


def _load(kind: Any, place: str) -> Any:
    try:
        with quietly():
            model, loading = kind.from_pretrained(
                place,
                use_safetensors=True,
                local_files_only=True,
                dtype=torch.float32,
                output_loading_info=True,
            )
    except Exception as error:  # whatever a damaged file makes the libraries raise
        raise ModelError(f"{place}: {_why(place, error)}") from error
    if missing := sorted(loading["missing_keys"]):  # they would hold random numbers
        raise ModelError(f"{place}: incomplete; {len(missing)} weights are missing ({missing[0]})")
    return model.eval()


def _why(place: str, error: Exception) -> str:
    """Say in a user's words why a model could not be loaded."""
    folder = Path(place)
    if folder.is_dir() and not list(folder.glob("model*.safetensors")):
        return "no model.safetensors here; subfit reads weights from safetensors only"
    reason = " ".join(str(error).split())
    if "ignore_mismatched_sizes" in reason:
        return "config.json and model.safetensors do not belong together; their sizes differ"
    return f"cannot be loaded; is it complete? ({reason[:160]})"
