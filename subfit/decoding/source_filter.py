"""What a model can read of a text.

A character without a piece of its own is spelt in bytes, or unknown altogether. Letters of its
language's script, currencies and the like are met that way now and then in training; emoji, other
scripts and marks of direction hardly ever, and a model makes up words for them.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from subfit.model.tokenizer import AnyTokenizer

_UNKNOWN = "<unk>"
_BYTE = "<0x"
_READ_IN_BYTES = frozenset("&+=±×÷−@°©®™")
"""Beside letters, marks of punctuation and currencies: what running text has."""
_KINDS = ("P", "Sc", "N", "Z")


class SourceFilter:
    """Leaves out of texts what a model cannot read.

    Args:
        tokenizer: The model's.
    """

    def __init__(self, tokenizer: AnyTokenizer) -> None:
        self._tokenizer = tokenizer
        self._pieces = tokenizer.source.pieces
        self._reads = lru_cache(maxsize=None)(self._can_read)

    def text(self, text: str) -> str:
        """Return a text, in NFC, without the characters that the model cannot read.

        A space stands for each; not for marks upon letters and the like, which part no word.
        """
        composed = unicodedata.normalize("NFC", text)
        return "".join(char if self._reads(char) else _in_place_of(char) for char in composed)

    def _can_read(self, char: str) -> bool:
        if char.isspace() or char in _READ_IN_BYTES:
            return True
        if unicodedata.category(char).startswith(_KINDS):
            return True
        if char.isalpha() and unicodedata.name(char, "").startswith("LATIN "):
            return True
        return not any(
            self._pieces[piece] == _UNKNOWN or self._pieces[piece].startswith(_BYTE)
            for piece in self._tokenizer.encode(char)
        )


def _in_place_of(char: str) -> str:
    return "" if unicodedata.category(char).startswith(("M", "Cf")) else " "
