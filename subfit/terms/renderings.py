"""How languages write numbers, money, measures and times of day: Babel's CLDR, and num2words.

Between languages a number is passed on as English has it: ``1.234,50`` is ``1,234.50``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import Any

from babel import Locale, UnknownLocaleError, numbers, units
from num2words import num2words

from subfit.text.languages import closest_language, same_language
from subfit.text.linebreak_lists import packaged

LANGUAGES = ("de", "en", "es", "fr", "it")
"""Whose amounts, measures, times and grouped numbers are known, as sources and as targets."""
NO_BREAK_SPACE = "\u00a0"
"""Of all players and legacy encodings; many fonts and cp1252 lack CLDR's narrow one."""
_MARK = re.compile(r"[.,'’ \u00a0\u202f]")
_SEPARATOR = r"[.,'’ \u00a0\u202f]?"
_MOST_DIGITS = 15
"""Of a number whose millions may be said in a word."""
_REGIONS = {"fr-BE": ("fr_BE", "fr"), "fr-CH": ("fr_CH", "fr")}


def words_of(key: str) -> Any:
    """Return what ``languages.yaml`` has of one of `LANGUAGES`, or under another key."""
    return packaged("subfit.terms", "languages.yaml")[key]


@cache
def babel_locale(language: str) -> Locale:
    """Return the locale that a tag means to Babel; English if it knows none of that language."""
    for tag in (language, language.partition("-")[0]):
        try:
            return Locale.parse(tag.replace("-", "_"))
        except (UnknownLocaleError, ValueError):
            continue
    return Locale("en")


def english_figure(figure: str, language: str) -> str:
    """Return a number in digits as English has it.

    Of two separators the last one is the decimal point. A lone one before three digits is that
    only if the language parts thousands by another: ``1.234`` is over a thousand in German.

    Args:
        figure: As the language has it.
        language: Its tag, whose region may count.
    """
    marks = _MARK.findall(figure)
    if not marks or same_language(language, "en"):
        several = figure.count(".") > 1
        return re.sub(r"[. \u00a0\u202f]" if several else r"[ \u00a0\u202f]", ",", figure)
    group = str(numbers.get_group_symbol(babel_locale(language)))
    groups = "'’ \u00a0\u202f" + group + ("." if group == "\u202f" else "")
    whole, _, end = figure.rpartition(marks[-1])
    if len({*marks}) == 1 and (len(marks) > 1 or (len(end) == 3 and marks[-1] in groups)):
        return _MARK.sub(",", figure)
    return f"{_MARK.sub(',', whole)}.{end}"


def value_of(figure: str) -> Decimal:
    """Return the value of a number as English has it."""
    return Decimal(figure.replace(",", ""))


@cache
def written_figure(figure: str, language: str) -> str:
    """Return a number as a language writes it, with all its decimals.

    Args:
        figure: As English has it.
        language: Tag of the language.
    """
    decimals = len(figure.partition(".")[2])
    text = numbers.format_decimal(
        value_of(figure),
        format="#,##0" + f".{'0' * decimals}" * bool(decimals),
        locale=babel_locale(language),
        group_separator=value_of(figure) >= 10_000 or "," in figure,
    )
    return str(text).replace("\u202f", NO_BREAK_SPACE)


def figure_forms(figure: str, language: str) -> tuple[str, ...]:
    """Return how a number in digits may stand in a translation, the preferred form first.

    Args:
        figure: As English has it.
        language: Tag of the target language.
    """
    whole, _, decimals = figure.partition(".")
    plain, known = whole.replace(",", ""), closest_language(language, LANGUAGES) or ""
    if not decimals and len(plain) == 1:
        words = number_forms(int(plain), language)
        if plain == "0" or not words:
            return ()
        few = words_of(known or "en")["few"].get(int(plain), "").split()
        return tuple(dict.fromkeys((plain, *words, *few, *_ordinals(int(plain), language))))
    point = "." if same_language(language, "en") else ","
    end = f"{point}{decimals}" if decimals else ""
    marks = [*"." * (known in ("de", "es", "it")), " ", "'", ""] if "," in figure else [""]
    own = written_figure(figure, language).replace(NO_BREAK_SPACE, " ")
    forms = [own, *(whole.replace(",", mark) + end for mark in marks if mark != point)]
    if decimals and "," not in figure:
        forms.append(figure)
    if not decimals and 6 < len(plain) <= _MOST_DIGITS:
        whole_millions = plain.endswith("000000")
        forms += (number_forms if whole_millions else _in_millions)(int(plain), language)
    return tuple(dict.fromkeys(forms))


