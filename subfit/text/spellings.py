"""A text as models have seen it spelt: what looks the same to a reader, or sounds the same.

Ligatures and full-width letters (NFKC), letters of other scripts that look like Latin ones, words
as keyboards without accents write them (``perche'`` for perché, ``coeur`` for cœur), letters with
stops (``U.K.``), and English as it is spoken: ``somethin'``, ``'em``, ``'Tis``, ``kinda``. Texts
that models learn from have few of them, subtitles many.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import regex
import yaml

from subfit.text.languages import closest_language

_GRAVE, _ACUTE = "\N{COMBINING GRAVE ACCENT}", "\N{COMBINING ACUTE ACCENT}"
_APOSTROPHE = regex.compile(
    r"(?<![\p{L}'’])(?P<elided>\p{L}+['’])?(?P<word>\p{L}*[aeiou])['’](?!\p{L})", regex.I
)
_QUOTED = regex.compile(r"(?<![\p{L}\p{N}])['‘](?=\p{L})")
_DROPPED_G = regex.compile(r"(?<![\p{L}'’])(?P<word>\p{L}{2,}in)['’](?!\p{L})", regex.I)
_LONG = 4
"""Letters of a word from which an apostrophe behind it always stands for an accent."""
_CLOSED_E = regex.compile(r"(?:ch|^n)e$", regex.I)
_WRONG_GRAVE = regex.compile(r"(?<!\p{L})(?:\p{L}+ch|n)\Kè(?!\p{L})", regex.I)
_WRONG_PO = regex.compile(r"(?<!\p{L})p\Kò(?!\p{L})", regex.I)
_WORD = regex.compile(r"(?:(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\p{L}))?\K\p{L}+", regex.I)


_CYRILLIC = "АаВЕеЅѕІіЈјКМНОоРрСсТУуХхԁԛԝһ", "AaBEeSsIiJjKMHOoPpCcTYyXxdqwh"
_GREEK = "ΑΒΕΖΗΙΚΜΝΟοΡΤΥΧν", "ABEZHIKMNOoPTYXv"
_LATIN = str.maketrans(_CYRILLIC[0] + _GREEK[0], _CYRILLIC[1] + _GREEK[1])
_OTHER = regex.compile(r"[\p{Cyrillic}\p{Greek}]")
_MIXED = regex.compile(
    r"\p{L}*(?:\p{Latin}[\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}]\p{Latin})\p{L}*"
)
_COMPATIBLE = regex.compile(r"[\ufb00-\ufb06\uff01-\uff5e]+")
_WIDE_SCRIPT = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
_DOTTED = regex.compile(
    r"(?<![\p{L}.])(?!(?:\p{Lu}\.){2,}\s\p{Lu}\p{Ll}+\s\p{Ll})(?:\p{Lu}\.){2,}(?=(?P<end>\W*$|\s+\p{Lu}\p{Ll})?)"
)
_REPLACED = regex.compile(r"(?<=\p{L})\ufffd(?=(?:[tsdm]|re|ve|ll)\b)", regex.I)
"""What a decoder put for an apostrophe."""
_YEARS = regex.compile(r"(?<![\p{L}\p{N}])['’‘](?=\d0s\b|\d\d\b)")


def spelt_out(text: str, language: str) -> str:
    """Return a text in the letters, with the accents and in the words that models know.

    Args:
        text: Plain text.
        language: Its tag; words are known of English, French and Italian.
    """
    if not _WIDE_SCRIPT.search(text):
        text = _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = _DOTTED.sub(_undotted, _in_latin_letters(text))
    known = closest_language(language, tuple(_SPELLERS))
    return _SPELLERS[known](text) if known else text


def _in_latin_letters(text: str) -> str:
    """A text whose Latin words have no letters that only look like theirs.

    Words that are in another script as a whole stay, and so does a text that has any.
    """
    if not _OTHER.search(text):
        return text
    latin: str = _MIXED.sub(lambda match: match[0].translate(_LATIN), text)
    return text if _OTHER.search(latin) else latin


def _undotted(match: regex.Match[str]) -> str:
    """Letters without their stops, but for one that ends the sentence too."""
    letters = match[0].replace(".", "")
    return ("USA" if letters == "US" else letters) + "." * (match["end"] is not None)


def _english(text: str) -> str:
    text = _REPLACED.sub("'", text)
    if not _QUOTED.search(_spoken().sub("", text)):
        text = _DROPPED_G.sub(_with_g, text)
    spelt: str = _spoken().sub(_in_full, _YEARS.sub("", text))
    return spelt


def _with_g(match: regex.Match[str]) -> str:
    word = str(match["word"])
    if word.lower() in _words("english_in"):
        return str(match[0])
    return word + ("G" if word.isupper() else "g")


def _in_full(match: regex.Match[str]) -> str:
    typed = match[0]
    full = _spoken_words()[typed.replace("’", "'").lower()]
    letters = [letter for letter in typed if letter.isalpha()]
    if len(letters) > 1 and all(map(str.isupper, letters)):
        return full.upper()
    return full[0].upper() + full[1:] if letters[0].isupper() else full


@cache
def _spoken() -> regex.Pattern[str]:
    words = "|".join(sorted(map(regex.escape, _spoken_words()), key=len, reverse=True))
    pattern = words.replace("'", "['’‘]")
    return regex.compile(
        rf"(?<![\p{{L}}\p{{N}}'’-])(?:{pattern})(?![\p{{L}}\p{{N}}-]|['’]\p{{L}})", regex.I
    )


@cache
def _spoken_words() -> Mapping[str, str]:
    """Words as they are spoken to words in full."""
    pairs: Mapping[str, str] = _file()["english_spoken"]
    return pairs


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
    return frozenset(_file()[kind].split())


@cache
def _file() -> Mapping[str, Any]:
    file = files("subfit.text").joinpath("spellings.yaml")
    content: Mapping[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return content


_SPELLERS: Mapping[str, Callable[[str], str]] = {"en": _english, "fr": _french, "it": _italian}
