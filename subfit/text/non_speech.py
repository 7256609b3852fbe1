"""Non-speech information: what stands beside the words of a cue, and stays as it is.

Sound descriptions (``[SIGHS]``, ``(whispering)``), who speaks (``MAN:``, ``>>``), faces of keyboard
marks behind the words (``:-)``), and marks of direction. Round brackets may hold speech ("(I think
so.)"), so they count where they hold capitals (of a script that has them) or a few words without a
mark that ends a sentence; a name with a colon counts in capitals, where what follows is not in
capitals too, and in five languages in others as well (``John:``), but not a word that may be said
before a colon (``Note:``, in ``lead_ins.yaml``).
"""

from __future__ import annotations

from functools import cache, partial

import regex

from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import packaged, word_lists

BIDI = "\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks of direction, for a set in an expression; Arabic and Hebrew files have them at lines."""
_BIDI = f"[{BIDI}]"
_ROUND = r"\((?:[^()\p{Ll}\p{Lo}]+|[^\s().!?…]+(?:\s[^\s().!?…]+){0,2})\)"
_STARRED = r"(?<=(?:^|[.!?…\"”\]])\s*)\*[^\s*.!?]+(?:\s[^\s*.!?]+){0,3}\*(?=\s*$|\s+\P{L}*\p{Lu})"
BARE_LABEL = (
    rf"(?:\[[^\[\]]+\]|(?<!\$)\{{[^{{}}]+\}}|(?<![\w<])<(?=\p{{L}})[^<>]+>(?!>)|{_STARRED})"
)
"""An expression for a label that no round brackets hold: ``[SIGHS]``, ``{laughs}``, ``*sighs*``."""
SOUND = rf"(?:{BARE_LABEL}|{_ROUND})"
"""An expression for a sound description, or a manner of speaking."""
_LAUGHTER = r"(?:h[aeiouäö]+h?|la|na|doo|dum|tra)"
_UNSAID = regex.compile(
    rf"[^\p{{L}}\p{{N}}]*|\d{{1,4}}[!?]*"
    rf"|\W*{_LAUGHTER}(?:[\W_]*{_LAUGHTER}){{2,}}\W*|\W*(?:[a-z]+://|www\.)\S+\W*",
    regex.I,
)


def is_unsaid(text: str) -> bool:
    """Whether a text says nothing in words: marks and signs, one number, laughter, an address."""
    return bool(_UNSAID.fullmatch(text))


_FACE = (
    r"(?<=\s)(?:[:;=][-o'’^]?[()\[\]DPpO3|/\\*]+|[xX]D+|<3+|\^[_.-]*\^|>[_.]*<|[oO][_.]+[oO]|T_+T)"
)
"""An expression for a face of keyboard marks, behind a space: ``:-)``, ``^_^``, ``<3``."""
_MANNER = r"(?:\s?(?:\([^()\n]+\)|\[[^\[\]\n]+\]))"
_LOUD_NAME = (
    rf"(?:Mc|Mac)?\p{{Lu}}(?:(?:[\p{{Lu}}\d .'’#&-]|Mc(?=\p{{Lu}})|(?<=\d),){{0,80}}[\p{{Lu}}\d])?"
    rf"{_MANNER}?"
)
_NAME = rf"(?:{_LOUD_NAME})\s?:(?=\s)"
SPEAKER = rf"(?:>>+|{_NAME})"
"""An expression for what tells who speaks, in any language: names in capitals."""


_lead_ins = partial(packaged, "subfit.text", "lead_ins.yaml")


@cache
def named_speaker(language: str | None) -> str:
    """Return an expression for what tells who speaks: ``JOHN:``, and ``John:`` in five languages.

    Args:
        language: The text's tag; None if only names in capitals tell it.
    """
    known = None if language is None else closest_language(language, _lead_ins())
    if known is None:
        return SPEAKER
    words = _lead_ins()[known]
    said = {*words["said"].split()}
    if known != "en":
        lists = word_lists(known)
        said |= lists.function_words
    no_name = rf"(?i:{'|'.join(map(regex.escape, sorted(said)))}|{words['endings']})"
    word = rf"(?!{no_name}\b)\p{{Lu}}\p{{Ll}}+(?:['’-]\p{{Lu}}?\p{{Ll}}+)?"
    more = rf"|(?:{'|'.join(words['names'].split())})\b" if words["names"] else ""
    quiet = rf"{word}(?:\.? (?:{word}{more}|\d+)|\.){{0,2}}{_MANNER}?"
    return rf"(?:>>+|(?:{_LOUD_NAME}|{quiet})\s?:(?=\s))"


LABEL = r"(?:\[[^\[\]]+\]|\((?=[^()]*\p{Lu})[^()\p{Ll}\p{Lo}]+\)):?"
"""An expression for what may tell it where it begins a line: ``[man]``, ``(MAN)``."""
_TAIL = regex.compile(rf"(?:\s*(?:{_BIDI}+|{SOUND}|{_FACE}))+$")
_WORD = regex.compile(r"[\p{L}\p{N}]")


@cache
def _lead(names: str) -> regex.Pattern[str]:
    """An expression for what stands before the words."""
    return regex.compile(rf"(?:(?:{_BIDI}+|{names}|{SOUND}:?|(?:\p{{Ll}}|\d{{1,2}})\)(?=\s))\s*)+")


def split_non_speech(text: str, *, language: str | None = None) -> tuple[str, str, str]:
    """Take what is not said off both ends of a text.

    Args:
        text: Plain text in one line.
        language: The text's tag where ``John:`` may tell who speaks as ``JOHN:`` does.

    Returns:
        What stands before the words, the words, and what stands behind them, which joined are the
        text again. A text that has no words besides is all words.
    """
    lead = _lead(named_speaker(language)).match(text)
    if lead and text[lead.end() :].isupper() and _names(lead[0], language):  # "WARNING: KEEP OUT"
        lead = _lead(">>+").match(text)
    start = lead.end() if lead else 0
    tail = _TAIL.search(text, start)
    end = tail.start() if tail else len(text)
    if not _WORD.search(text[start:end]):
        return "", text, ""
    return text[:start], text[start:end], text[end:]


def _names(lead: str, language: str | None) -> bool:
    """Whether a lead names somebody."""
    found = regex.finditer(rf"{named_speaker(language)}\s*", lead)
    return any(not match[0].startswith(">") for match in found)