def figure_pattern(figure: str, language: str) -> str:
    """Return an expression for what a model may make of a number: digits or words."""
    whole, _, decimals = figure.replace(",", "").partition(".")
    digits = re.sub(r"(?<=.)(?=(?:...)+$)", lambda _: _SEPARATOR, whole)
    if decimals:
        return rf"{digits}[., \u00a0\u202f]?{decimals}"
    forms = list(number_forms(int(whole), language) if len(whole) <= 2 else ())
    forms += words_of(language[:2])["few"][1].split() if whole == "1" else ()
    return "|".join([digits, *map(re.escape, sorted(forms, key=len, reverse=True))])


def in_digits(value: int, language: str = "en") -> str:
    """Return a number as a language has it in digits; English writes whole millions with the word.

    Args:
        value: The number.
        language: The language's tag.
    """
    for name, scale in (("billion", 10**9), ("million", 10**6)):
        if same_language(language, "en") and value % scale == 0:
            return f"{value // scale} {name}"
    return written_figure(str(value), language).replace(NO_BREAK_SPACE, " ")


@cache
def number_forms(value: int, language: str) -> tuple[str, ...]:
    """Return how a number may be written, in words and in digits, the preferred form first.

    Args:
        value: The number.
        language: Tag of a language; of others than `LANGUAGES` no words are known.
    """
    known = closest_language(language, (*LANGUAGES, *_REGIONS))
    if known is None:
        return ()
    words = [_words(value, region) for region in _REGIONS.get(known, (known,))]
    primary = known.partition("-")[0]
    forms = [words[0], str(value), *_in_millions(value, language), *words]
    forms += (f"{value:,}".replace(",", mark) for mark in (".", " ", "'", ",") if value >= 1000)
    forms += (form for word in words for form in _inflected(word, primary))
    forms += words_of(primary)["about"].get(value, "").split()
    return tuple(dict.fromkeys(forms))


def _words(value: int, language: str) -> str:
    """A number in words as it stands before a noun."""
    words: str = num2words(value, lang=language)
    if language == "es":  # veintiún años, treinta y un años
        words = re.sub(r"uno\b", "un", re.sub(r"iuno\b", "iún", words))
    return words


def _in_millions(value: int, language: str) -> Iterator[str]:
    """A large number with the word for its millions: 3 Millionen, 2.5 million."""
    for scale in (10**6, 10**9, 10**12):
        if scale <= value < 1000 * scale and value * 100 % scale == 0:
            yield _compact(value, language)


def _ordinals(value: int, language: str) -> Iterator[str]:
    """Words for "the second" and the like."""
    primary = closest_language(language, LANGUAGES)
    if primary is not None and value > 1:
        word = num2words(value, to="ordinal", lang=primary)
        yield word
        if primary == "de":
            yield from (word + end for end in "nrsm")
        elif word.endswith("o"):
            yield word[:-1] + "a"


def _inflected(words: str, language: str) -> Iterator[str]:
    """What becomes of a number's words beside others."""
    for changes in words_of(language)["inflected"]:
        form = words
        for pattern, new in changes.items():
            form = re.sub(pattern, new, form)
        yield form


def numeral_forms(numeral: str, language: str) -> tuple[str, ...]:
    """Return what may stand for a Roman numeral: itself, its digits, its ordinal."""
    values = {"I": 1, "V": 5, "X": 10}
    figures = [*(values[letter] for letter in numeral), 0]
    value = sum(-one if one < following else one for one, following in pairwise(figures))
    return tuple(dict.fromkeys((numeral, str(value), *_ordinals(value, language))))


