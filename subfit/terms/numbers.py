"""Numbers in words and times of day in digits, found in texts of five languages.

A number that a translation gets wrong is worse than a clumsy sentence, and no viewer can tell. What
is counted from three up is nearly always kept by translators: "two" becomes "both", and "one" and
"a hundred" are often no numbers at all.

Times are 5:30 p.m., 15 Uhr 30, a las 3:30, 12h30, alle 15.30; what is said in words ("noon") stays.
The model reads a full hour, which it knows; what it makes of that becomes the time again, by the
clock of twenty-four hours where the source says which half of the day it is; in English by the one
of twelve where the region has that (CLDR).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

import regex

from subfit.terms.renderings import (
    LANGUAGES,
    figure_pattern,
    number_forms,
    time_forms,
    words_of,
)
from subfit.text.languages import closest_language

LEAST = 3
_VALUES = (
    *range(LEAST, 1000),
    *range(1100, 10_000, 100),
    *range(2000, 100_000, 1000),
    *range(100_000, 10**6, 50_000),
    *(count * 10**6 for count in range(2, 100)),
    *(count * 10**9 for count in range(2, 20)),
)
"""The numbers that are looked for: what films say in words."""
_ROUND = frozenset({100, 1000})
"""Mostly no numbers: a hundred times, "mille grazie"."""
_BESIDE = 60
"""Characters on both sides of a number that tell what it is."""
_WORD = regex.compile(r"\p{L}+")
_SENTENCE_START = regex.compile(r"(?:^|[.!?…:\"'“‘(\[♪–—-]|\.\.\.)\W*$")


@cache
def _around(language: str) -> tuple[regex.Pattern[str], ...]:
    """What tells that words are no number to keep: before them, behind them, at their start."""
    words = words_of(language)["spelt"]
    return (
        regex.compile(rf"(?:^|[^\p{{L}}])(?:{words['before']})\s$", regex.I),
        regex.compile(rf",?[\s-](?:{words['behind']})(?!\p{{L}})", regex.I),
        regex.compile(rf"(?:{words['others']})(?!\p{{L}})", regex.I),
    )


def find_spelt_numbers(text: str, language: str = "en") -> Iterator[tuple[str, int, int]]:
    """Yield the numbers that a text has in words, where they stand, and their values.

    They are from three up; of every run of words the longest counts.

    What may be something else is left out: years and digits that are read out ("nineteen
    eighty-four", "neun eins eins"), times, fractions, parts of other words, and words with a
    capital that no sentence begins with, which are names.

    Args:
        text: Of one sentence or more.
        language: Its tag; of other languages than English, German, Spanish, French and Italian
            nothing is known.
    """
    known = closest_language(language, LANGUAGES)
    if known is None:
        return
    (numbers, firsts, longest), at = _numbers(known), 0
    words = list(_WORD.finditer(text))
    while at < len(words):
        most = longest if words[at][0].lower() in firsts else 0
        runs = (words[at : at + count] for count in range(min(most, len(words) - at), 0, -1))
        run = next((run for run in runs if _is_joined(text, run) and _key(run) in numbers), None)
        if run is None:
            at += 1
            continue
        start, end = run[0].start(), run[-1].end()
        around = (
            regex.search(r"(\p{L}+) $", text[max(0, start - _BESIDE) : start]),
            regex.match(r" (\p{L}+)", text[end : end + _BESIDE]),
        )
        alone = not any(word and word[1].lower() in _read_out(known) for word in around)
        if alone and _counts(text, start, end, known):
            yield text[start:end], start, numbers[_key(run)]
        at += len(run)


def _counts(text: str, start: int, end: int, language: str) -> bool:
    (led, followed, others), words = _around(language), text[start:end]
    before, behind = text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE]
    common = words.islower() or words.isupper() or _SENTENCE_START.search(before) is not None
    return (
        common
        and not others.match(text, start, end + _BESIDE)
        and not led.search(before)
        and not followed.match(behind)
        and not regex.match(r"[-'’]?\p{L}|['’]", behind)
        and not regex.search(r"[\p{L}\d][-'’]$", before)
    )


def _is_joined(text: str, words: list[regex.Match[str]]) -> bool:
    """Whether nothing but a space or a hyphen stands between words."""
    return all(text[a.end() : b.start()] in (" ", "-", ", ") for a, b in pairwise(words))


def _key(words: list[regex.Match[str]]) -> str:
    return " ".join(word.group().lower() for word in words)


@cache
def _numbers(language: str) -> tuple[Mapping[str, int], frozenset[str], int]:
    """The numbers by their words, the words that begin one, and the most words that one has."""
    values: dict[str, int] = {}
    for value in _VALUES:
        for form in number_forms(value, language):
            words = " ".join(_WORD.findall(form.lower()))
            if value not in _ROUND and words and not regex.search(r"[\d']", form):
                values.setdefault(words, value)
    firsts = frozenset(words.partition(" ")[0] for words in values)
    return values, firsts, max(len(words.split()) for words in values)


@cache
def _read_out(language: str) -> frozenset[str]:
    """The words that stand beside others where digits or years are read out: "dos mil tres"."""
    numbers = (number_forms(value, language) for value in (*range(100), *_ROUND, 10**6))
    return frozenset(word for forms in numbers for form in forms for word in form.split())


_PARTS = {
    "hour": r"(?P<hour>2[0-4]|[01]?[0-9])",
    "minute": r"(?P<minute>[0-5][0-9])",
    "late": r"(?P<hour>1[3-9]|2[0-3])",  # that no twelve hours have: others are left to the model
    "half": r"(?P<hour>1[0-2]|0?[0-9])(?:[:.](?P<minute>[0-5][0-9]))?"
    r"\s?(?P<half>[AaPp])(?:\.\s?m\.|[mM]\b)",
    "more": r"[:\d]|[.,]\d",
}
_LOOK_BACK = 100
_HOURS = ("9", "8", "7", "10", "6", "5", "4")
"""Hours that the model reads: the first that is not in the text."""
_MADE = (
    r"(?:{})(?:[.:]00)?(?:[ \u00a0-]?(?:Uhr|heures?|h|horas?|hours?|hrs|o['’] ?clock)"
    r"| ?[ap](?:\.\s?m\.(?=\s+\p{{Ll}}|[,;:?!])|\.?\s?m\b))?(?: 00)?"
)


Time = tuple[str, int, tuple[str, ...], str, str, str]
"""A time of day, where it stands, what may be written for it, what the model reads for it, an
expression for what it makes of that, and what is most usual of that."""


def find_times(text: str, source: str, language: str, target: str) -> Iterator[Time]:
    """Yield the times of day that a text has in digits.

    Args:
        text: Plain text.
        source: The language of it, one of five.
        language: Tag of the target language.
        target: The language of that, one of five.
    """
    free = [hour for hour in _HOURS if not regex.search(rf"(?<!\d){hour}(?!\d)", text)]
    flags = regex.I if source != "en" else regex.V0
    digits = words_of(source)["time"]["digits"].format(**_PARTS)
    for match in regex.finditer(rf"(?<![\w:.,/$£€¥'-])(?:{digits})(?![\w%])", text, flags=flags):
        if free and _is_time(match, text, source):
            yield _time(match, text, free.pop(0), (source, target, language))


def _is_time(match: regex.Match[str], text: str, source: str) -> bool:
    """Whether it is neither the number of a chapter or verse nor how long something lasts."""
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if (lasting := words_of(source)["time"].get("lasting")) and ":" not in match[0]:
        lasts = regex.compile(lasting, regex.I)
        return not (lasts.search(before) or lasts.match(text[match.end() :][:12]))
    groups = match.groupdict()
    if groups.get("half") or groups.get("one") or match[0][-1].isalpha():
        return True  # behind a name, figures are a chapter and verse, or a result
    unnamed = words_of("times")["unnamed"]
    return not regex.search(rf"(?<!\b(?:{unnamed}))(?<=\b\p{{Lu}}\p{{Ll}}+) $", before)


def _time(match: regex.Match[str], text: str, read: str, languages: tuple[str, str, str]) -> Time:
    source, target, language = languages
    told, groups = match[0], match.groupdict()
    rest = text[match.end() :].lstrip("\"'“‘”’»«)")
    if told.endswith(".") and (not rest or regex.match(r"\s+[\"'“„«¿¡]?\p{Lu}", rest)):
        told = told[:-1]  # that dot closes the sentence too
    hour, minute, half = int(match["hour"]), groups.get("minute") or "", groups.get("half")
    if half:
        hour = hour % 12 + 12 * (half in "Pp")
    words = words_of(source)["time"]["read"].format(read)
    if one := groups.get("one"):  # a la 1:30, all'1.30
        words = f"{one[0]}as {read}" if source == "es" else f"{one.rstrip(chr(39) + '’')}e {read}"
    sure = half is not None or (source != "en" and (not 0 < hour <= 12 or match["hour"][0] == "0"))
    digits = regex.search(r"\d+(?:[:.]\d\d)?", told)
    forms = (*time_forms(hour, minute, language, sure=sure), digits[0].replace(".", ":"))
    made = _MADE.format(figure_pattern(read, target))
    return told, match.start(), forms, words, made, words_of(target)["time"]["read"].format(read)
