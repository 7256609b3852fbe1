"""Amounts of money: "$500,000", "£20", "€25", "¥500", "$1.5 million".

The model reads dollars, which it knows best, whatever the currency. Amounts in words ("20 bucks")
are left to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import regex

from subfit.text.cleaning.figures import (
    FIGURE,
    figure_pattern,
    locale_of,
    read_figure,
    value_of,
    written_figure,
)
from subfit.text.cleaning.stand_ins import LANGUAGES, NO_BREAK_SPACE, StandIn
from subfit.text.languages import closest_language

_SIGN = r"(?:US|AU|CA|NZ|HK|[ACS])?\$|[£€¥₹₩₽]"
_SCALE = r"thousand|million|billion|trillion|[kK](?![\w])|[mM](?![\w])|bn|[bB](?![\w])"
_AMOUNT = regex.compile(
    rf"(?<![\w.,$£€¥-])(?:(?P<sign>{_SIGN})\s?(?P<figure>{FIGURE})"
    rf"(?:\s?[-–]\s?(?:{_SIGN})?(?P<to>{FIGURE}))?(?:[ -]?(?P<scale>{_SCALE}))?"
    rf"|(?P<figure>{FIGURE})\s?(?P<sign>[£€¥]))(?![\w%]|[.,:'/-][0-9])"
)
_SCALES = {"k": "thousand", "m": "million", "bn": "billion", "b": "billion"}

_WORDS = {
    "de": ("Dollar", r"(?:US-)?Dollar[ns]?"),
    "es": ("dólares", r"d[óo]lar(?:es)?"),
    "fr": ("dollars", r"dollars?"),
    "it": ("dollari", r"dollar[ois]?"),
}
"""What a model makes of "dollars": usually, and at all."""
_OF = {"de": "", "es": "de ", "fr": "de ", "it": "di "}
"""What stands between millions and what they are millions of."""
_NAMES = {
    "$": {"de": "Dollar", "es": "dólares", "fr": "dollars", "it": "dollari"},
    "£": {"de": "Pfund", "es": "libras", "fr": "livres", "it": "sterline"},
    "€": {"de": "Euro", "es": "euros", "fr": "d'euros", "it": "euro"},
    "¥": {"de": "Yen", "es": "yenes", "fr": "yens", "it": "yen"},
    "₹": {"de": "Rupien", "es": "rupias", "fr": "roupies", "it": "rupie"},
    "₩": {"de": "Won", "es": "wones", "fr": "wons", "it": "won"},
    "₽": {"de": "Rubel", "es": "rublos", "fr": "roubles", "it": "rubli"},
}
"""Of currencies behind a word for millions, where a sign would look odd."""
_MANY: dict[str, dict[str, tuple[str, str]]] = {
    "de": {
        "thousand": ("tausend", "tausend"),
        "million": ("Million", "Millionen"),
        "billion": ("Milliarde", "Milliarden"),
        "trillion": ("Billion", "Billionen"),
    },
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


def find_amounts(text: str, language: str) -> Iterator[StandIn]:
    """Yield the amounts with a currency's sign in an English text.

    Args:
        text: Plain text.
        language: Tag of the target language.
    """
    known = closest_language(language, LANGUAGES)
    if known is not None:
        for match in _AMOUNT.finditer(text):
            yield _stand_in(match, language, known)


def _stand_in(match: regex.Match[str], language: str, known: str) -> StandIn:
    figure, scale = match["figure"], match["scale"]
    sign = match["sign"].removeprefix("US")
    kind = _SCALES.get((scale or "").lower(), (scale or "").lower())
    if kind == "thousand":  # $20k: in digits
        figure, kind = _thousands(figure), ""
    usual, any_word = _WORDS[known]
    written = written_figure(figure, language)
    span = written
    if match["to"]:
        upper = _thousands(match["to"]) if scale and not kind else match["to"]
        span = f"{written}–{written_figure(upper, language)}"
    if not kind:
        word = "dollar" if value_of(figure) == 1 else "dollars"
        text, form = f"{read_figure(figure)} {word}", f"{written} {usual}"
        pattern = rf"(?:{figure_pattern(figure, known)})(?:[ \u00a0-]?{any_word}|[ \u00a0]?\$)"
        kept = _with_sign(span, sign, language)
        accepted = (f"{span} {_NAMES.get(sign[-1], {}).get(known, '')}".strip(), f"{sign}{span}")
        return _made(match, text, pattern, form, kept, accepted)
    many = _MANY[known][kind][value_of(figure) >= (2 if known == "fr" else 1.01)]
    any_many = "|".join({regex.escape(one) for one in (*_MANY[known][kind], "Mio\\.", many)})
    text = f"{read_figure(figure)} {kind} dollars"
    form = f"{written} {many} {_OF[known]}{usual}"
    pattern = rf"(?:{figure_pattern(figure, known)}) (?:{any_many})(?: d[ei])? {any_word}"
    name = _NAMES[sign[-1]][known]
    of = "" if name.startswith("d'") else _OF[known]
    kept = f"{span}{NO_BREAK_SPACE}{many} {of}{name}"
    return _made(match, text, pattern, form, kept, (f"{span} {many} {sign}",))


def _made(
    match: regex.Match[str],
    text: str,
    pattern: str,
    form: str,
    written: str,
    accepted: tuple[str, ...],
) -> StandIn:
    return StandIn("amount", match[0], match.start(), text, pattern, form, written, accepted)


def _thousands(figure: str) -> str:
    return f"{value_of(figure) * 1000:,.0f}"


def _with_sign(figure: str, sign: str, language: str) -> str:
    """A number with the sign of its currency, where the language has it."""
    pattern = _currency_pattern(language)
    if not pattern.startswith("¤"):
        return f"{figure}{NO_BREAK_SPACE}{sign}"
    return f"{sign}{NO_BREAK_SPACE if pattern[1:2].isspace() else ''}{figure}"


@cache
def _currency_pattern(language: str) -> str:
    from babel import Locale

    return str(Locale.parse(locale_of(language)).currency_formats["standard"].pattern)