CURRENCIES = {"$": "USD", "£": "GBP", "€": "EUR", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB"}


def currency_name(sign: str, language: str) -> str:
    """Return what a language calls a currency, without its country: Pfund, dollars."""
    code = CURRENCIES[sign[-1]]
    name = str(numbers.get_currency_name(code, count=2, locale=babel_locale(language)))
    if language[:2] in ("de", "en"):
        return re.split(r"[ -]", name)[-1]
    return name.split()[0]


def scale_word(figure: str, scale: int, language: str) -> str:
    """Return the word for millions and the like as a number before it asks for: 1,5 Millionen."""
    value = min(value_of(figure), Decimal(999)) * scale
    return re.sub(r"^[\d.,]+\s*", "", _compact(value, language))


def _compact(value: int | Decimal, language: str) -> str:
    text = numbers.format_compact_decimal(
        value, format_type="long", locale=babel_locale(language), fraction_digits=3
    )
    return str(text).replace(NO_BREAK_SPACE, " ")


def amount_forms(figure: str, scale: int, sign: str, language: str) -> tuple[str, ...]:
    """Return how an amount of money may be written, as a language does it first.

    Args:
        figure: As English has it; of a range both ends with a dash.
        scale: What it counts: 1, or 10**6 of "$1.5 million".
        sign: Of its currency.
        language: Tag of the target language.
    """
    locale, name = babel_locale(language), currency_name(sign, language)
    ends = [written_figure(end, language) for end in figure.split("–")]
    number, before = "–".join(ends), language[:2] == "en"
    if scale > 1:
        many = scale_word(figure.split("–")[-1], scale, language)
        of = words_of(language[:2])["of"] if language[:2] in LANGUAGES else ""
        of = "d'" if language.startswith("fr") and name[0] in "eaio" else of
        number = f"{number} {many}"
        forms = [f"{number} {of}{name}", f"{number} {sign}", f"{sign}{number}"]
        return (forms[-1 if before else 0].replace(" ", NO_BREAK_SPACE), *forms)
    pattern = str(locale.currency_formats["standard"].pattern)
    gap = NO_BREAK_SPACE if pattern[1:2].isspace() else ""
    signed = f"{number}{NO_BREAK_SPACE}{sign}"
    signed = f"{sign}{gap}{number}" if pattern.startswith("¤") else signed
    named = (f"{number} {one}" for one in (name, name.removesuffix("s")))
    return (signed, *named, f"{sign}{number}", f"{number}{sign}")


_NAMED = ("mile", "inch", "foot", "yard", "pound", "ounce")
"""Units that viewers of these languages know by name only."""


def measure_forms(figure: str, sign: str, language: str) -> tuple[str, ...]:
    """Return how a measure may be written, as a language does it first.

    Args:
        figure: As English has it.
        sign: One of the signs in ``languages.yaml``.
        language: Tag of the target language.
    """
    unit, number = words_of("signs")[sign][1], written_figure(figure, language)
    if unit == "mph":
        return (f"{number}{NO_BREAK_SPACE}mph", f"{number} mi/h")
    value, locale = float(min(value_of(figure), Decimal(10**9))), babel_locale(language)
    formatted = (
        str(units.format_unit(value, unit, size, locale=locale)) for size in ("long", "short")
    )
    plain = (re.sub(r"[\u202f\u00a0]", " ", text) for text in formatted)
    long, short = (re.sub(r"^[\d.,'’ ]*\d", "", text) for text in plain)
    short = short.replace("L", "l")  # as its source has it
    named = unit.rpartition("-")[2] in _NAMED
    written = (long if named else short).replace(" ", NO_BREAK_SPACE)
    forms = (f"{number}{written}", f"{number}{short}", f"{number}{long}", f"{number} {sign}")
    return tuple(dict.fromkeys((*forms, f"{number}{sign}")))


def height_forms(feet: str, inches: str, language: str) -> tuple[str, ...]:
    """Return how 5'11" may be written."""
    if same_language(language, "en"):
        return (f"{feet}'{inches}\"", f"{feet}'{inches}")
    (foot, *_), joint = measure_forms(feet, "ft", language), " e" * same_language(language, "it")
    written = foot if inches == "0" else f"{foot}{joint} {inches}".replace(" ", NO_BREAK_SPACE)
    return (written, f"{feet}'{inches}", f"{feet}'{inches}\"")


def time_forms(hour: int, minute: str, language: str, *, sure: bool) -> tuple[str, ...]:
    """Return how a time of day may be written, as a language does it first.

    Args:
        hour: By the clock of twenty-four hours, if ``sure``.
        minute: Two digits, or nothing.
        language: Tag of the target language.
        sure: Whether it is known which half of the day it is.
    """
    hour %= 24
    shapes, half = words_of("times"), "p.m." if hour >= 12 else "a.m."
    first = shapes["first"].get(closest_language(language, LANGUAGES), "{long}")
    if same_language(language, "en"):
        clock = str(babel_locale(language).time_formats["short"].pattern)
        first = "{short}~{half}" if "h" in clock else "{long}"
        first = first if sure else "{short}" if minute else "{short} o'clock"
    values = {"hour": hour, "minute": minute, "minutes": minute or "00", "half": half}
    values |= {"long": f"{hour}:{minute or '00'}", "clock": f"{hour}:{minute}".rstrip(":")}
    values |= {"short": f"{hour % 12 or 12}:{minute}".rstrip(":"), "rest": minute.replace("00", "")}
    forms = [first, *shapes["any"].split("|"), *(() if minute else shapes["full"].split("|"))]
    texts = (form.format(**values).strip("~ ").replace("~", NO_BREAK_SPACE) for form in forms)
    return tuple(dict.fromkeys(texts))
