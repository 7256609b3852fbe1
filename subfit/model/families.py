"""Encoder-decoder families of Hugging Face that subfit's search runs, beside Marian."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subfit.errors import ModelError
from subfit.model.hub_pieces import HubPieces

RELATIVE_STEPS = 512
"""Most tokens of a text for a model that has no positions, and so tells no limit."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """A family, by the ``model_type`` of its configurations."""

    description: str
    languages: re.Pattern[str]
    """Matches the pieces that stand for languages; one group of it is their code."""
    marks_both: bool
    """See `HubPieces`."""


ARCHITECTURES = {
    "m2m_100": Architecture(
        "M2M100 or NLLB", re.compile(r"__([a-z]{2,3})__|([a-z]{3}_[A-Z][a-z]{3})"), marks_both=True
    ),
    "mbart": Architecture("mBART-50", re.compile(r"([a-z]{2}_[A-Z]{2})"), marks_both=True),
    "t5": Architecture(
        "T5 or MADLAD", re.compile(r"<2([a-z]{2,3}(?:[-_]\w+)?)>"), marks_both=False
    ),
}
"""The families by ``model_type``."""


def load_pieces(folder: Path, kind: str, size: int) -> HubPieces:
    """Load the tokenizer of a model.

    Raises:
        ModelError: It cannot be loaded, or knows no languages.
    """
    own = ARCHITECTURES[kind]
    pieces = HubPieces.load(
        str(folder), size=size, languages=own.languages, marks_both=own.marks_both
    )
    if not pieces.language_tokens:
        raise ModelError(
            f"{folder}: its tokenizer has no tokens for languages, as translation models of"
            f" {own.description} have"
        )
    if own.marks_both and not _puts_language_first(folder, pieces):
        raise ModelError(
            f"{folder}: its tokenizer puts the language behind a source, as that of mBART-25 does;"
            f" subfit runs {own.description} models, which have it before"
        )
    return pieces


def _puts_language_first(folder: Path, pieces: HubPieces) -> bool:
    try:
        return pieces.puts_language_first
    except AttributeError as error:  # of a class that knows nothing of languages
        problem = "is no tokenizer of translation models; tokenizer_class is not the family's"
        raise ModelError(f"{folder / 'tokenizer_config.json'}: {problem}") from error


def settle(model: Any) -> None:
    """Give a model's configuration what a search asks of every configuration, where it lacks it."""
    config, generation = model.config, model.generation_config
    config.decoder_vocab_size = int(model.lm_head.weight.shape[0])
    if getattr(config, "decoder_start_token_id", None) is None:
        start = generation.decoder_start_token_id
        config.decoder_start_token_id = config.eos_token_id if start is None else start
    if getattr(config, "max_position_embeddings", None) is None:
        config.max_position_embeddings = RELATIVE_STEPS


def stacks_of(model: Any) -> tuple[Any, Any]:
    """Return the encoder and the decoder of a model of any family, Marian's too."""
    inner = model if hasattr(model, "decoder") else model.model  # T5 has them itself
    return inner.encoder, inner.decoder


def scales_itself(stack: Any) -> bool:
    """Whether an encoder or decoder multiplies embeddings that it is given, as Marian's decoder."""
    return hasattr(stack, "embed_scale")


def embedding_scale(stack: Any) -> float:
    """Return what an encoder or decoder multiplies the embeddings of its tokens by."""
    own = getattr(stack.embed_tokens, "embed_scale", None)  # M2M100's and mBART's scale themselves
    return float(getattr(stack, "embed_scale", 1.0) if own is None else own)


def output_scale(model: Any) -> float:
    """Return what a model multiplies the decoder's states by before its output layer."""
    config = model.config
    return float(config.d_model**-0.5) if getattr(config, "scale_decoder_outputs", False) else 1.0


def sizes_of(config: Any) -> dict[str, Any]:
    """Return the sizes and special tokens of a settled configuration of any family.

    They are named as `subfit.model.config.ModelConfig` has them.
    """
    names = {name: name for name in _SIZES} | (_T5_SIZES if config.model_type == "t5" else {})
    sizes = {own: getattr(config, theirs, None) for own, theirs in names.items()}
    return {name: value for name, value in sizes.items() if value is not None}


_SIZES = (
    "vocab_size",
    "decoder_vocab_size",
    "max_position_embeddings",
    "d_model",
    "encoder_layers",
    "encoder_ffn_dim",
    "encoder_attention_heads",
    "decoder_layers",
    "decoder_ffn_dim",
    "decoder_attention_heads",
    "activation_function",
    "scale_embedding",
    "decoder_start_token_id",
    "pad_token_id",
    "eos_token_id",
)
_T5_SIZES = {
    "encoder_layers": "num_layers",
    "encoder_ffn_dim": "d_ff",
    "encoder_attention_heads": "num_heads",
    "decoder_layers": "num_decoder_layers",
    "decoder_ffn_dim": "d_ff",
    "decoder_attention_heads": "num_heads",
    "activation_function": "dense_act_fn",
}


def set_dropout(config: Any, dropout: float, attention_dropout: float) -> None:
    """Set what a configuration says of dropout in training.

    Args:
        config: Of Hugging Face's, of any family.
        dropout: Of states.
        attention_dropout: Of attention; T5 has one number for both.
    """
    if config.model_type == "t5":
        config.dropout_rate = dropout
        return
    config.dropout, config.attention_dropout = dropout, attention_dropout
    # Whole layers that are left out at random would leave processes without their gradients.
    config.encoder_layerdrop = config.decoder_layerdrop = 0.0
