"""What the tokens of a decoder-only model's vocabulary print."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from unicodedata import category

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_CONTROL = frozenset({"Cc", "Zl", "Zp"})
"""Categories of characters that no line of a subtitle has."""
_CONTINUATION = bytes(range(0x80, 0xC0))


@dataclass(frozen=True)
class TokenTexts:
    """A vocabulary: the text of every token, and which of them end an answer.

    Args:
        texts: By token id, spaces as spaces; ``""`` for tokens that print nothing. A character
            that is spelt in bytes is in the token of its first byte.
        ends: Token ids of ends of turns.
        special: Token ids that no text is made of.
    """

    texts: tuple[str, ...]
    ends: frozenset[int]
    special: frozenset[int]

    @cached_property
    def line_ends(self) -> frozenset[int]:
        """Tokens that print nothing but the end of a line: behind a text they end it too."""
        return frozenset(
            number
            for number, text in enumerate(self.texts)
            if "\n" in text and not text.strip() and number not in self.special
        )

    @cached_property
    def usable(self) -> tuple[int, ...]:
        """Tokens of which one line may be made, ascending."""
        return tuple(
            number
            for number, text in enumerate(self.texts)
            if number not in self.special and _CONTROL.isdisjoint(map(category, text))
        )


def token_texts(tokenizer: Any, size: int, ends: Sequence[int]) -> TokenTexts:
    """Tabulate a vocabulary.

    Args:
        tokenizer: Of `transformers`, with the library ``tokenizers`` behind it.
        size: Rows of the model's vocabulary, which may be padded.
        ends: Token ids that end a turn.
    """
    added = {number: str(token) for number, token in tokenizer.added_tokens_decoder.items()}
    special = {number for number, token in tokenizer.added_tokens_decoder.items() if token.special}
    special |= {*tokenizer.all_special_ids, *range(len(tokenizer), size), *ends}
    as_bytes = _is_byte_level(tokenizer)
    tokens = tokenizer.convert_ids_to_tokens(list(range(min(len(tokenizer), size))))
    texts = [
        added[number]
        if number in added
        else _printed(_bytes_of(token or "") if as_bytes else _piece_bytes(token or ""))
        for number, token in enumerate(tokens)
    ]
    texts = ["" if number in special else text for number, text in enumerate(texts)]
    texts += [""] * (size - len(texts))
    return TokenTexts(tuple(texts), frozenset(ends), frozenset(special))


def _is_byte_level(tokenizer: Any) -> bool:
    """Whether tokens are spelt in letters that stand for bytes, as GPT-2 has it."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    decoder = json.loads(backend.to_str()).get("decoder") if backend is not None else None
    return '"ByteLevel"' in json.dumps(decoder)


def _letters_of_bytes() -> dict[str, int]:
    """The letters that stand for bytes: printable ones for themselves, others shifted."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {
        chr(256 + place): byte for place, byte in enumerate(others)
    }


_LETTERS = _letters_of_bytes()


def _bytes_of(token: str) -> bytes:
    """The bytes of a token that is spelt in letters for them."""
    if all(letter in _LETTERS for letter in token):
        return bytes(_LETTERS[letter] for letter in token)
    return token.encode()


def _piece_bytes(token: str) -> bytes:
    """The bytes of a SentencePiece token."""
    if byte := _BYTE.fullmatch(token):
        return bytes([int(byte[1], 16)])
    return token.replace("▁", " ").encode()


def _printed(spelt: bytes) -> str:
    """The characters that begin in some bytes; one that is cut off in the end is a mark."""
    return spelt.lstrip(_CONTINUATION).decode("utf-8", errors="replace")
