"""What stands beside the words of a cue and is not said: it stays as it is.

Sound descriptions (``[SIGHS]``, ``(whispering)``), who speaks (``MAN:``, ``>>``), and marks of
direction. Round brackets may hold speech ("(I think so.)"), so they count where they hold capitals
or a few words without a mark that ends a sentence; a name with a colon counts in capitals alone,
where what follows is not in capitals too.
"""

from __future__ import annotations

import regex

BIDI = "\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks of direction, for a set in an expression; Arabic and Hebrew files have them at lines."""
_BIDI = f"[{BIDI}]"
_ROUND = r"\((?:[^()\p{Ll}]+|[^\s().!?…]+(?:\s[^\s().!?…]+){0,2})\)"
_SOUND = rf"(?:\[[^\[\]]+\]|{_ROUND})"
_NAME = r"\p{Lu}(?:[\p{Lu}\d .'’#-]*[\p{Lu}\d])?:(?=\s)"
SPEAKER = rf"(?:>>+|{_NAME})"
"""An expression for what tells who speaks."""
_LEAD = regex.compile(rf"(?:(?:{_BIDI}+|{SPEAKER}|{_SOUND}:?)\s*)+")
_TAIL = regex.compile(rf"(?:\s*(?:{_BIDI}+|{_SOUND}))+$")
_SILENT_LEAD = regex.compile(rf"(?:(?:{_BIDI}+|{SPEAKER})\s*)+")
_SILENT_TAIL = regex.compile(rf"(?:\s*{_BIDI}+)+$")
_NAMED = regex.compile(rf"{_NAME}\s*")
_WORD = regex.compile(r"[\p{L}\p{N}]")


def split_asides(text: str, *, sounds: bool = True) -> tuple[str, str, str]:
    """Take what is not said off both ends of a text.

    Args:
        text: Plain text in one line.
        sounds: Whether sound descriptions are among it; otherwise they are words.

    Returns:
        What stands before the words, the words, and what stands behind them, which joined are the
        text again. A text that has no words besides is all words.
    """
    lead = (_LEAD if sounds else _SILENT_LEAD).match(text)
    start = lead.end() if lead else 0
    if text[start:].isupper() and _NAMED.search(text[:start]):
        start = 0  # "WARNING: KEEP OUT"
    tail = (_TAIL if sounds else _SILENT_TAIL).search(text, start)
    end = tail.start() if tail else len(text)
    if not _WORD.search(text[start:end]):
        return "", text, ""
    return text[:start], text[start:end], text[end:]
