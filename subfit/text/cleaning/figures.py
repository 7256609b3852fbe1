"""Figures: how five languages have them in digits, and what a model makes of them.

Between languages they are passed on as English has them: ``1.234,50`` is ``1,234.50``.

Separators and their places are CLDR's, by Babel; its narrow no-break space is written as a plain
one, which all players and legacy encodings have (`subfit.text.typography`).
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

import regex

from subfit.text.cleaning.stand_ins import NO_BREAK_SPACE
from subfit.text.number_words import number_forms

if TYPE_CHECKING:  # it is long to import
    from babel import Locale

FIGURE = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
"""An expression for a number as English has it: 500, 12,500, 4.50."""
_GROUPS = "|".join(rf"(?:{mark}[0-9]{{3}})+" for mark in (r"\.", ",", "['’]", "[ \u00a0\u202f]"))
OTHER_FIGURE = rf"[0-9]{{1,3}}(?:{_GROUPS})(?:[.,][0-9]+)?(?![0-9])|[0-9]+(?:[.,][0-9]+)?"
"""One as German, Spanish, French or Italian may have it: 1.234,50, 12 500, 12’500, 4,50."""
_MOST_IN_WORDS = 100
_MARK = regex.compile(r"[.,'’ \u00a0\u202f]")
_NEVER_DECIMAL = "'’ \u00a0\u202f"
_SEPARATOR = r"[.,'’ \u00a0\u202f]?"


def english_figure(figure: str, language: str) -> str:
    """Return a number as English has it.

    Of two separators the last one is the decimal point. A lone one before three digits is that
    only if the language parts thousands by another: ``1.234`` is over a thousand in German.

    Args:
        figure: As `OTHER_FIGURE` finds it.
        language: Tag of the language that it stands in, whose region may count.
    """
    marks = _MARK.findall(figure)
    if not marks:
        return figure
    last = marks[-1]
    whole, _, end = figure.rpartition(last)
    grouped = len(end) == 3 and last in (*_group_marks(language), *_NEVER_DECIMAL)
    if len({*marks}) == 1 and (grouped or len(marks) > 1):
        return str(_MARK.sub(",", figure))
    return f"{_MARK.sub(',', whole)}.{end}"


@cache
def _group_marks(language: str) -> tuple[str, ...]:
    """What a language parts thousands by."""
    from babel.numbers import get_group_symbol

    mark = str(get_group_symbol(babel_locale(language)))
    return (
        (mark, ".") if mark == "\u202f" else (mark,)
    )  # in French points are as old as they are rare


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
        value_of(figure), format=pattern, locale=babel_locale(language), group_separator=grouped
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
    words = [regex.escape(form) for form in forms]
    ones = _ONES.get(language[:2], ()) if whole == "1" else ()
    return "|".join([digits, *sorted((*words, *ones), key=len, reverse=True)])


_ONES = {
    "de": ("eine[mnr]?",),
    "en": ("an?",),
    "es": ("una?",),
    "fr": ("une?",),
    "it": ("un[ao]?",),
}


def _groups(digits: str) -> list[str]:
    """Digits in groups of three from the right."""
    first = len(digits) % 3 or 3
    return [digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))]


@cache
def babel_locale(language: str) -> Locale:
    """Return the locale that a tag means to Babel; English if it knows none of that language."""
    from babel import Locale, UnknownLocaleError

    for tag in (language, language.partition("-")[0]):
        try:
            return Locale.parse(tag.replace("-", "_"))
        except (UnknownLocaleError, ValueError):
            continue
    return Locale("en")
