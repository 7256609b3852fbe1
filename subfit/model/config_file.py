"""Reading a model's ``config.json``, with values that can be; without torch.

Files of unknown origin are refused here in a line that names file and key, before anything is made
of their values.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from subfit.errors import ModelError
from subfit.hub.contents import read_json
from subfit.model.config import CONSTRAINED, FERTILITIES, SOURCE_ATTENTIONS

CONFIG_FILE = "config.json"
_MOST_BYTES = 4_000_000
"""Bytes that a configuration may have: published ones have some thousands."""
MOST_POSITIONS = 16_384
"""Positions that a model may have: their table is computed, whatever its weights hold."""


def read_config(folder: Path) -> dict[str, Any]:
    """Read the configuration of a model folder.

    Raises:
        ModelError: There is none, or it is no JSON object of a sensible size.
    """
    path = folder / CONFIG_FILE
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError(f"more than {_MOST_BYTES:,} bytes")
        values = read_json(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: not a model configuration") from error
    if not isinstance(values, dict):
        raise ModelError(f"{path}: not a model configuration (it is no JSON object)")
    return values


def check_config(folder: Path, values: Mapping[str, Any]) -> None:
    """Check what a translator of Marian's shape takes from its configuration.

    Args:
        folder: Of the model, for messages.
        values: Its configuration; keys that are absent have presets.

    Raises:
        ModelError: A value that cannot be.
    """
    for key, value in values.items():
        wanted = _WANTED.get(key)
        if wanted is not None and not wanted[1](value):
            raise refused(folder, key, value, f"where {wanted[0]} is wanted")
    positions = values.get("max_position_embeddings", 0)
    if positions > MOST_POSITIONS:
        problem = f"and subfit runs models of at most {MOST_POSITIONS:,}"
        raise refused(folder, "max_position_embeddings", positions, problem)
    width = values.get("d_model")
    for key in ("encoder_attention_heads", "decoder_attention_heads"):
        if width is not None and width % values.get(key, 1):
            raise refused(folder, key, values[key], f"and as many heads cannot share {width}")
    kind = values.get("source_attention", "softmax")
    if kind in CONSTRAINED and values.get("sink_token") is None:
        raise refused(folder, "source_attention", kind, "which needs a sink_token; there is none")


def refused(folder: Path, key: str, value: object, problem: str) -> ModelError:
    """Return the error for a value of a configuration."""
    text = json.dumps(value) if isinstance(value, int | float | str | None) else repr(value)
    text = text if text.isascii() and len(text) <= 40 else f"{ascii(text)[1:40]}…"
    return ModelError(f"{folder / CONFIG_FILE}: {key} is {text}, {problem}")


def _is_count(value: object) -> bool:
    return type(value) is int and 0 < value < 2**31


def _is_ratio(value: object) -> bool:
    return type(value) in (int, float) and 0.01 <= value <= 100  # type: ignore[operator]


def _is_factor(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= 100  # type: ignore[operator]


def _one_of(values: tuple[str, ...]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in values


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def is_text(value: object) -> bool:
    """Whether a value is a text that may be a name: not empty, and not endless."""
    return isinstance(value, str) and bool(value.strip()) and len(value) < 100


def _is_token(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**31


def _are_tokens(value: object) -> bool:
    return isinstance(value, dict) and all(
        is_text(key) and _is_token(token) for key, token in value.items()
    )


def _are_encodings(value: object) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def _are_classes(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(entry, list) and len(entry) == 3 and _is_class(*entry) for entry in value
    )


def _is_class(name: object, token: object, upper: object) -> bool:
    bound = upper is None or (type(upper) in (int, float) and not math.isnan(upper))  # type: ignore[arg-type]
    return is_text(name) and _is_token(token) and bound


def _or_none(test: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or test(value)


_COUNT = ("a whole number above 0", _is_count)
_FLAG = ("true or false", _is_flag)
_TEXT = ("a text", _or_none(is_text))
_TOKEN = ("a token", _or_none(_is_token))
_TOKENS = ("an object of tokens", _or_none(_are_tokens))
_WANTED: dict[str, tuple[str, Callable[[object], bool]]] = {
    "vocab_size": _COUNT,
    "decoder_vocab_size": (_COUNT[0], _or_none(_is_count)),
    "max_position_embeddings": _COUNT,
    "d_model": _COUNT,
    "encoder_layers": _COUNT,
    "encoder_ffn_dim": _COUNT,
    "encoder_attention_heads": _COUNT,
    "decoder_layers": _COUNT,
    "decoder_ffn_dim": _COUNT,
    "decoder_attention_heads": _COUNT,
    "activation_function": ("a text", is_text),
    "scale_embedding": _FLAG,
    "share_encoder_decoder_embeddings": _FLAG,
    "decoder_start_token_id": _TOKEN,
    "pad_token_id": _TOKEN,
    "eos_token_id": _TOKEN,
    "length_encodings": ("a list of texts", _or_none(_are_encodings)),
    "rel_steps": _COUNT,
    "decoder_positions": _FLAG,
    "closed_gate": _FLAG,
    "length_classes": ("a list of [name, token, upper ratio]", _or_none(_are_classes)),
    "free_translation": _FLAG,
    "length_predictor": _FLAG,
    "mean_length_ratio": ("a ratio", _is_ratio),
    "source_language": _TEXT,
    "target_language": _TEXT,
    "language_tokens": _TOKENS,
    "lowercase_token": _TOKEN,
    "formality_tokens": _TOKENS,
    "source_attention": (f"one of {', '.join(SOURCE_ATTENTIONS)}", _one_of(SOURCE_ATTENTIONS)),
    "coverage_vector": _FLAG,
    "sink_token": _TOKEN,
    "fertility": (f"one of {', '.join(FERTILITIES)}", _one_of(FERTILITIES)),
    "constant_fertility": ("a number from 0.01 to 100", _is_ratio),
    "exhaustion": ("a number from 0 to 100", _is_factor),
}
"""What a key's value has to be: in words, and as a test."""
