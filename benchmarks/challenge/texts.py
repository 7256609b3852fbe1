"""What the checks look at in a text: its words, its marks, its markup."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

Ending = Literal["", ".", "!", "?", "…", "–", ",", ":"]

_SPACES = re.compile(r"\s+")
_CLOSING = "\"'”“»«’)]♪♫ \n\xa0\u202f"
_OPENING = "\"'“„»«‘([♪♫ ¿¡\n\xa0\u202f"
_DASHES = "-‐‑‒–—―−"
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|\{\\[^{}]*\}")
_LABEL = re.compile(r"\[[^\[\]]+\]|\([^()]+\)")
_SPEAKER = re.compile(r"(?m)^\W*[^\W\d_a-zß-ÿ][^\Wa-zß-ÿ]+(?: [^a-zß-ÿ:\n]+)? ?:(?=\s)")
_TURN = re.compile(rf"(?m)^[{re.escape(_DASHES)}] ?(?=\S)")
_REPEAT = re.compile(r"(?i)(?<!\w)(\w+(?:[ ,]+\w+){0,3})(?:[ ,]+\1(?!\w))+")


def normalised(text: str) -> str:
    """Return a text in one line, with plain spaces and straight apostrophes."""
    return _SPACES.sub(" ", text.replace("’", "'")).strip()


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern: words or phrases parted by ``|``, in which ``*`` is any letters.

    Case does not matter. ``Tür*`` is found in "Türen", not in "Haustür"; ``*tür*`` in both.
    """
    choices = (normalised(choice) for choice in pattern.split("|"))
    escaped = "|".join(re.escape(choice).replace(r"\*", r"\w*") for choice in choices)
    return re.compile(rf"(?<!\w)(?:{escaped})(?!\w)", re.IGNORECASE)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; an elided article counts as one: l', dell'."""
    return re.findall(r"[^\W_]+", normalised(text).lower())


def ending_of(text: str) -> Ending:
    """Return what a text ends with; empty if with no mark at all. Quotes and notes are ignored."""
    text = text.rstrip(_CLOSING)
    if text.endswith(("...", "…")):
        return "…"
    if text.endswith(tuple(_DASHES)):
        return "–"
    marks = text[len(text.rstrip("?!.,:;")) :]
    for mark in ("?", "!", ".", ",", ":"):
        if mark in marks:
            return mark
    return ""


def opening_of(text: str) -> Ending:
    """Return the ellipsis or dash that a text begins with; empty if with neither."""
    text = text.lstrip(_OPENING)
    if text.startswith(("...", "…")):
        return "…"
    return "–" if text.startswith(tuple(_DASHES)) else ""


def tags_of(payload: str) -> list[str]:
    """Return the markup of a payload, in order."""
    return _TAG.findall(payload)


def without_tags(payload: str) -> str:
    """Return a payload without its markup."""
    return _TAG.sub("", payload)


def labels_of(text: str) -> list[str]:
    """Return what stands in brackets."""
    return _LABEL.findall(text)


def speakers_of(text: str) -> list[str]:
    """Return the names in capitals with a colon that begin lines: ``WOMAN:``."""
    return _SPEAKER.findall(text)


def turns_of(text: str) -> int:
    """Return how many lines begin with a dialogue dash."""
    return len(_TURN.findall(text))


def repeats_of(text: str) -> list[str]:
    """Return the words, and phrases of up to four words, that follow themselves at once."""
    return _REPEAT.findall(normalised(text))


@cache
def word_lists() -> dict[str, dict[str, list[str]]]:
    """Return the lists of ``words.yaml``, by name and language."""
    text = (Path(__file__).parent / "words.yaml").read_text(encoding="utf-8")
    lists: dict[str, dict[str, list[str]]] = yaml.safe_load(text)
    return lists


@cache
def function_words() -> dict[str, frozenset[str]]:
    """Return the articles, prepositions, pronouns and conjunctions of each language."""
    text = (Path(__file__).parent / "function_words.yaml").read_text(encoding="utf-8")
    return {language: frozenset(words) for language, words in yaml.safe_load(text).items()}
