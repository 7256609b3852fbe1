"""The two SentencePiece models of a plain Marian checkpoint behind our tokenizer's interface."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from subfit.errors import ModelError, RecipeError, reason_of
from subfit.model.config_file import read_json
from subfit.model.tokenizer import SPACE_MARK

VOCABULARY_FILE = "vocab.json"
_LANGUAGE = re.compile(r">>([a-z]{2,3}(?:_\w+)?)<<")
FILES = ("source.spm", "target.spm", VOCABULARY_FILE)
"""What a Marian tokenizer consists of."""


def check_vocabulary(folder: Path, size: int | None) -> None:
    """Check the list of pieces of a Marian folder, whatever its tokenizer makes of it.

    Args:
        folder: Of the model.
        size: Pieces that the model has; None where its configuration does not say.

    Raises:
        ModelError: It is no object of pieces with their numbers, all different and below the size.
    """
    path = folder / VOCABULARY_FILE
    if not path.is_file():
        raise ModelError(f"{folder}: {VOCABULARY_FILE} is missing; the model folder is incomplete")
    try:
        pieces = read_json(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: not a list of pieces ({reason_of(error)[:80]})") from error
    if not isinstance(pieces, dict) or not all(type(each) is int for each in pieces.values()):
        raise ModelError(f"{path}: not an object of pieces with their numbers")
    wrong = next((p for p, n in pieces.items() if not 0 <= n < (size or len(pieces))), None)
    if wrong is not None:
        problem = f"piece {ascii(wrong)[:40]} has the number {str(pieces[wrong])[:20]}"
        raise ModelError(f"{path}: {problem}, which the model has no room for")
    if len(set(pieces.values())) < len(pieces):
        raise ModelError(f"{path}: two pieces have the same number")


class MarianPieces:
    """Pieces of a `MarianTokenizer`.

    Args:
        tokenizer: The Hugging Face tokenizer of the checkpoint.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    @classmethod
    def load(cls, place: str) -> MarianPieces:
        """Load from a folder.

        Raises:
            ModelError: Its tokenizer files are missing or damaged.
        """
        from transformers import MarianTokenizer  # long to import; our own models need none of it

        absent = [name for name in FILES if not (Path(place) / name).is_file()]
        if absent:
            raise ModelError(f"{place}: {absent[0]} is missing; the model folder is incomplete")
        try:
            with warnings.catch_warnings():
                # The normaliser it recommends is not used when text is tokenized.
                warnings.filterwarnings("ignore", ".*sacremoses")
                return cls(MarianTokenizer.from_pretrained(place, local_files_only=True))
        except Exception as error:  # whatever a damaged file makes the libraries raise
            reason = " ".join(str(error).split())[:200]
            raise ModelError(f"{place}: its tokenizer cannot be loaded ({reason})") from error

    def __len__(self) -> int:
        return len(self._tokenizer)

    @property
    def shared(self) -> bool:
        """Whether both sides have one vocabulary: yes, though each has its own pieces in it."""
        return True

    @property
    def source(self) -> MarianSide:
        """The source side."""
        return MarianSide(self, self._tokenizer, is_target=False)

    @property
    def target(self) -> MarianSide:
        """The target side."""
        return MarianSide(self, self._tokenizer, is_target=True)

    def save(self, folder: Path) -> None:
        """Write its files into a folder."""
        self._tokenizer.save_pretrained(folder)

    @property
    def eos_id(self) -> int:
        """The end-of-sentence token."""
        return int(self._tokenizer.eos_token_id)

    @property
    def pad_id(self) -> int:
        """The padding token."""
        return int(self._tokenizer.pad_token_id)

    def encode(self, text: str) -> list[int]:
        """Return the source pieces of a text, without an end token."""
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def decode(self, token_ids: list[int]) -> str:
        """Return the text of target pieces."""
        return str(self._tokenizer.decode(token_ids, skip_special_tokens=True)).strip()

    @property
    def pieces(self) -> list[str]:
        """Every piece as SentencePiece spells it, in the order of their ids."""
        return list(self._tokenizer.convert_ids_to_tokens(range(len(self))))

    @cached_property
    def language_tokens(self) -> dict[str, int]:
        """The source tokens for target languages (``>>deu<<``) of a model of several, by code."""
        found = ((_LANGUAGE.fullmatch(piece), number) for number, piece in enumerate(self.pieces))
        return {match[1]: number for match, number in found if match}

    @cached_property
    def piece_texts(self) -> tuple[str, ...]:
        """What each piece prints, spaces as spaces; special tokens print nothing."""
        special = {*self._tokenizer.all_special_ids, *self.language_tokens.values()}
        return tuple(
            "" if token_id in special else piece.replace(SPACE_MARK, " ")
            for token_id, piece in enumerate(self.pieces)
        )


class MarianSide:
    """One side of a `MarianPieces`, as training uses it."""

    def __init__(self, pieces: MarianPieces, tokenizer: Any, *, is_target: bool) -> None:
        self._pieces, self._tokenizer = pieces, tokenizer
        self._argument = "text_target" if is_target else "text"

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def pieces(self) -> list[str]:
        """Every piece of both sides, in the order of their ids."""
        return self._pieces.pieces

    def token_id(self, piece: str) -> int | None:
        """Return the id of a piece; None if there is no such piece."""
        found = self._tokenizer.convert_tokens_to_ids(piece)
        return None if found == self._tokenizer.unk_token_id else int(found)

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the pieces of texts, without end tokens."""
        if not texts:
            return []
        encoded = self._tokenizer(**{self._argument: list(texts)}, add_special_tokens=False)
        return [list(each) for each in encoded["input_ids"]]

    def sample_all(self, texts: Sequence[str], alpha: float, seed: int) -> list[list[int]]:
        """Refuse: Marian models are trained with their best pieces.

        Raises:
            RecipeError: Always.
        """
        raise RecipeError("vocabulary.sampling cannot be had with a Marian model's tokenizer")

    @cached_property
    def piece_characters(self) -> list[int]:
        """Code points each piece adds to the text, its space included."""
        return [len(text) for text in self._pieces.piece_texts]

    @cached_property
    def piece_leads(self) -> list[bool]:
        """Whether each piece opens with a space."""
        return [text.startswith(" ") for text in self._pieces.piece_texts]
