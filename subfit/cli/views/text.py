"""Text from files, made safe to print."""

from __future__ import annotations

import unicodedata

_CELL = 160
"""Characters of a cell: a cue has two lines of 42, but a line of plain text may have thousands."""


def printable(text: str) -> str:
    """Return text without what would steer a terminal; line breaks stay.

    Cues and file names may hold escape sequences, and bidi overrides that never end.
    """
    return "".join(_shown(character) for character in text)


def one_line(text: str) -> str:
    """Return printable text in a single line."""
    return " ".join(printable(text).split())


def shortened(text: str) -> str:
    """Return text as it stands in a cell of a table: no more than two or three lines of it."""
    if len(text) <= _CELL:
        return text
    words = text[: _CELL - 1]
    return (words.rsplit(maxsplit=1)[0] if len(words.split()) > 1 else words).rstrip() + "…"


def _shown(character: str) -> str:
    if character in "\n\t":
        return character
    if character in "\u2028\u2029\x85":
        return " "
    if character in "\u202a\u202b\u202d\u202e":  # common in Hebrew files
        return ""
    return "\ufffd" if unicodedata.category(character) in ("Cc", "Cs") else character
