"""Models by Hugging Face's own code: plain Marian ones, and ours where they are trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from transformers import AutoModelForSeq2SeqLM, MarianMTModel

from subfit.errors import ModelError
from subfit.model.eight_bits import SCALES
from subfit.model.marian_config import SubfitConfig
from subfit.model.quiet import quietly
from subfit.model.transformer import SubfitForTranslation
from subfit.model.weights import WEIGHTS_FILE, read_weights


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
    model: SubfitForTranslation
    if not _in_eight_bits(folder):
        model = _load(SubfitForTranslation, str(folder))
        return model
    model = SubfitForTranslation(SubfitConfig.from_pretrained(folder, local_files_only=True))
    weights = read_weights(folder / WEIGHTS_FILE)
    missing = model.load_state_dict(weights, strict=False).missing_keys
    tied = {name for name, _ in model.named_parameters()} & set(missing)
    if lacking := sorted(name for name in tied if "embed_positions" not in name):
        raise ModelError(f"{folder}: incomplete; {len(lacking)} weights are missing ({lacking[0]})")
    model.eval()
    return model


def _in_eight_bits(folder: Path) -> bool:
    """Whether a folder's weights are stored as `subfit.model.eight_bits` has it."""
    path = folder / WEIGHTS_FILE
    if not path.is_file():
        return False
    try:
        with safe_open(path, framework="pt") as file:
            return any(name.endswith(SCALES) for name in file.keys())  # noqa: SIM118
    except Exception:  # told when it is loaded
        return False


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
