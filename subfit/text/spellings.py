"""A text as models have seen it spelt: what looks the same to a reader, or sounds the same.

Ligatures and full-width letters (NFKC), letters of other scripts that look like Latin ones, words
as keyboards without accents write them (``perche'`` for perché, ``coeur`` for cœur), letters with
stops (``U.K.``), and English as it is spoken: ``somethin'``, ``'em``, ``'Tis``, ``kinda``. Texts
that models learn from have few of them, subtitles many.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial

import regex

from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import packaged

_file = partial(packaged, "subfit.text", "spellings.yaml")
_APOSTROPHE = regex.compile(
    r"(?<![\p{L}'’])(?P<elided>\p{L}+['’])?(?P<word>\p{L}*[aeiou])['’](?!\p{L})", regex.I
)
_QUOTED = regex.compile(r"(?<![\p{L}\p{N}])['‘](?=\p{L})")
_DROPPED_G = regex.compile(r"(?<![\p{L}'’])(?P<word>\p{L}{2,}in)['’](?!\p{L})", regex.I)
_LONG = 4
"""Letters of a word from which an apostrophe behind it always stands for an accent."""
_CLOSED_E = regex.compile(r"(?:ch|^n)e$", regex.I)
_LIKE_LATIN = str.maketrans(
    "АаВЕеЅѕІіЈјКМНОоРрСсТУуХхԁԛԝһΑΒΕΖΗΙΚΜΝΟοΡΤΥΧν",
    "AaBEeSsIiJjKMHOoPpCcTYyXxdqwhABEZHIKMNOoPTYXv",
)
_OTHER = regex.compile(r"[\p{Cyrillic}\p{Greek}]")
_MIXED = regex.compile(
    r"\p{L}*(?:\p{Latin}[\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}]\p{Latin})\p{L}*"
)
_COMPATIBLE = regex.compile(r"[\uff01-\uff5e]+|[\ufb00-\ufb06](?:(?<=\p{L}.)|(?=\p{L}))")
_WIDE_SCRIPT = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
_DOTTED = regex.compile(
    r"(?<![\p{L}.])(?!(?:\p{Lu}\.){2,}\s\p{Lu}\p{Ll}+\s\p{Ll})(?:\p{Lu}\.){2,}(?=(?P<end>\W*$|\s+\p{Lu}\p{Ll})?)"
)
_REPLACED = regex.compile(r"(?<=\p{L})\ufffd(?=(?:[tsdm]|re|ve|ll)\b)", regex.I)
"""What a decoder put for an apostrophe."""
_ALONE = regex.compile(r"(?<=^|[.!?…] )(Gone|Done|Broken)(?=[.!?…]|$)")
"""Words that stand for a sentence, and that models copy or take for names."""
_YEARS = regex.compile(r"(?<![\p{L}\p{N}])['’‘](?=\d0s\b|\d\d\b)")


def spelt_out(text: str, language: str) -> str:
    """Return a text in the letters, with the accents and in the words that models know.

    Args:
        text: Plain text.
        language: Its tag; words are known of English, French and Italian.
    """
    if not _WIDE_SCRIPT.search(text):
        text = _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    latin = _MIXED.sub(lambda match: match[0].translate(_LIKE_LATIN), text)
    # A text with words in another script stays as it is.
    text = _DOTTED.sub(_undotted, text if _OTHER.search(latin) else latin)
    known = closest_language(language, ("en", "fr", "it"))
    if known is None:
        return text
    typed, words = _typed(known)
    if known == "en":
        text = _YEARS.sub("", _REPLACED.sub("'", text))
        text = _ALONE.sub(lambda match: f"It's {match[0].lower()}", text)
        if not _QUOTED.search(typed.sub("", text)):
            text = _DROPPED_G.sub(_with_g, text)
    text = typed.sub(lambda match: words[match[0]] + _stop(match), text)
    if known == "it" and not _QUOTED.search(text):
        text = _APOSTROPHE.sub(_accented, text)
    return text


def _undotted(match: regex.Match[str]) -> str:
    """Letters without their stops, but for one that ends the sentence too."""
    letters = match[0].replace(".", "")
    return ("USA" if letters == "US" else letters) + "." * (match["end"] is not None)


def _stop(match: regex.Match[str]) -> str:
    """A stop that ends a text as well as its last word."""
    return "." if match[0][-1] == "." and match.end() == len(match.string) else ""


def _with_g(match: regex.Match[str]) -> str:
    word = str(match["word"])
    if word.lower() in _file()["english_in"].split():
        return str(match[0])
    return word + ("G" if word.isupper() else "g")


def _accented(match: regex.Match[str]) -> str:
    """An Italian word whose last vowel bears the accent that an apostrophe stood for."""
    word = match["word"]
    accent = (
        "\N{COMBINING ACUTE ACCENT}" if _CLOSED_E.search(word) else "\N{COMBINING GRAVE ACCENT}"
    )
    accented = unicodedata.normalize("NFC", word + accent)
    if len(word) < _LONG and accented.lower() not in _file()["italian_accents"].split():
        return str(match[0])
    return str(match["elided"] or "") + accented


@cache
def _typed(language: str) -> tuple[regex.Pattern[str], Mapping[str, str]]:
    """An expression for words as they are typed, and how each is spelt right."""
    words = {
        typed.replace("'", mark): right
        for pair in _pairs(language)
        for typed, right in _in_any_case(*pair)
        for mark in "'’‘"
    }
    before, behind = (
        (r"'’-", r"[\p{L}\p{N}-]|['’]\p{L}") if language == "en" else ("", r"\p{L}|['’](?!\p{L})")
    )
    pattern = rf"(?<![\p{{L}}\p{{N}}{before}])\L<words>(?!{behind})"
    return regex.compile(pattern, words=list(words)), words


def _pairs(language: str) -> Iterable[tuple[str, str]]:
    """Words as they are typed in small letters, or with a capital that lost its accent."""
    if language != "fr":
        return tuple(_file()[language].items())
    ligatures = ((word.replace("œ", "oe"), word) for word in _file()["french_ligatures"].split())
    capitals = _file()["french_capitals"].split()
    at_start = ((_bare(word[0]).upper() + word[1:], word) for word in capitals)
    followers = ((f"A {word}", f"À {word}") for word in _file()["french_followers"].split())
    return (("ca", "ça"), ("ca va", "ça va"), *ligatures, *at_start, *followers)


def _in_any_case(typed: str, right: str) -> Iterator[tuple[str, str]]:
    """Capitals have no accents; two of them may be short for something."""
    if len(typed) > 2:
        yield from ((loud.upper(), right.upper()) for loud in (_bare(typed), typed))
    first = regex.search(r"\p{L}", typed).start()
    yield typed[:first] + typed[first:].capitalize(), right[0].upper() + right[1:]
    yield typed, right if not typed[first].isupper() else right[0].upper() + right[1:]


def _bare(letters: str) -> str:
    """Letters without their accents and cedillas."""
    return str(regex.sub(r"\p{M}", "", unicodedata.normalize("NFD", letters)))
