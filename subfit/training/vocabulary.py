"""Training the SentencePiece model a recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import sentencepiece

from subfit.errors import RecipeError
from subfit.tokenizer import Tokenizer
from subfit.training.corpus import Pair
from subfit.training.recipe import Recipe


def class_piece(name: str) -> str:
    """The source token of a length class, for example ``<short>``."""
    return f"<{name}>"


def language_piece(language: str) -> str:
    """The source token of a target language, for example ``<2de>``."""
    return f"<2{language}>"


LOWERCASE_PIECE = "<lowercased>"
"""The source token of lower-cased training pairs."""


def source_pieces(recipe: Recipe) -> list[str]:
    """Return all tokens that a recipe puts before sources."""
    several = isinstance(recipe.target_language, tuple)
    languages = recipe.target_languages if several else ()
    return [
        *map(class_piece, recipe.length.classes),
        *map(language_piece, languages),
        *([LOWERCASE_PIECE] if recipe.data.tagged else []),
    ]


def train_tokenizer(recipe: Recipe, pairs: Sequence[Pair], path: Path) -> Tokenizer:
    """Train a joint SentencePiece model on both sides and write it to ``path``.

    Ids: 0 padding, 1 unknown, 2 end of sentence, then `source_pieces`, then pieces. Characters
    outside ``character_coverage`` are spelt in UTF-8 bytes, so nothing is ever unknown, and no
    normalisation changes the text (`Tokenizer.encode` composes it to NFC).

    Args:
        recipe: Its ``vocabulary`` and ``length.classes`` say what to train.
        pairs: The training pairs.
        path: Where the ``.model`` file goes.

    Raises:
        RecipeError: The pairs cannot give a vocabulary of that size.
    """
    settings = recipe.vocabulary
    model = BytesIO()
    sentencepiece.set_random_generator_seed(recipe.run.seed)
    try:
        _train(recipe, pairs, model)
    except RuntimeError as error:
        # "Internal: src/trainer_interface.cc(582) [...] Vocabulary size too high (500). …"
        reason = str(error).strip().rpartition("] ")[2]
        raise RecipeError(f"vocabulary.pieces={settings.pieces}: {reason}") from error
    path.write_bytes(model.getvalue())
    return Tokenizer(path)


def _train(recipe: Recipe, pairs: Sequence[Pair], model: BytesIO) -> None:
    settings = recipe.vocabulary
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([each for pair in pairs for each in (pair.source, pair.target)]),
        model_writer=model,
        model_type=settings.type,
        vocab_size=settings.pieces,
        character_coverage=settings.character_coverage,
        input_sentence_size=settings.sentences,
        shuffle_input_sentence=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=True,
        byte_fallback=True,
        control_symbols=source_pieces(recipe),
        pad_id=0,
        unk_id=1,
        eos_id=2,
        bos_id=-1,
        minloglevel=2,
        num_threads=2,
        # There may be fewer characters than the recipe allows for.
        hard_vocab_limit=settings.type != "char",
    )
