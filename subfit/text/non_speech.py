"""Non-speech information: what stands beside the words of a cue, and stays as it is.

Sound descriptions (``[SIGHS]``, ``(whispering)``), who speaks (``MAN:``, ``>>``), and marks of
direction. Round brackets may hold speech ("(I think so.)"), so they count where they hold capitals
(of a script that has them) or a few words without a mark that ends a sentence; a name with a colon
counts in capitals alone, where what follows is not in capitals too.
"""

from __future__ import annotations

from functools import cache

import regex

BIDI = "\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks of direction, for a set in an expression; Arabic and Hebrew files have them at lines."""
_BIDI = f"[{BIDI}]"
_ROUND = r"\((?:[^()\p{Ll}\p{Lo}]+|[^\s().!?…]+(?:\s[^\s().!?…]+){0,2})\)"
SOUND = rf"(?:\[[^\[\]]+\]|{_ROUND})"
"""An expression for a sound description, or a manner of speaking."""
_NAME = r"\p{Lu}(?:[\p{Lu}\d .'’#-]*[\p{Lu}\d])?:(?=\s)"
SPEAKER = rf"(?:>>+|{_NAME})"
"""An expression for what tells who speaks."""
LABEL = r"(?:\[[^\[\]]+\]|\((?=[^()]*\p{Lu})[^()\p{Ll}\p{Lo}]+\)):?"
"""An expression for what may tell it where it begins a line: ``[man]``, ``(MAN)``."""
_TAIL = regex.compile(rf"(?:\s*(?:{_BIDI}+|{SOUND}))+$")
_SILENT_TAIL = regex.compile(rf"(?:\s*{_BIDI}+)+$")
_NAMED = regex.compile(rf"{_NAME}\s*")
_WORD = regex.compile(r"[\p{L}\p{N}]")


@cache
def _lead(*, names: bool, sounds: bool) -> regex.Pattern[str]:
    """An expression for what stands before the words."""
    kinds = [f"{_BIDI}+", SPEAKER if names else ">>+", *([f"{SOUND}:?"] if sounds else [])]
    return regex.compile(rf"(?:(?:{'|'.join(kinds)})\s*)+")


def split_non_speech(text: str, *, sounds: bool = True) -> tuple[str, str, str]:
    """Take what is not said off both ends of a text.

    Args:
        text: Plain text in one line.
        sounds: Whether sound descriptions are among it; otherwise they are words.

    Returns:
        What stands before the words, the words, and what stands behind them, which joined are the
        text again. A text that has no words besides is all words.
    """
    lead = _lead(names=True, sounds=sounds).match(text)
    if lead and text[lead.end() :].isupper() and _NAMED.search(lead[0]):  # "WARNING: KEEP OUT"
        lead = _lead(names=False, sounds=sounds).match(text)
    start = lead.end() if lead else 0
    tail = (_TAIL if sounds else _SILENT_TAIL).search(text, start)
    end = tail.start() if tail else len(text)
    if not _WORD.search(text[start:end]):
        return "", text, ""
    return text[:start], text[start:end], text[end:]
