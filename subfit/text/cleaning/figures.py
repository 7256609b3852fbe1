"""Figures: how English has them in digits, how a language writes them, what a model makes of them.

Separators and their places are CLDR's, by Babel; its narrow no-break space is written as a plain
one, which all players and legacy encodings have (`subfit.text.typography`).
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import regex

from subfit.text.cleaning.stand_ins import NO_BREAK_SPACE
from subfit.text.number_words import number_forms

FIGURE = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
"""An expression for a number as English has it: 500, 12,500, 4.50."""
_MOST_IN_WORDS = 100
_SEPARATOR = r"[.,'’ \u00a0\u202f]?"


def value_of(figure: str) -> Decimal:
    """Return the value of a number as English has it."""
    return Decimal(figure.replace(",", ""))


def places_of(figure: str) -> int:
    """Return how many decimals a number as English has it shows."""
    return len(figure.partition(".")[2])


@cache
def written_figure(figure: str, language: str) -> str:
    """Return a number as a language writes it.

    Args:
        figure: As English has it; its decimals are kept, however many.
        language: Tag of a language.
    """
    from babel.numbers import format_decimal

    decimals = places_of(figure)
    pattern = "#,##0" + (f".{'0' * decimals}" if decimals else "")
    grouped = value_of(figure) >= 10_000 or "," in figure
    text = format_decimal(
        value_of(figure), format=pattern, locale=locale_of(language), group_separator=grouped
    )
    return str(text).replace("\u202f", NO_BREAK_SPACE)


def read_figure(figure: str) -> str:
    """Return a number as small models read it best: with a comma for a decimal point."""
    return figure.replace(".", ",") if places_of(figure) and "," not in figure else figure


def figure_pattern(figure: str, language: str) -> str:
    """Return an expression for what a model may make of a number: digits or words.

    Args:
        figure: As English has it.
        language: Tag of the target language.
    """
    whole, _, decimals = figure.replace(",", "").partition(".")
    digits = _SEPARATOR.join(_groups(whole))
    if decimals:
        return rf"{digits}[.,]{decimals}"
    value = value_of(whole)
    forms = number_forms(int(value), language) if value <= _MOST_IN_WORDS else ()
    words = [regex.escape(form) for form in (*forms, *_ONES.get(language[:2], ())[: whole == "1"])]
    return "|".join([digits, *sorted(words, key=len, reverse=True)])


_ONES = {
    "de": ("eine[mnr]?",),
    "es": ("una?",),
    "fr": ("une?",),
    "it": ("un[ao]?",),
}


def _groups(digits: str) -> list[str]:
    """Digits in groups of three from the right."""
    first = len(digits) % 3 or 3
    return [digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))]


@cache
def locale_of(language: str) -> str:
    """Return the name of the locale that a tag means to Babel."""
    from babel import Locale, UnknownLocaleError

    for tag in (language, language.partition("-")[0]):
        try:
            return str(Locale.parse(tag.replace("-", "_")))
        except (UnknownLocaleError, ValueError):
            continue
    return "en"
