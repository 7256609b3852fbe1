"""The two SentencePiece models of a plain Marian checkpoint behind our tokenizer's interface."""

from __future__ import annotations

import re
import warnings
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from subfit.errors import ModelError, reason_of
from subfit.hub.contents import read_json
from subfit.model.hub_pieces import HubPieces, HubSide, tokenizer_at
from subfit.model.tokenizer import SPACE_MARK

_LANGUAGE = re.compile(r">>([a-z]{2,3}(?:_\w+)?)<<")
VOCABULARY_FILE = "vocab.json"
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
    if not isinstance(pieces, dict) or not all(type(piece) is int for piece in pieces.values()):
        raise ModelError(f"{path}: not an object of pieces with their numbers")
    wrong = next((p for p, n in pieces.items() if not 0 <= n < (size or len(pieces))), None)
    if wrong is not None:
        problem = f"piece {ascii(wrong)[:40]} has the number {str(pieces[wrong])[:20]}"
        raise ModelError(f"{path}: {problem}, which the model has no room for")
    if len(set(pieces.values())) < len(pieces):
        raise ModelError(f"{path}: two pieces have the same number")


class MarianPieces(HubPieces):
    """Pieces of a `MarianTokenizer`."""

    def __init__(self, tokenizer: Any) -> None:
        super().__init__(tokenizer, languages=_LANGUAGE)

    @classmethod
    def load(cls, place: str, **_: Any) -> Self:
        """Load from a folder.

        Raises:
            ModelError: Its tokenizer files are missing or damaged.
        """
        from transformers import MarianTokenizer  # long to import; our own models need none of it

        absent = [name for name in FILES if not (Path(place) / name).is_file()]
        if absent:
            raise ModelError(f"{place}: {absent[0]} is missing; the model folder is incomplete")
        with warnings.catch_warnings():
            # The normaliser it recommends is not used when text is tokenized.
            warnings.filterwarnings("ignore", ".*sacremoses")
            return cls(tokenizer_at(place, MarianTokenizer))

    @property
    def target(self) -> HubSide:
        """The target side."""
        return HubSide(self, self._tokenizer, "text_target")

    def decode(self, token_ids: Any) -> str:
        """Return the text of target pieces."""
        return str(self._tokenizer.decode(list(token_ids), skip_special_tokens=True)).strip()

    @property
    def special_ids(self) -> frozenset[int]:
        """None: of these, too, `generate` may make translations."""
        return frozenset()

    @cached_property
    def piece_texts(self) -> tuple[str, ...]:
        """What each piece prints, spaces as spaces; special tokens print nothing."""
        special = {*self._tokenizer.all_special_ids, *self.language_tokens.values()}
        return tuple(
            "" if token_id in special else piece.replace(SPACE_MARK, " ")
            for token_id, piece in enumerate(self.pieces)
        )
