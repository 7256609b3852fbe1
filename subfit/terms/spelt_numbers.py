"""Numbers in words, found in texts of five languages.

A number that a translation gets wrong is worse than a clumsy sentence, and no viewer can tell. What
is counted from three up is nearly always kept by translators: "two" becomes "both", and "one" and
"a hundred" are often no numbers at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

import regex

from subfit.terms.renderings import LANGUAGES, number_forms, words_of
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
