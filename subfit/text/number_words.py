"""Numbers that are written in words: found in a source, and as other languages may write them.

A number that a translation gets wrong is worse than a clumsy sentence, and no viewer can tell. What
is counted from three up is nearly always kept by translators: "two" becomes "both", and "one" and
"a hundred" are often no numbers at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from num2words import num2words

from subfit.text.languages import closest_language, same_language

LEAST = 3
_UNITS = {num2words(number): number for number in range(1, 20)}
_TENS = {num2words(number): number for number in range(20, 100, 10)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_WORD = "|".join(sorted((*_UNITS, *_TENS, *_SCALES), key=len, reverse=True))
_CHAIN = re.compile(
    # Not six-figure, twenty-first, half past three, three-quarters, eight o'clock.
    rf"(?<![\w'-])(?<!half past )(?<!point )(?P<words>(?:{_WORD})(?:(?:[ -]|,? and )(?:{_WORD}))*)"
    r"(?!\w|[-'][\w]|,? and a (?:half|quarter)| (?:point|o'clock|quarters?|thirds|fourths|fifths"
    r"|halves|dozen|score|[ap]\.?m\b))",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"(?:^|[.!?…:\"'“‘(\[♪–—-]|\.\.\.)\W*$")
_REGIONS = {
    "de": ("de",),
    "en": ("en",),
    "es": ("es",),
    "fr": ("fr",),
    "fr-BE": ("fr_BE", "fr"),
    "fr-CH": ("fr_CH", "fr"),
    "it": ("it",),
}
"""Whose words for numbers are known, and by which names; region's own ones first."""
_ABOUT = {
    "en": {12: "dozen", 20: "score"},
    "es": {10: "decena", 12: "docena", 15: "quincena"},
    "fr": {
        **{10: "dizaine", 12: "douzaine", 15: "quinzaine", 20: "vingtaine", 30: "trentaine"},
        **{40: "quarantaine", 50: "cinquantaine", 60: "soixantaine"},
    },
    "it": {10: "decina", 12: "dozzina", 15: "quindicina", 20: "ventina", 30: "trentina"},
}
"""Nouns for about so many."""


_MOST = 10**15
"""Highest value of a number in words; "hundred hundred hundred" is none."""
_LOOK_BACK = 40
"""Characters that tell whether a sentence begins."""


@dataclass(frozen=True, slots=True)
class SpeltNumber:
    """A number in words, in a text."""

    text: str
    start: int
    value: int


def english_numbers(text: str) -> Iterator[SpeltNumber]:
    """Yield the numbers that an English text has in words, from three up.

    What may be something else is left out: years and digits that are read out ("nineteen
    eighty-four", "nine one one"), times, fractions, parts of other words ("six-figure"), and words
    with a capital that no sentence begins with, which are names.
    """
    for match in _CHAIN.finditer(text):
        words = match["words"]
        value = _value(words)
        if value is not None and value >= LEAST and is_common(text, match.start(), words):
            yield SpeltNumber(words, match.start(), value)


def is_common(text: str, start: int, words: str) -> bool:
    """Tell whether words of a text have no capital that makes them a name."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return words.islower() or words.isupper() or bool(_SENTENCE_START.search(before))


def _value(words: str) -> int | None:
    """The number that some words are; None if they are no single one."""
    total = group = 0
    for word in _plain(words).split():
        scale = _SCALES.get(word)
        if scale is None:
            group += _UNITS.get(word, 0) or _TENS.get(word, 0)
        elif scale == _SCALES["hundred"]:
            group *= scale
        else:
            total, group = total + group * scale, 0
        if group > _MOST or total > _MOST:
            return None
    value = total + group
    return value if _plain(num2words(value)) == _plain(words) else None


def _plain(words: str) -> str:
    """Words of a number without what some write and others do not."""
    return " ".join(re.sub(r"[-,]|\band\b", " ", words.lower()).split())


def in_digits(value: int, language: str = "en") -> str:
    """Return a number as a language has it in digits: 92, 1200, 12,500 or 12.500.

    Args:
        value: The number.
        language: Its tag; English writes whole millions with the word.
    """
    if not same_language(language, "en"):
        parted = f"{value:,}".replace(",", " " if same_language(language, "fr") else ".")
        return str(value) if value < 10_000 else parted
    for name in ("billion", "million"):
        if value % _SCALES[name] == 0:
            return f"{value // _SCALES[name]} {name}"
    return str(value) if value < 10_000 else f"{value:,}"


@cache
def number_forms(value: int, language: str) -> tuple[str, ...]:
    """Return how a number may be written, in words and in digits.

    Args:
        value: The number.
        language: Tag of a language.

    Returns:
        The preferred form first; none if the language's words are not known.
    """
    known = closest_language(language, _REGIONS)
    if known is None:
        return ()
    words = [_words(value, region) for region in _REGIONS[known]]
    primary = known.partition("-")[0]
    forms = [words[0], str(value), *_in_digits(value, words), *words]
    for word in words:
        forms += _inflected(word, value, primary)
    return tuple(dict.fromkeys(forms))


def _words(value: int, language: str) -> str:
    """A number in words as it stands before a noun."""
    words: str = num2words(value, lang=language)
    if language == "es":  # veintiún años, treinta y un años
        words = re.sub(r"uno\b", "un", re.sub(r"iuno\b", "iún", words))
    return words


def _in_digits(value: int, words: list[str]) -> Iterator[str]:
    """A large number in digits that are parted, or with the word for its millions."""
    if value >= 1000:
        yield from (f"{value:,}".replace(",", mark) for mark in (".", " ", "'", ","))
    for scale in (10**9, 10**6):
        if value % scale == 0:
            yield from (f"{value // scale} {word.split()[-1]}" for word in words)


def _inflected(words: str, value: int, language: str) -> Iterator[str]:
    """What becomes of a number's words beside others."""
    match language:
        case "en":
            plain = words.replace(",", "")
            yield from (plain, plain.replace(" and ", " "), plain.replace("-", " "))
            yield re.sub(r"^one (?=hundred|thousand|million|billion)", "a ", plain)
        case "de":
            yield from (words.replace("ß", "ss"), f"{words}mal")
        case "es":
            yield from (re.sub(r"[uú]n\b", article, words) for article in ("uno", "una"))
            yield words.replace("cientos", "cientas")
        case "fr":
            yield from (words.replace(" ", "-"), re.sub(r"\bun\b", "une", words))
            yield re.sub(r"(vingt|cent)s$", r"\1", words)  # quatre-vingt pages
            yield re.sub(r"(quatre-vingt|cent)$", r"\1s", words)
        case "it":
            if re.search(r"[a-z]{3}[ao]$", words):
                yield f"{words[:-1]}'"  # trent'anni
            yield from (re.sub(r"uno$", "un", words), re.sub(r"(?<=.)tre$", "tré", words))
    if value in (about := _ABOUT.get(language, {})):
        yield about[value]
