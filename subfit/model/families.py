"""Encoder-decoder families of Hugging Face that our search runs; trained, they take lengths, too.

What Hugging Face has of a model that was trained for lengths is unchanged in kind: the same names
and sizes of weights, the same pieces. Source tokens for length classes have rows of their own
behind its vocabulary, which the output layer knows nothing of; these, and the length signal, are
kept in a file of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from subfit.errors import ModelError
from subfit.files import write_bytes
from subfit.model.config import LengthConfig, ModelConfig
from subfit.model.length import LengthConditioned
from subfit.model.tokenizer import HubPieces

RELATIVE_STEPS = 512
"""Most tokens of a text for a model that has no positions, and so tells no limit."""


LENGTHS_FILE = "lengths.safetensors"
"""What makes a model of Hugging Face's take lengths, in the folder of that model."""
LENGTHS_KEY = "subfit"
"""What of its ``config.json`` is subfit's."""
GENERATION_FILE = "generation_config.json"


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


def load_family_pieces(folder: Path, kind: str, size: int) -> HubPieces:
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
    try:
        behind = own.marks_both and not pieces.puts_language_first
    except AttributeError as error:  # of a class that knows nothing of languages
        problem = "is no tokenizer of translation models; tokenizer_class is not the family's"
        raise ModelError(f"{folder / 'tokenizer_config.json'}: {problem}") from error
    if behind:
        raise ModelError(
            f"{folder}: its tokenizer puts the language behind a source, as that of mBART-25 does;"
            f" subfit runs {own.description} models, which have it before"
        )
    return pieces


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
    "vocab_size", "decoder_vocab_size", "max_position_embeddings", "d_model", "encoder_layers",
    "encoder_ffn_dim", "encoder_attention_heads", "decoder_layers", "decoder_ffn_dim",
    "decoder_attention_heads", "activation_function", "scale_embedding",
    "decoder_start_token_id", "pad_token_id", "eos_token_id",
)  # fmt: skip
_T5_SIZES = {
    "encoder_layers": "num_layers",
    "decoder_layers": "num_decoder_layers",
    "activation_function": "dense_act_fn",
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), "d_ff"),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), "num_heads"),
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


@dataclass(kw_only=True, repr=False, eq=False)
class ConfigWithLengths(ModelConfig):
    """The configuration of a `ModelWithLengths`; languages are known by its tokenizer.

    ``source_language``, ``target_language`` and, of several, ``language_tokens`` are those it was
    trained for. It translates between these if it is not told others.
    """

    family: Any
    """Hugging Face's configuration of the model, which has what `subfit.model.families.settle`
    gives it."""
    generation: Any = None
    """Hugging Face's settings of its ``generate``, which are kept."""

    @classmethod
    def of(cls, family: Any, generation: Any, lengths: Mapping[str, Any]) -> Self:
        """Make one of a model's configuration and values of a `LengthConfig`."""
        known = {field.name for field in fields(LengthConfig)}
        own = {name: value for name, value in lengths.items() if name in known}
        config = cls(family=family, generation=generation, **{**sizes_of(family), **own})
        config.vocab_size += len(config.source_token_ids)
        config.share_encoder_decoder_embeddings = False  # the encoder's has rows of its own
        return config

    @property
    def source_token_ids(self) -> tuple[int, ...]:
        """All tokens that stand before sources only, and that Hugging Face's model has not."""
        known = int(self.family.vocab_size)
        return tuple(token_id for token_id in super().source_token_ids if token_id >= known)

    @property
    def most_source_tokens(self) -> int:
        """See `LengthConfig.most_source_tokens`; always one for a language."""
        return 2 + bool(self.formality_tokens)

    @property
    def lengths(self) -> dict[str, Any]:
        """What is subfit's of it."""
        return {field.name: getattr(self, field.name) for field in fields(LengthConfig)}

    def to_dict(self) -> dict[str, Any]:
        """Return Hugging Face's configuration, with what is subfit's under `LENGTHS_KEY`."""
        values: dict[str, Any] = self.family.to_dict()
        if values.get("model_type") == "t5":  # where output is not scaled, it is not tied either
            values["tie_word_embeddings"] = values["scale_decoder_outputs"]
        return {**values, LENGTHS_KEY: self.lengths}

    def save(self, folder: Path, **more: Any) -> None:
        """Write ``config.json``, and the settings of ``generate``."""
        super().save(folder, **more)
        if self.generation is not None:
            text = self.generation.to_json_string()
            write_bytes(folder / GENERATION_FILE, text.encode("utf-8"), overwrite=True)


