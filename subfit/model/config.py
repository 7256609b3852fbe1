"""What a model is: its configuration, read from ``config.json`` and checked; without torch.

Files of unknown origin are refused here in a line that names file and key, before anything is made
of their values.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, Self, get_args

from subfit.errors import ModelError
from subfit.files import write_bytes
from subfit.hub.names import read_json
from subfit.text.languages import closest_language

CONFIG_FILE = "config.json"
OWN_KIND = "subfit"
"""The ``model_type`` of subfit's own models."""
DEVICES = ("auto", "cpu", "cuda")
Precision = Literal["fp32", "int8", "bf16", "fp16"]
"""What a model computes in."""
PRECISIONS = ("auto", *get_args(Precision))


@dataclass(frozen=True, slots=True)
class Computing:
    """What a model computes on and in."""

    device: str = "auto"
    """One of `DEVICES`; ``auto`` is a GPU where there is one."""
    precision: str = "auto"
    """One of `PRECISIONS`; ``auto`` is the fastest that the device is good at."""
    threads: int | None = None
    """CPU threads, or in commands, of a small model, processes of one thread each; None for as many
    as there are cores."""


DEFAULT_COMPUTING = Computing()
MEASURING = Computing(precision="fp32")
"""What systems are measured in unless something else is asked for: not the fastest arithmetic of
each machine."""
EXACT = Computing(device="cpu", precision="fp32")
"""What is the same on all machines, but for rounding."""


LengthEncoding = Literal["abs", "rel", "lrpe", "leninit", "lc"]
LENGTH_ENCODINGS: tuple[str, ...] = get_args(LengthEncoding)
OTHER_ENCODINGS: list[str] = []
"""Names of those that `subfit.model.length.register_encoding` added."""


ENCODINGS_GROUP = "subfit.encodings"
"""Entry points by which other packages have length encodings, by their names in recipes."""


def known_encoding(name: str) -> str:
    """Return the name of a length encoding.

    Raises:
        ValueError: There is none of that name.
    """
    names = (*LENGTH_ENCODINGS, *OTHER_ENCODINGS)
    if name in names:
        return name
    from importlib.metadata import entry_points

    for found in entry_points(group=ENCODINGS_GROUP, name=name):  # of a package that is installed
        from subfit.model.length import register_encoding

        register_encoding(name, found.load())
        return name
    raise ValueError(f"must be {', '.join(map(repr, names))}, not {name!r}")


LengthUnitName = Literal["characters", "tokens"]
LENGTH_UNITS: tuple[str, ...] = get_args(LengthUnitName)
SourceAttentionKind = Literal["softmax", "sparsemax", "csoftmax", "csparsemax"]
"""What the decoder's last layer makes of its scores of the source; those with c are constrained."""
SOURCE_ATTENTIONS: tuple[str, ...] = get_args(SourceAttentionKind)
CONSTRAINED = ("csoftmax", "csparsemax")
Fertility = Literal["constant", "max-align", "predicted"]
"""Where the bounds of constrained attention come from."""
FERTILITIES: tuple[str, ...] = get_args(Fertility)


@dataclass(frozen=True, slots=True)
class LengthClass:
    """One bin of target/source character ratios, with the source token that stands for it."""

    name: str
    token_id: int
    upper: float
    """Largest ratio in the bin; the bin above the last one is open (``inf``)."""


