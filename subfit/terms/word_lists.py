"""Lists of English nouns with the words that other languages have for them, in tables.

A cell has what is said of one and, behind ``~``, of several; of each the best first, behind ``|``
what is as good.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import regex

from subfit.text.languages import primary_language

LANGUAGES = ("de", "es", "fr", "it")
_NUMBERS, _WAYS = " ~ ", " | "


def known_language(source_language: str, language: str) -> str | None:
    """Return the language that lists have words of; None for others than from English into four.

    Args:
        source_language: Tag of the language that is translated.
        language: Tag of the target language; a region does not matter.
    """
    known = primary_language(language)
    return known if known in LANGUAGES and primary_language(source_language) == "en" else None


@cache
def read_list(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a list of this package, each by the names of its columns."""
    lines = files("subfit.terms").joinpath(name).read_text(encoding="utf-8").splitlines()
    header, *rows = (line.split("\t") for line in lines)
    return tuple(dict(zip(header, row, strict=True)) for row in rows)


def by_number(nouns: str, said: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return each form of a noun with what says it, the best first.

    Args:
        nouns: The cell of the noun: in the singular and, maybe, the plural.
        said: That of another language; empty where it has no better word than the model.
    """
    ways = [tuple(each.split(_WAYS)) for each in said.split(_NUMBERS)] if said else []
    forms = nouns.split(_NUMBERS) if ways else []
    return [(form, ways[min(number, len(ways) - 1)]) for number, form in enumerate(forms)]


def says_one_of(text: str, words: Sequence[str]) -> bool:
    """Tell whether a text has one of some words, also as the end of one: "Flussufer".

    Letters of German cases may follow.
    """
    return any(_at_end(word.lower()).search(text.lower()) for word in words)


@cache
def _at_end(target: str) -> regex.Pattern[str]:
    return regex.compile(rf"{regex.escape(target)}(?:e?[sn])?(?!\p{{L}})")
