"""Amounts of money: "$500,000", "£20", "€25", "$1.5 million"; "20 €", "1,5 Mio. €", "3 M€".

The model reads dollars, which it knows best, whatever the currency. Amounts in words ("20 quid")
are left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import regex

from subfit.text.cleaning.figures import (
    FIGURE,
    OTHER_FIGURE,
    babel_locale,
    english_figure,
    figure_pattern,
    read_figure,
    value_of,
    written_figure,
)
from subfit.text.cleaning.stand_ins import NO_BREAK_SPACE, StandIn, known_languages

_SIGN = r"(?:US|AU|CA|NZ|HK|[ACS])?\$|[£€¥₹₩₽]"
_BEHIND = r"(?![\w%]|[.,:'/-][0-9])"
_SCALE = r"thousand|million|billion|trillion|[kK](?![\w])|[mM](?![\w])|bn|[bB](?![\w])"
_ENGLISH = regex.compile(
    rf"(?<![\w.,$£€¥-])(?:(?P<sign>{_SIGN})\s?(?P<figure>{FIGURE})"
    rf"(?:\s?[-–]\s?(?:{_SIGN})?(?P<to>{FIGURE}))?(?:[ -]?(?P<scale>{_SCALE}))?"
    rf"|(?P<figure>{FIGURE})\s?(?P<sign>[£€¥])){_BEHIND}"
)
_SCALES: Mapping[str, Mapping[str, str]] = {
    "en": {
        **{"thousand": "thousand", "million": "million", "billion": "billion"},
        **{"trillion": "trillion", "k": "thousand", "m": "million", "bn": "billion"},
        "b": "billion",
    },
    "de": {
        **{"tausend": "thousand", "tsd": "thousand", "k": "thousand"},
        **{"million": "million", "millionen": "million", "mio": "million"},
        **{"milliarde": "billion", "milliarden": "billion", "mrd": "billion"},
        **{"billion": "trillion", "billionen": "trillion"},
    },
    "es": {
        **{"mil": "thousand", "k": "thousand", "m": "million"},
        **{"millón": "million", "millones": "million"},
        **{"mil millones": "billion", "billón": "trillion", "billones": "trillion"},
    },
    "fr": {
        **{"mille": "thousand", "k": "thousand", "m": "million"},
        **{"million": "million", "millions": "million"},
        **{"milliard": "billion", "milliards": "billion", "md": "billion", "mds": "billion"},
        **{"billion": "trillion", "billions": "trillion"},
    },
    "it": {
        **{"mila": "thousand", "k": "thousand", "mln": "million", "m": "million"},
        **{"milione": "million", "milioni": "million", "miliardo": "billion"},
        **{"miliardi": "billion", "mld": "billion", "bilione": "trillion", "bilioni": "trillion"},
    },
}
"""What words and signs behind a number mean, in small letters and without a full stop."""


@cache
def _pattern(source_language: str) -> regex.Pattern[str]:
    """An expression for amounts in a language; the sign stands before or behind them."""
    if source_language == "en":
        return _ENGLISH
    scales = "|".join(sorted(_SCALES[source_language], key=len, reverse=True))
    scale = rf"(?:\s?(?P<scale>(?i:{scales}))(?!\p{{L}})\.?(?:\sd(?:[ei](?=\s)|['’]))?)?"
    to = rf"(?:\s?[-–]\s?(?P<to>{OTHER_FIGURE}))?"
    return regex.compile(
        rf"(?<![\w.,$£€¥-])(?<![0-9] )(?:(?P<sign>{_SIGN})\s?(?P<figure>{OTHER_FIGURE}){to}{scale}"
        rf"|(?P<figure>{OTHER_FIGURE}){to}{scale}\s?(?P<sign>{_SIGN})){_BEHIND}"
    )


_WORDS = {
    "de": ("Dollar", r"(?:US-)?Dollar[ns]?"),
    "en": ("dollars", r"(?:US )?dollars?"),
    "es": ("dólares", r"d[óo]lar(?:es)?"),
    "fr": ("dollars", r"dollars?"),
    "it": ("dollari", r"dollar[ois]?"),
}
"""What a model makes of "dollars": usually, and at all."""
_ONE = {"de": "Dollar", "en": "dollar", "es": "dólar", "fr": "dollar", "it": "dollaro"}
_OF = {"de": "", "en": "", "es": "de ", "fr": "de ", "it": "di "}
"""What stands between millions and what they are millions of."""
_NAMES = {
    "$": {"en": "dollars", "de": "Dollar", "es": "dólares", "fr": "dollars", "it": "dollari"},
    "£": {"en": "pounds", "de": "Pfund", "es": "libras", "fr": "livres", "it": "sterline"},
    "€": {"en": "euros", "de": "Euro", "es": "euros", "fr": "d'euros", "it": "euro"},
    "¥": {"en": "yen", "de": "Yen", "es": "yenes", "fr": "yens", "it": "yen"},
    "₹": {"en": "rupees", "de": "Rupien", "es": "rupias", "fr": "roupies", "it": "rupie"},
    "₩": {"en": "won", "de": "Won", "es": "wones", "fr": "wons", "it": "won"},
    "₽": {"en": "rubles", "de": "Rubel", "es": "rublos", "fr": "roubles", "it": "rubli"},
}
"""Names of currencies behind a word for millions, where a sign would look odd."""
_MANY: dict[str, dict[str, tuple[str, str]]] = {
    "de": {
        "thousand": ("tausend", "tausend"),
        "million": ("Million", "Millionen"),
        "billion": ("Milliarde", "Milliarden"),
        "trillion": ("Billion", "Billionen"),
    },
    "en": {scale: (scale, scale) for scale in ("thousand", "million", "billion", "trillion")},
    "es": {
        "thousand": ("mil", "mil"),
        "million": ("millón", "millones"),
        "billion": ("mil millones", "mil millones"),
        "trillion": ("billón", "billones"),
    },
    "fr": {
        "thousand": ("mille", "mille"),
        "million": ("million", "millions"),
        "billion": ("milliard", "milliards"),
        "trillion": ("billion", "billions"),
    },
    "it": {
        "thousand": ("mila", "mila"),
        "million": ("milione", "milioni"),
        "billion": ("miliardo", "miliardi"),
        "trillion": ("bilione", "bilioni"),
    },
}
"""Words for thousands, millions and so on, of one and of several."""


@dataclass(frozen=True, slots=True)
class _Amount:
    """An amount as it is meant, whatever language it was found in."""

    source: str
    start: int
    sign: str
    figure: str
    """The number as English has it, as is `to`."""
    to: str | None
    """The upper end of a range."""
    scale: str
    """A key of `_MANY`, or empty."""
    read: str
    """What the model reads."""


def find_amounts(text: str, language: str, source_language: str = "en") -> Iterator[StandIn]:
    """Yield the amounts with a currency's sign in a text.

    Args:
        text: Plain text.
        language: Tag of the target language.
        source_language: Tag of the text's.
    """
    languages = known_languages(source_language, language)
    if languages is None:
        return
    source, known = languages
    for match in _pattern(source).finditer(text):
        yield _stand_in(_amount(match, source, source_language), language, known)


def _amount(match: regex.Match[str], source: str, tag: str) -> _Amount:
    sign = match["sign"].removeprefix("US")
    scale = _SCALES[source].get((match["scale"] or "").lower(), "")
    figure, to = match["figure"], match["to"]
    read = figure
    if source != "en":
        figure = english_figure(figure, tag)
        to = to and english_figure(to, tag)
    elif scale != "thousand":
        read = read_figure(figure)
    if scale == "thousand":  # $20k: in digits
        figure, scale, to = _thousands(figure), "", to and _thousands(to)
        read = written_figure(figure, tag).replace(NO_BREAK_SPACE, " ")
    one = value_of(figure) == 1
    words = (
        _ONE[source] if one and not scale else f"{_OF[source] if scale else ''}{_WORDS[source][0]}"
    )
    many = f"{_many(figure, scale, source)} " if scale else ""
    return _Amount(match[0], match.start(), sign, figure, to, scale, f"{read} {many}{words}")


def _many(figure: str, scale: str, language: str) -> str:
    """The word for a scale in a language, as a number before it asks for it."""
    return _MANY[language][scale][value_of(figure) >= (2 if language == "fr" else 1.01)]


def _stand_in(amount: _Amount, language: str, known: str) -> StandIn:
    figure, scale, sign = amount.figure, amount.scale, amount.sign
    usual, any_word = _WORDS[known]
    written = written_figure(figure, language)
    span = f"{written}–{written_figure(amount.to, language)}" if amount.to else written
    digits = figure_pattern(figure, known)
    if not scale:
        pattern = rf"(?:{digits})(?:[ \u00a0-]?{any_word}|[ \u00a0]?\$)"
        accepted: tuple[str, ...] = (f"{span} {_NAMES[sign[-1]][known]}", f"{sign}{span}")
        form, kept = f"{written} {usual}", _with_sign(span, sign, language)
    else:
        many = _many(figure, scale, known)
        any_many = "|".join({regex.escape(one) for one in (*_MANY[known][scale], "Mio\\.", many)})
        pattern = rf"(?:{digits}) (?:{any_many})(?: d[ei])? {any_word}"
        form = f"{written} {many} {_OF[known]}{usual}"
        kept, accepted = _with_name(span, many, sign, known), (f"{span} {many} {sign}",)
    if known == "en":  # $20, $1.5 million
        pattern += rf"|\$ ?(?:{digits})" + (rf" {scale}" if scale else "")
    return StandIn(
        "amount", amount.source, amount.start, amount.read, pattern, form, kept, accepted
    )


def _with_name(figure: str, many: str, sign: str, language: str) -> str:
    """Millions with the name of their currency; English has its sign here too."""
    if language == "en":
        return f"{sign}{figure}{NO_BREAK_SPACE}{many}"
    name = _NAMES[sign[-1]][language]
    of = "" if name.startswith("d'") else _OF[language]
    return f"{figure}{NO_BREAK_SPACE}{many} {of}{name}"


def _thousands(figure: str) -> str:
    return f"{value_of(figure) * 1000:,.0f}"


def _with_sign(figure: str, sign: str, language: str) -> str:
    """A number with the sign of its currency, where the language has it."""
    pattern = str(babel_locale(language).currency_formats["standard"].pattern)
    if not pattern.startswith("¤"):
        return f"{figure}{NO_BREAK_SPACE}{sign}"
    return f"{sign}{NO_BREAK_SPACE if pattern[1:2].isspace() else ''}{figure}"