@dataclass(kw_only=True, repr=False, eq=False)
class LengthConfig:
    """The length signals and languages a model was trained with.

    Args:
        length_encodings: Any of `LENGTH_ENCODINGS`; summed into the decoder's input.
        length_unit: What the encodings count: ``characters``, or ``tokens`` of the target side.
        token_characters: Mean characters of a target token of the training pairs; 1.0 where the
            unit is characters.
        rel_steps: N of the ``rel`` encoding, the number of quantised shares of the length.
        decoder_positions: Whether the decoder keeps its ordinary position encoding ("+PE").
        closed_gate: Whether the factor on the length encodings starts at 0, for the training to
            open, so that a fine-tuned model begins as the model it came from.
        length_classes: ``[name, token id, upper ratio]`` per class, ascending; empty for none. The
            last class has ``None`` for its upper ratio.
        length_class_side: Whether a class's token stands before the ``source``, or begins the
            ``target`` in place of the decoder's start (Lakew et al. 2022).
        free_translation: Whether the model was also trained without any length signal, so that it
            may be asked for no length at all.
        length_predictor: Whether the model has a head that predicts natural lengths.
        mean_length_ratio: Mean target/source characters of the training pairs.
        source_language: Tag of the source language, for example ``en``; None where there are
            several.
        target_language: Tag of the target language; likewise.
        language_tokens: With several target languages, or several source languages, the source
            token of each by its tag (Johnson et al. 2017).
        formality_tokens: The source token of each form of address, ``formal`` and ``informal``
            (Sennrich et al. 2016); None where the model cannot be asked for one.
        source_attention: What the last layer of the decoder makes of its scores of the source.
        coverage_vector: Whether its scores are told what each source token has had (Tu et al.
            2016).
        sink_token: The token behind every source that may have any amount of attention; None
            where nothing is bounded.
        fertility: With constrained attention, where each source token's bound comes from.
        constant_fertility: The bound of ``constant``.
        exhaustion: c of ``z + c u``: how much more what has attention left is attended to.
    """

    length_encodings: list[str] | None = None
    length_unit: str = "characters"
    token_characters: float = 1.0
    rel_steps: int = 5
    decoder_positions: bool = True
    closed_gate: bool = False
    length_classes: list[list[Any]] | None = None
    length_class_side: str = "source"
    free_translation: bool = False
    length_predictor: bool = False
    mean_length_ratio: float = 1.0
    source_language: str | None = None
    target_language: str | None = None
    language_tokens: dict[str, int] | None = None
    formality_tokens: dict[str, int] | None = None
    source_attention: SourceAttentionKind = "softmax"
    coverage_vector: bool = False
    sink_token: int | None = None
    fertility: Fertility = "constant"
    constant_fertility: float = 2.0
    exhaustion: float = 0.0

    @property
    def constrained(self) -> bool:
        """Whether source tokens have a bound of attention."""
        return self.source_attention in CONSTRAINED

    @property
    def plain_attention(self) -> bool:
        """Whether the decoder attends to the source as Marian does, in all layers."""
        return self.source_attention == "softmax" and not self.coverage_vector

    @property
    def source_token_ids(self) -> tuple[int, ...]:
        """All tokens that stand before or behind sources only."""
        sink = () if self.sink_token is None else (self.sink_token,)
        classes = (length_class.token_id for length_class in self.classes)
        formality = (self.formality_tokens or {}).values()
        return (*classes, *(self.language_tokens or {}).values(), *formality, *sink)

    @property
    def most_source_tokens(self) -> int:
        """How many tokens to leave room for beside a source; always one for a length class."""
        rare = bool(self.formality_tokens) + (self.sink_token is not None)
        return 1 + bool(self.language_tokens) + rare

    def formality_token(self, formality: str | None) -> int | None:
        """Return the source token for a form of address; None if there is none or none asked."""
        return None if formality is None else (self.formality_tokens or {}).get(formality)

    def language_token(self, language: str) -> int | None:
        """Return the source token for a language by its tag, None if there is none.

        A tag without a token of its own (``de-AT``) has that of its language.
        """
        tokens = self.language_tokens or {}
        closest = closest_language(language, tokens)
        return None if closest is None else tokens[closest]

    @property
    def classes(self) -> tuple[LengthClass, ...]:
        """The length classes in ascending order of ratio."""
        return tuple(
            LengthClass(name, token_id, float("inf") if upper is None else upper)
            for name, token_id, upper in self.length_classes or ()
        )

    def class_for(self, ratio: float) -> LengthClass | None:
        """Return the class a target/source character ratio falls into (Lakew 2019, §3.1)."""
        return next((one for one in self.classes if ratio <= one.upper), None)

    def class_named(self, name: str) -> LengthClass | None:
        """Return a class by its name; None if there is none of that name."""
        return next((one for one in self.classes if one.name == name), None)


