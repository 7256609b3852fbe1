"""Marks in the lines of dubbing scripts that are not spoken: ``(laughs)``, ``[breath]``, ``/``.

Square brackets always hold such a mark. Round ones may hold speech ("He is (as far as I know)
away."), so they count as a mark only where that is clear: at either end of the line or of a
sentence, in capitals, or around one or two words. A ``/`` by itself is a pause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = re.compile(r"\[[^\[\]\n]*\]|\([^()\n]*\)|(?<!\S)/{1,3}(?!\S)")
_OF_A_WORD = re.compile(r"[^\W\d_]\([a-z]{1,2}\)")
"""As in "colo(u)r" and "person(s)": no mark."""
_CLOSING = tuple(".,;:!?…)]”’»")
"""Marks that follow a word without a space."""
_SENTENCE_END = re.compile(r"[.!?…]\W*\Z")


def split_directions(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a line in order: what is spoken, and marks with the space beside them.

    Args:
        text: The line as the script has it. The parts joined are the line again, with spaces where
            a mark parted two words without one.

    Yields:
        A part, and whether it is a mark.
    """
    at = 0
    for match in _MARK.finditer(text):
        if not _is_direction(text, match):
            continue
        start, end = match.span()
        while end < len(text) and text[end].isspace():
            end += 1
        if end == len(text):
            start = max(at, len(text[:start].rstrip()))
        words, mark = text[at:start], text[start:end]
        if _would_touch(words, text[end:]):
            words, mark = f"{words} ", f"{mark.rstrip()} "
        yield words, False
        yield mark, True
        at = end
    yield text[at:], False


def _would_touch(before: str, after: str) -> bool:
    """Whether words would run together if the mark between them was taken out."""
    parted = before[-1:].isspace() or after.startswith(_CLOSING)
    return bool(before and after) and not parted


def _is_direction(text: str, match: re.Match[str]) -> bool:
    if not match[0].startswith("("):
        return True
    if _OF_A_WORD.match(text, max(match.start() - 1, 0)):
        return False
    inside = match[0][1:-1].strip()
    before, after = text[: match.start()].strip(), text[match.end() :].strip()
    ends = bool(_SENTENCE_END.search(before)) or not before
    return ends or not after.strip(".,;:!?…") or inside.isupper() or len(inside.split()) <= 2
