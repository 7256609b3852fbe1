"""Models by Hugging Face's own code: encoder-decoders, ours to be trained on, language models.

Weights come from safetensors that are here; nothing is fetched, and no code that comes with a model
is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    PretrainedConfig,
)
from transformers.utils import logging

from subfit.errors import ModelError, UsageError
from subfit.model import weights
from subfit.model.checkpoint import name_of
from subfit.model.config import Precision, read_config
from subfit.model.startup import load_shape_rules
from subfit.model.tokenizer import tokenizer_at

_TYPES: Mapping[str, torch.dtype] = {
    "fp32": torch.float32,
    "bf16": torch.bfloat16,
    "fp16": torch.float16,
}
_LENGTHS_OF_LAYERS = {
    "sliding_attention": "sliding_window",
    "chunked_attention": "attention_chunk_size",
}
"""By the kind of a layer the key of a configuration that tells how far it attends."""


@contextmanager
def quietly() -> Iterator[None]:
    """Keep transformers from drawing bars, and from tables of the weights that do not fit.

    It makes models without content first, by rules that PyTorch may have been imported without.
    """
    load_shape_rules()
    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()


def load_seq2seq(place: str) -> Any:
    """Load a model of any encoder-decoder family, in evaluation mode and float32.

    Raises:
        ModelError: It is incomplete or damaged.
    """
    options = {"local_files_only": True, "use_safetensors": True, "dtype": torch.float32}
    return load_whole(AutoModelForSeq2SeqLM, place, options).eval()


def load_whole(kind: Any, place: str, options: Mapping[str, Any], spared: str = " ") -> Any:
    """Load a model by a class of Hugging Face's, and see that it has all of its weights.

    Args:
        kind: The class.
        place: What its ``from_pretrained`` is to load.
        options: How.
        spared: Part of the names of weights that may be missing.

    Raises:
        ModelError: It is incomplete or damaged.
    """
    try:
        with quietly():
            model, loading = kind.from_pretrained(place, output_loading_info=True, **options)
    except Exception as error:  # whatever a damaged file makes the libraries raise
        raise ModelError(f"{place}: {_why(place, error)}") from error
    # They would hold random numbers.
    if missing := [name for name in sorted(loading["missing_keys"]) if spared not in name]:
        raise ModelError(f"{place}: incomplete; {len(missing)} weights are missing ({missing[0]})")
    if any(".layers." in name for name in loading["unexpected_keys"]):
        raise ModelError(f"{place}: has more layers than its config.json")
    return model


@dataclass(frozen=True, slots=True)
class CausalModel:
    """A decoder-only model with its tokenizer."""

    name: str
    model: Any
    """A model of `transformers`, in evaluation mode."""
    tokenizer: Any
    """A tokenizer of `transformers`."""
    precision: str
    """What it computes in."""

    @property
    def model_type(self) -> str:
        """The family, as its configuration has it."""
        return str(self.model.config.model_type)

    @property
    def positions(self) -> int:
        """Most tokens of prompt and answer together."""
        config = self.model.config.get_text_config(decoder=True)
        return int(getattr(config, "max_position_embeddings", None) or 4096)


def load_causal(place: str, device: torch.device, precision: Precision) -> CausalModel:
    """Load a decoder-only model.

    Args:
        place: A folder with safetensors. Nothing is fetched, and no code that comes with a model is
            run.
        device: Where it is to compute.
        precision: What it is to compute in.

    Raises:
        ModelError: It is incomplete, damaged, of another kind, or needs a package that is not here.
        UsageError: It cannot compute so.
    """
    if precision not in _TYPES:
        problem = "is a language model, which takes fp32, bf16 or fp16"
        raise UsageError(f"--precision {precision}: {place} {problem}")
    folder, options = Path(place), dict[str, Any](local_files_only=True, trust_remote_code=False)
    if any(folder.glob("model*.safetensors")):
        sizes = read_config(folder).items()  # positions take no memory in these models
        told = {key: value for key, value in sizes if not key.endswith("_embeddings")}
        weights.check_header(folder, told, quantized=True)
    loading = {**options, "dtype": _TYPES[precision], "use_safetensors": True}
    model = load_whole(AutoModelForCausalLM, place, loading)
    tokenizer = tokenizer_at(place, AutoTokenizer, **options)
    _check_layer_types(place, model.config)
    weights.check_finite(folder, weights.tensors_of(model))
    if getattr(model, "hf_device_map", None) is None and not getattr(
        model, "quantization_method", 0
    ):
        model = model.to(device)
    return CausalModel(name_of(folder), model.eval(), tokenizer, precision)


def _check_layer_types(place: str, config: PretrainedConfig) -> None:
    """Refuse layers that attend to a part of the text whose length is not told."""
    kinds = getattr(config, "layer_types", None) or ()
    for kind, key in _LENGTHS_OF_LAYERS.items():
        if kind in kinds and getattr(config, key, None) is None:
            raise ModelError(f"{place}: config.json: layer_types has {kind}, and no {key} is told")


def _why(place: str, error: Exception) -> str:
    """Say in a user's words why a model could not be loaded."""
    folder, reason = Path(place), " ".join(str(error).split())
    if isinstance(error, ImportError):
        return f"needs a package that is not here ({reason[:160]})"
    if folder.is_dir() and not any(folder.glob("*.safetensors")):
        return "no model.safetensors here; subfit reads weights from safetensors only"
    if "trust_remote_code" in reason or "custom code" in reason:
        return "comes with code of its own, which subfit does not run"
    if "ignore_mismatched_sizes" in reason:
        return "config.json and model.safetensors do not belong together; their sizes differ"
    return f"cannot be loaded; is it complete? ({reason[:160]})"
