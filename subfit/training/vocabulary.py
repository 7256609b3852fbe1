"""Training the SentencePiece models a recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import sentencepiece

from subfit.errors import RecipeError
from subfit.evaluation.corpus import Pair
from subfit.files import read_bytes
from subfit.model.tokenizer import (
    TARGET_TOKENIZER_FILE,
    TOKENIZER_FILE,
    AnyTokenizer,
    Tokenizer,
    TokenizerPair,
)
from subfit.text.formality import FORMALITIES
from subfit.training.recipe import Recipe


def class_piece(name: str) -> str:
    """The source token of a length class, for example ``<short>``."""
    return f"<{name}>"


def language_piece(language: str) -> str:
    """The source token of a language, for example ``<2de>``; whether it is that of the target or of
    the source, the model's configuration says."""
    return f"<2{language}>"


def formality_piece(formality: str) -> str:
    """The source token of a form of address, for example ``<formal>``."""
    return f"<{formality}>"


SINK_PIECE = "<sink>"
"""The token behind sources that may have any amount of attention."""


def source_pieces(recipe: Recipe) -> list[str]:
    """Return all tokens that a recipe puts before or behind sources."""
    return [
        *map(class_piece, recipe.length.classes),
        *map(language_piece, recipe.told_languages),
        *(map(formality_piece, FORMALITIES) if recipe.data.formality else ()),
        *([SINK_PIECE] if recipe.attention.constrained else []),
    ]


Side = Literal["both", "source", "target"]
"""Whose pieces a SentencePiece model has."""


def run_tokenizer(recipe: Recipe, pairs: Sequence[Pair], folder: Path) -> AnyTokenizer:
    """Return the tokenizer of a run; what is not in its folder yet is trained on its pairs.

    Args:
        recipe: Its ``vocabulary.target_type`` says whether the target side has one of its own.
        pairs: The training pairs.
        folder: The run folder.

    Raises:
        RecipeError: The pairs cannot give a vocabulary of that size.
        InputFileError: ``vocabulary.file`` cannot be read.
    """

    def made(name: str, side: Side) -> Tokenizer:
        path = folder / name
        if recipe.vocabulary.file and not path.exists():
            path.write_bytes(read_bytes(recipe.vocabulary.file))
        return Tokenizer(path) if path.exists() else train_tokenizer(recipe, pairs, path, side)

    if recipe.vocabulary.target_type is None:
        return made(TOKENIZER_FILE, "both")
    return TokenizerPair(made(TOKENIZER_FILE, "source"), made(TARGET_TOKENIZER_FILE, "target"))


def train_tokenizer(
    recipe: Recipe, pairs: Sequence[Pair], path: Path, side: Side = "both"
) -> Tokenizer:
    """Train a SentencePiece model and write it to ``path``.

    Ids: 0 padding, 1 unknown, 2 end of sentence, then `source_pieces`, which no target side
    has of its own, then pieces. Characters outside ``character_coverage`` are spelt in UTF-8 bytes,
    so nothing is ever unknown, and no normalisation changes the text (`Tokenizer.encode` composes
    it to NFC).

    Args:
        recipe: Its ``vocabulary`` and ``length.classes`` say what to train.
        pairs: The training pairs.
        path: Where the ``.model`` file goes.
        side: Which texts of the pairs it is for.

    Raises:
        RecipeError: The pairs cannot give a vocabulary of that size.
    """
    settings = recipe.vocabulary
    kind, key = settings.type, "pieces"
    if side == "target":
        kind = settings.target_type or kind
        key = "pieces" if settings.target_pieces is None else "target_pieces"
    pieces = getattr(settings, key)
    symbols = [] if side == "target" else source_pieces(recipe)
    model = BytesIO()
    sentencepiece.set_random_generator_seed(recipe.run.seed)
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(_texts(pairs, side)),
            model_writer=model,
            model_type=kind,
            vocab_size=pieces,
            control_symbols=symbols,
            # There may be fewer characters than the recipe allows for.
            hard_vocab_limit=kind != "char",
            character_coverage=settings.character_coverage,
            input_sentence_size=settings.sentences,
            **_ALWAYS,
        )
    except RuntimeError as error:
        # "Internal: src/trainer_interface.cc(582) [...] Vocabulary size too high (500). …"
        reason = str(error).strip().rpartition("] ")[2]
        raise RecipeError(f"vocabulary.{key}={pieces}: {reason}") from error
    path.write_bytes(model.getvalue())
    return Tokenizer(path)


_ALWAYS: dict[str, Any] = {
    "shuffle_input_sentence": True,
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": True,
    "byte_fallback": True,
    "pad_id": 0,
    "unk_id": 1,
    "eos_id": 2,
    "bos_id": -1,
    "minloglevel": 2,
    "num_threads": 2,
}
"""What all our SentencePiece models have in common."""


def _texts(pairs: Sequence[Pair], side: Side) -> list[str]:
    if side == "both":
        return [text for pair in pairs for text in (pair.source, pair.target)]
    return [pair.source if side == "source" else pair.target for pair in pairs]