@dataclass(kw_only=True, repr=False, eq=False)
class ModelConfig(LengthConfig):
    """What a translation needs to know of a model; named, and preset, as in a `MarianConfig`."""

    vocab_size: int = 58101
    decoder_vocab_size: int | None = None
    max_position_embeddings: int = 1024
    d_model: int = 1024
    encoder_layers: int = 12
    encoder_ffn_dim: int = 4096
    encoder_attention_heads: int = 16
    decoder_layers: int = 12
    decoder_ffn_dim: int = 4096
    decoder_attention_heads: int = 16
    activation_function: str = "gelu"
    scale_embedding: bool = False
    share_encoder_decoder_embeddings: bool = True
    decoder_start_token_id: int = 58100
    pad_token_id: int | None = 58100
    eos_token_id: int | list[int] | None = 0
    dropout: float = 0.1
    attention_dropout: float = 0.0
    init_std: float = 0.02

    def __post_init__(self) -> None:
        self.decoder_vocab_size = self.decoder_vocab_size or self.vocab_size

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Take what matters from the values of a ``config.json``."""
        return cls(
            **{field.name: values[field.name] for field in fields(cls) if field.name in values}
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the values of a ``config.json``."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {"model_type": OWN_KIND, "architectures": ["SubfitForTranslation"], **values}

    def save(self, folder: Path, **more: Any) -> None:
        """Write ``config.json``, with other values in it."""
        text = json.dumps({**self.to_dict(), **more}, indent=2, sort_keys=True) + "\n"
        write_bytes(folder / CONFIG_FILE, text.encode("utf-8"), overwrite=True)


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
    for wanted, keys, is_one in _WANTED:
        for key in keys.split():
            absent = key not in values or (values[key] is None and key not in _NEVER_NONE)
            if not absent and not is_one(values[key]):
                raise refused(folder, key, values[key], f"where {wanted} is wanted")
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
    try:
        return isinstance(value, list) and all(map(known_encoding, value))
    except (ValueError, TypeError, AttributeError):  # unknown, or no text
        return False


def _are_classes(value: object) -> bool:
    if not isinstance(value, list) or not all(isinstance(e, list) and len(e) == 3 for e in value):
        return False
    named = all(is_text(name) and _is_token(token) for name, token, _ in value)
    bounds = [math.inf if upper is None else upper for _, _, upper in value]
    numbers = all(type(bound) in (int, float) and not math.isnan(bound) for bound in bounds)
    return named and numbers and bounds == sorted(bounds)


_SIZES = (
    "vocab_size max_position_embeddings d_model encoder_layers encoder_ffn_dim "
    "encoder_attention_heads decoder_layers decoder_ffn_dim decoder_attention_heads rel_steps"
)
_FLAGS = (
    "scale_embedding share_encoder_decoder_embeddings decoder_positions closed_gate "
    "free_translation length_predictor coverage_vector"
)
_NEVER_NONE = (*_SIZES.split(), *_FLAGS.split(), "activation_function", "mean_length_ratio")
_WANTED: tuple[tuple[str, str, Callable[[Any], bool]], ...] = (
    ("a whole number above 0", f"{_SIZES} decoder_vocab_size", lambda n: _is_token(n) and n > 0),
    ("true or false", _FLAGS, lambda value: isinstance(value, bool)),
    ("a text", "activation_function source_language target_language", is_text),
    ("a token", "decoder_start_token_id pad_token_id eos_token_id sink_token", _is_token),
    ("an object of tokens", "language_tokens formality_tokens", _are_tokens),
    ("a list of known encodings", "length_encodings", _are_encodings),
    ("a list of [name, token, upper ratio], ascending,", "length_classes", _are_classes),
    (
        "a number from 0.01 to 100",
        "mean_length_ratio token_characters constant_fertility",
        lambda value: isinstance(value, int | float) and 0.01 <= value <= 100,
    ),
    (
        "a number from 0 to 100",
        "exhaustion",
        lambda value: isinstance(value, int | float) and 0 <= value <= 100,
    ),
    (f"one of {', '.join(LENGTH_UNITS)}", "length_unit", LENGTH_UNITS.__contains__),
    ("source or target", "length_class_side", ("source", "target").__contains__),
    (f"one of {', '.join(SOURCE_ATTENTIONS)}", "source_attention", SOURCE_ATTENTIONS.__contains__),
    (f"one of {', '.join(FERTILITIES)}", "fertility", FERTILITIES.__contains__),
)
"""What values have to be, in words; of which keys; and the test."""