class ModelWithLengths(LengthConditioned):
    """A model of Hugging Face's that can be told how many characters it may write.

    Args:
        body: The model, as Hugging Face's code has it.
        config: Its configuration, and what is added.
    """

    def __init__(self, body: Any, config: ConfigWithLengths) -> None:
        super().__init__(config)
        self.body = body
        for name, weight in body.named_parameters():
            if name in (
                getattr(body, "_keys_to_ignore_on_save", None) or ()
            ):  # sinusoids, which loading makes trainable
                weight.requires_grad_(False)
        added = len(config.source_token_ids)
        self.source_rows = nn.Parameter(torch.zeros(added, config.d_model)) if added else None

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        device: torch.device = self.body.device
        return device

    @property
    def added(self) -> dict[str, Tensor]:
        """All weights and other tensors that Hugging Face's model has not."""
        return {
            name: value for name, value in self.state_dict().items() if not name.startswith("body.")
        }

    @property
    def target_embedding(self) -> tuple[Tensor, float]:
        """See `LengthConditioned.target_embedding`."""
        decoder = stacks_of(self.body)[1]
        return decoder.embed_tokens.weight, embedding_scale(decoder)

    @property
    def target_padding(self) -> int | None:
        """See `LengthConditioned.target_padding`."""
        padding: int | None = stacks_of(self.body)[1].embed_tokens.padding_idx
        return padding

    @property
    def output_layer(self) -> tuple[Tensor, Tensor]:
        """The weights (pieces, d_model) that states are scored with, and their bias (pieces,)."""
        weight = self.body.lm_head.weight
        bias = getattr(self.body, "final_logits_bias", None)
        return weight, weight.new_zeros(len(weight)) if bias is None else bias[0]

    def states(
        self, source: Tensor, mask: Tensor, tokens: Tensor, asked: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Run encoder and decoder.

        Args:
            source: (batch_size, source_length) token ids.
            mask: (batch_size, source_length), 1 where there is a token.
            tokens: (batch_size, target_length) what the decoder is fed.
            asked: (batch_size,) characters asked for, 0 for none.

        Returns:
            The decoder's states (batch_size, target_length, d_model), ready for `output_layer`,
            and the encoder's (batch_size, source_length, d_model).
        """
        encoder, decoder = stacks_of(self.body)
        table, scale = encoder.embed_tokens.weight, embedding_scale(encoder)
        embedded = embed_with(source, table, self.source_rows) * scale
        encoded = encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        fed = self.embed_target(tokens, asked)
        if not hasattr(decoder, "embed_scale"):  # as Marian's has, which scales what it is given
            fed = fed * embedding_scale(decoder)
        states = decoder(
            inputs_embeds=fed,
            encoder_hidden_states=encoded,
            encoder_attention_mask=mask,
            use_cache=False,
        ).last_hidden_state
        return states * output_scale(self.body), encoded


def embed_with(tokens: Tensor, table: Tensor, more: Tensor | None) -> Tensor:
    """Look tokens up in a table that goes on in another one.

    Args:
        tokens: (…) token ids.
        table: (n, d) of tokens 0 to n - 1.
        more: (m, d) of tokens from n on; None if there are none.

    Returns:
        (…, d)
    """
    if more is None:
        return embedding(tokens, table)
    own = len(table)
    known = embedding(tokens.clamp(max=own - 1), table)
    added = embedding((tokens - own).clamp(min=0), more)
    return torch.where((tokens < own).unsqueeze(-1), known, added)


def new_body(config: ConfigWithLengths, *, tied: bool = True) -> Any:
    """Return a model of Hugging Face's with random weights.

    Args:
        config: Its configuration.
        tied: Whether the output layer shares its weights with the embeddings, as far as the
            configuration wants it to.
    """
    from transformers import AutoModelForSeq2SeqLM

    body = AutoModelForSeq2SeqLM.from_config(deepcopy(config.family), dtype=torch.float32)
    if not tied:
        body.lm_head.weight = nn.Parameter(body.lm_head.weight.detach().clone())
    if config.generation is not None:
        body.generation_config = config.generation
    return body
