"""How a phrase is looked up: whatever its case, its marks and its apostrophes."""

from __future__ import annotations

import regex

_MARKS = regex.compile(r"[.,;:!?¿¡…\"“”„«»]+")
_POLITE = regex.compile(r"(?<=\S )(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b")
"""German "you", which has another meaning without its capital."""
_SPACES = regex.compile(r"\s+")
_CONTRACTED = regex.compile(r"'|\b(?:cannot|gonna|ya)\b")
_CONTRACTIONS = (
    (regex.compile(r"\bcan'?not\b|\bcan't\b"), "can not"),
    (regex.compile(r"\bwon't\b"), "will not"),
    (regex.compile(r"n't\b"), " not"),
    (regex.compile(r"'m\b"), " am"),
    (regex.compile(r"'re\b"), " are"),
    (regex.compile(r"'ll\b"), " will"),
    (regex.compile(r"'ve\b"), " have"),
    (regex.compile(r"'s\b"), " is"),
    (regex.compile(r"\bgonna\b"), "going to"),
    (regex.compile(r"\bya\b"), "you"),
)
"""English words that are written together and apart."""


def key_of(text: str, language: str) -> str:
    """Return what a phrase and its like have in common.

    Args:
        text: As written.
        language: Its two-letter language.
    """
    plain = _MARKS.sub("", text.replace("’", "'"))
    if language == "de":
        plain = _POLITE.sub(r"\g<0>*", plain)
    plain = plain.lower()
    if language == "en" and _CONTRACTED.search(plain):
        for pattern, apart in _CONTRACTIONS:
            plain = pattern.sub(apart, plain)
    spaced: str = _SPACES.sub(" ", plain)
    return spaced.strip(" -–—")
