"""Non-speech information: what stands beside the words of a cue, and stays as it is.

Sound descriptions (``[SIGHS]``, ``(whispering)``), who speaks (``MAN:``, ``>>``), and marks of
direction. Round brackets may hold speech ("(I think so.)"), so they count where they hold capitals
(of a script that has them) or a few words without a mark that ends a sentence; a name with a colon
counts in capitals, where what follows is not in capitals too, and in English in others as well
(``John:``), but not a word that may be said before a colon (``Note:``, in ``lead_ins.yaml``).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import regex
import yaml


def _lead_ins() -> str:
    content = files("subfit.text").joinpath("lead_ins.yaml").read_text(encoding="utf-8")
    return "|".join(map(regex.escape, str(yaml.safe_load(content)["english"]).split()))


BIDI = "\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks of direction, for a set in an expression; Arabic and Hebrew files have them at lines."""
_BIDI = f"[{BIDI}]"
_ROUND = r"\((?:[^()\p{Ll}\p{Lo}]+|[^\s().!?…]+(?:\s[^\s().!?…]+){0,2})\)"
SOUND = rf"(?:\[[^\[\]]+\]|{_ROUND})"
"""An expression for a sound description, or a manner of speaking."""
_MANNER = r"(?:\s?(?:\([^()\n]+\)|\[[^\[\]\n]+\]))"
_LOUD_NAME = (
    rf"(?:Mc|Mac)?\p{{Lu}}(?:(?:[\p{{Lu}}\d .'’#&-]|Mc(?=\p{{Lu}})){{0,80}}[\p{{Lu}}\d])?"
    rf"{_MANNER}?"
)
# "John:" and "Old man:", but not "Note:" or "Listen:", which are said.
_NO_NAME = r"\w+(?:tions?|ments?|ness|isms?|sphere|logy|ware|ency|ancy|ible|able|ical|ful)"
_QUIET_WORD = rf"(?!(?i:{_lead_ins()}|{_NO_NAME})\b)\p{{Lu}}\p{{Ll}}+(?:['’-]\p{{Lu}}?\p{{Ll}}+)?"
_QUIET_NAME = (
    rf"{_QUIET_WORD}(?:\.? (?:{_QUIET_WORD}|(?:man|woman|boy|girl|voice)\b|\d+)|\.){{0,2}}"
    rf"{_MANNER}?"
)
_NAME = rf"(?:{_LOUD_NAME})\s?:(?=\s)"
_ANY_NAME = rf"(?:{_LOUD_NAME}|{_QUIET_NAME})\s?:(?=\s)"
SPEAKER = rf"(?:>>+|{_NAME})"
"""An expression for what tells who speaks, in any language: names in capitals."""
ENGLISH_SPEAKER = rf"(?:>>+|{_ANY_NAME})"
"""An expression for what tells who speaks in English: other names too."""
LABEL = r"(?:\[[^\[\]]+\]|\((?=[^()]*\p{Lu})[^()\p{Ll}\p{Lo}]+\)):?"
"""An expression for what may tell it where it begins a line: ``[man]``, ``(MAN)``."""
_TAIL = regex.compile(rf"(?:\s*(?:{_BIDI}+|{SOUND}))+$")
_SILENT_TAIL = regex.compile(rf"(?:\s*{_BIDI}+)+$")
_NAMED = regex.compile(rf"{_ANY_NAME}\s*")
_WORD = regex.compile(r"[\p{L}\p{N}]")


@cache
def _lead(*, names: str, sounds: bool) -> regex.Pattern[str]:
    """An expression for what stands before the words."""
    kinds = [f"{_BIDI}+", names, *([f"{SOUND}:?"] if sounds else [])]
    return regex.compile(rf"(?:(?:{'|'.join(kinds)})\s*)+")


def split_non_speech(
    text: str, *, sounds: bool = True, english: bool = False
) -> tuple[str, str, str]:
    """Take what is not said off both ends of a text.

    Args:
        text: Plain text in one line.
        sounds: Whether sound descriptions are among it; otherwise they are words.
        english: Whether the text is English, where ``John:`` tells who speaks as ``JOHN:`` does.

    Returns:
        What stands before the words, the words, and what stands behind them, which joined are the
        text again. A text that has no words besides is all words.
    """
    names = ENGLISH_SPEAKER if english else SPEAKER
    lead = _lead(names=names, sounds=sounds).match(text)
    if lead and text[lead.end() :].isupper() and _NAMED.search(lead[0]):  # "WARNING: KEEP OUT"
        lead = _lead(names=">>+", sounds=sounds).match(text)
    start = lead.end() if lead else 0
    tail = (_TAIL if sounds else _SILENT_TAIL).search(text, start)
    end = tail.start() if tail else len(text)
    if not _WORD.search(text[start:end]):
        return "", text, ""
    return text[:start], text[start:end], text[end:]
