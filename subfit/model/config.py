"""Configuration of the length-conditioned Marian Transformer, without Hugging Face's library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, get_args

from subfit.text.languages import closest_language

LengthEncoding = Literal["abs", "rel", "lrpe", "leninit", "lc"]
LENGTH_ENCODINGS: tuple[str, ...] = get_args(LengthEncoding)
OTHER_ENCODINGS: list[str] = []
"""Names of those that `subfit.model.length.register_encoding` added."""


def known_encoding(name: str) -> str:
    """Return the name of a length encoding.

    Raises:
        ValueError: There is none of that name.
    """
    names = (*LENGTH_ENCODINGS, *OTHER_ENCODINGS)
    if name not in names:
        raise ValueError(f"must be {', '.join(map(repr, names))}, not {name!r}")
    return name


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
        free_translation: Whether the model was also trained without any length signal, so that it
            may be asked for no length at all.
        length_predictor: Whether the model has a head that predicts natural lengths.
        mean_length_ratio: Mean target/source characters of the training pairs.
        source_language: Tag of the source language, for example ``en``; None where there are
            several.
        target_language: Tag of the target language; likewise.
        language_tokens: With several target languages, or several source languages, the source
            token of each by its tag (Johnson et al. 2017).
        lowercase_token: The source token of training pairs that are lower-cased; never used in
            translation.
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
    free_translation: bool = False
    length_predictor: bool = False
    mean_length_ratio: float = 1.0
    source_language: str | None = None
    target_language: str | None = None
    language_tokens: dict[str, int] | None = None
    lowercase_token: int | None = None
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
        lowercase = () if self.lowercase_token is None else (self.lowercase_token,)
        sink = () if self.sink_token is None else (self.sink_token,)
        classes = (length_class.token_id for length_class in self.classes)
        formality = (self.formality_tokens or {}).values()
        return (*classes, *(self.language_tokens or {}).values(), *lowercase, *formality, *sink)

    @property
    def most_source_tokens(self) -> int:
        """How many tokens to leave room for beside a source; always one for a length class."""
        rare = (self.lowercase_token is not None) + bool(self.formality_tokens)
        rare += self.sink_token is not None
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
        return next(
            (length_class for length_class in self.classes if ratio <= length_class.upper), None
        )

    def class_named(self, name: str) -> LengthClass | None:
        """Return a class by its name; None if there is none of that name."""
        return next(
            (length_class for length_class in self.classes if length_class.name == name), None
        )


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

    def __post_init__(self) -> None:
        self.decoder_vocab_size = self.decoder_vocab_size or self.vocab_size

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Take what matters from the values of a ``config.json``."""
        return cls(
            **{field.name: values[field.name] for field in fields(cls) if field.name in values}
        )
