"""Numbers in words, found in texts of five languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise

import regex

from subfit.text.languages import closest_language
from subfit.text.number_words import (
    LEAST,
    SpeltNumber,
    english_numbers,
    is_common,
    number_forms,
)

_VALUES = (*range(LEAST, 1000), *range(2000, 100_000, 1000))
"""The numbers that are looked for, but in English: what films say in words."""
_ROUND = frozenset({100, 1000})
"""Mostly no numbers: a hundred times, "mille grazie"."""
_BESIDE = 60
"""Characters on both sides of a number that tell what it is."""
_WORD = regex.compile(r"\p{L}+")
_JOINT = regex.compile(r"[ -]")
_NEVER = regex.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class _Language:
    """Where number words are none that must be kept."""

    before: regex.Pattern[str]
    """At the end of what stands before: times of day, what is counted otherwise."""
    behind: regex.Pattern[str]
    """At the start of what stands behind: times, fractions."""
    others: frozenset[str] = frozenset()
    """Words that are mostly something else."""
    idioms: regex.Pattern[str] = _NEVER
    """At the start of a number: hours, and days that mean a week or two."""


def _language(before: str, behind: str, others: str = "", idioms: str = "(?!)") -> _Language:
    return _Language(
        regex.compile(rf"(?:^|[^\p{{L}}])(?:{before})\s$", regex.I),
        regex.compile(rf"\s(?:{behind})(?!\p{{L}})", regex.I),
        frozenset(others.split()),
        regex.compile(rf"(?:{idioms})(?!\p{{L}})", regex.I),
    )


_LANGUAGES: Mapping[str, _Language] = {
    "de": _language(
        r"halb|um|viertel(?: vor| nach)?|Komma|Punkt",
        r"Uhr|viertel|drittel|achtel|zehntel|Komma|Dutzend|und eine halbe|einhalb",
        idioms="(?:acht|vierzehn) Tagen?",
    ),
    "es": _language(
        r"las|menos|coma|punto|siglo|los años",
        r"y (?:medi[ao]|cuarto|pico)|menos|cuartos|tercios|coma|en punto|docenas",
        idioms="(?:ocho|quince) días",
    ),
    "fr": _language(
        r"moins|virgule|point|les années",
        r"et demie?|et quart|moins|quarts|tiers|virgule|douzaines|heures (?:du|pile|et)",
        "neuf neuve",  # new
        r"(?:huit|quinze) jours|(?<=(?:à|vers|dès|il est|il était) )\p{L}+ heures",
    ),
    "it": _language(
        r"le|alle|dalle|meno|virgola|punto|gli anni",
        r"e (?:mezz[ao]|un quarto)|meno|quarti|terzi|virgola|in punto|dozzine",
        "sei",  # you are
        "(?:otto|quindici) giorni",
    ),
}


def find_spelt_numbers(text: str, language: str = "en") -> Iterator[SpeltNumber]:
    """Yield the numbers that a text has in words, from three up.

    What may be something else is left out: years and digits that are read out ("nineteen
    eighty-four", "neun eins eins"), times, fractions, parts of other words, and words with a
    capital that no sentence begins with, which are names.

    Args:
        text: Of one sentence or more.
        language: Its tag; of other languages than English, German, Spanish, French and Italian
            nothing is known.
    """
    known = closest_language(language, ("en", *_LANGUAGES))
    if known == "en":
        yield from english_numbers(text)
    elif known is not None:
        yield from _listed(text, known)


def _listed(text: str, language: str) -> Iterator[SpeltNumber]:
    """Look every run of words up, the longest first."""
    numbers, longest = _numbers(language)
    words, at = list(_WORD.finditer(text)), 0
    read_out = _read_out(language)
    while at < len(words):
        count = next(
            (
                count
                for count in range(min(longest, len(words) - at), 0, -1)
                if _joined(text, words[at : at + count]) and _key(words[at : at + count]) in numbers
            ),
            0,
        )
        if not count:
            at += 1
            continue
        start, end = words[at].start(), words[at + count - 1].end()
        beside = chain(words[at - 1 : at] if at else (), words[at + count : at + count + 1])
        alone = not any(
            neighbour.group().lower() in read_out and _is_next(text, neighbour, start, end)
            for neighbour in beside
        )
        if alone and _counts(text, start, end, language):
            yield SpeltNumber(text[start:end], start, numbers[_key(words[at : at + count])])
        at += count


def _counts(text: str, start: int, end: int, language: str) -> bool:
    rules, words = _LANGUAGES[language], text[start:end]
    before, behind = text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE]
    return (
        words.lower() not in rules.others
        and is_common(text, start, words)
        and not rules.idioms.match(text, start, end + _BESIDE)
        and not rules.before.search(before)
        and not rules.behind.match(behind)
        and not regex.match(r"[-'’]?\p{L}|['’]", behind)
        and not regex.search(r"[\p{L}\d][-'’]$", before)
    )


def _joined(text: str, words: list[regex.Match[str]]) -> bool:
    """Whether nothing but a space or a hyphen stands between words."""
    return all(_JOINT.fullmatch(text, one.end(), other.start()) for one, other in pairwise(words))


def _is_next(text: str, word: regex.Match[str], start: int, end: int) -> bool:
    """Whether a space alone parts a word from a range of the text."""
    between = text[word.end() : start] if word.end() <= start else text[end : word.start()]
    return between == " "


def _key(words: list[regex.Match[str]]) -> str:
    return " ".join(word.group().lower() for word in words)


@cache
def _numbers(language: str) -> tuple[Mapping[str, int], int]:
    """The numbers by their words, and the most words that one has."""
    values: dict[str, int] = {}
    for value in _VALUES:
        for form in number_forms(value, language):
            words = " ".join(_WORD.findall(form.lower()))
            if value not in _ROUND and words and not regex.search(r"[\d']", form):
                values.setdefault(words, value)
    return values, max(len(words.split()) for words in values)


@cache
def _read_out(language: str) -> frozenset[str]:
    """The words that stand beside others where digits or years are read out: "dos mil tres"."""
    numbers = (number_forms(value, language) for value in (*range(100), *_ROUND))
    return frozenset(form for forms in numbers for form in forms if form.isalpha())
