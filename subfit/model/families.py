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
        "M2M100 or NLLB",
        re.compile(r"__([a-z]{2,3})__|([a-z]{3}_[A-Z][a-z]{3})"),
        marks_both=True,
    ),
    "mbart": Architecture("mBART-50", re.compile(r"([a-z]{2}_[A-Z]{2})"), marks_both=True),
    "t5": Architecture(
        "T5 or MADLAD", re.compile(r"<2([a-z]{2,3}(?:[-_]\w+)?)>"), marks_both=False
    ),
}
"""By ``model_type``."""


def load_pieces(folder: Path, kind: str, size: int) -> HubPieces:
    """Load the tokenizer of a model.

    Args:
        folder: The model's.
        kind: One of `ARCHITECTURES`.
        size: Rows of its vocabulary.

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
