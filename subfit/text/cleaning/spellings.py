"""Words as keyboards without accents write them: ``perche'`` for perché, ``coeur`` for cœur.

Subtitles are full of them, texts that models learn from are not: to a model that has seldom seen
it, ``E' tardi`` begins with "and".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

import regex
import yaml

from subfit.text.languages import closest_language

_GRAVE, _ACUTE = "\N{COMBINING GRAVE ACCENT}", "\N{COMBINING ACUTE ACCENT}"
_APOSTROPHE = regex.compile(
    r"(?<![\p{L}'’])(?P<elided>\p{L}+['’])?(?P<word>\p{L}*[aeiou])['’](?!\p{L})", regex.I
)
_QUOTED = regex.compile(r"(?<![\p{L}\p{N}])['‘](?=\p{L})")
_LONG = 4
"""Letters of a word from which an apostrophe behind it always stands for an accent."""
_CLOSED_E = regex.compile(r"(?:ch|^n)e$", regex.I)
_WRONG_GRAVE = regex.compile(r"(?<!\p{L})(?:\p{L}+ch|n)\Kè(?!\p{L})", regex.I)
_WRONG_PO = regex.compile(r"(?<!\p{L})p\Kò(?!\p{L})", regex.I)
_WORD = regex.compile(r"(?:(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\p{L}))?\K\p{L}+", regex.I)


def spelt_out(text: str, language: str) -> str:
    """Return a text with the accents and ligatures that a keyboard did not have.

    Args:
        text: Plain text.
        language: Its tag; texts in others than French and Italian are returned as they are.
    """
    known = closest_language(language, tuple(_SPELLERS))
    return _SPELLERS[known](text) if known else text


def _italian(text: str) -> str:
    text = _WRONG_GRAVE.sub(lambda match: "é" if match[0] == "è" else "É", text)
    text = _WRONG_PO.sub(lambda match: "o'" if match[0] == "ò" else "O'", text)
    accented: str = text if _QUOTED.search(text) else _APOSTROPHE.sub(_accented, text)
    return accented


def _accented(match: regex.Match[str]) -> str:
    """An Italian word whose last vowel bears the accent that an apostrophe stood for."""
    word = match["word"]
    accent = _ACUTE if _CLOSED_E.search(word) else _GRAVE
    accented = unicodedata.normalize("NFC", word + accent)
    if len(word) < _LONG and accented.lower() not in _words("italian_accents"):
        return str(match[0])
    return str(match["elided"] or "") + accented


def _french(text: str) -> str:
    shouted = text.isupper()
    text = _before_followers().sub("À", text)
    spelt: str = _WORD.sub(lambda match: _french_word(match[0], shouted=shouted), text)
    return spelt


def _french_word(word: str, *, shouted: bool) -> str:
    typed = word.lower()
    if word.isupper() and (shouted or len(word) != 2):  # CA may be short for something
        return _typed("french_ligatures").get(typed, _unaccented().get(typed, typed)).upper()
    right = _typed("french_ligatures").get(typed)
    if right is None and not word.isupper() and (word[0].isupper() or typed == "ca"):
        right = _typed("french_capitals").get(typed)
    if right is None:
        return word
    return right[0].upper() + right[1:] if word[0].isupper() else right


@cache
def _typed(kind: str) -> Mapping[str, str]:
    """Words as a keyboard writes them, in small letters, to words as they are spelt right.

    Of capitals the first letter alone has lost its accent, of ligatures every letter is there.
    """
    if kind == "french_ligatures":
        return {word.replace("œ", "oe"): word for word in _words(kind)}
    return {_bare(word[0]) + word[1:]: word for word in _words(kind)}


@cache
def _unaccented() -> Mapping[str, str]:
    """French words as capitals throughout write them, without any accent."""
    return {_bare(word): word for word in _words("french_capitals")}


@cache
def _before_followers() -> regex.Pattern[str]:
    words = "|".join(regex.escape(word) for word in sorted(_words("french_followers")))
    return regex.compile(rf"(?<!\p{{L}})A(?= (?:{words})(?!\p{{L}}))")


def _bare(letters: str) -> str:
    """Letters without their accents and cedillas."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFD", letters)
        if not unicodedata.combining(letter)
    )


@cache
def _words(kind: str) -> frozenset[str]:
    file = files("subfit.text.cleaning").joinpath("spellings.yaml")
    return frozenset(yaml.safe_load(file.read_text(encoding="utf-8"))[kind].split())


_SPELLERS: Mapping[str, Callable[[str], str]] = {"fr": _french, "it": _italian}
