"""Measures with the signs of their units: "5 km", "60 mph", "20°C", 5'11".

The model reads metric units in words, which it knows; what it makes of them becomes the source's
unit again, by its sign or, where a language has none that everybody knows, by its name.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from subfit.text.cleaning.figures import (
    FIGURE,
    OTHER_FIGURE,
    english_figure,
    figure_pattern,
    read_figure,
    written_figure,
)
from subfit.text.cleaning.stand_ins import NO_BREAK_SPACE, StandIn, known_languages

_LETTER_ENDS = r"(?=[\s.,!?]|$)"
_UNITS_OF_ALL = r"km/h|kph|kmh|mph|km|cm|mm|kg|mg|lbs?|oz|ft|yd|mi|[°º]\s?[CF]|ml"
_ENGLISH = regex.compile(
    rf"(?<![\w.,$£€¥/:-])(?P<figure>{FIGURE})\s?"
    rf"(?P<unit>{_UNITS_OF_ALL}|[mgL]{_LETTER_ENDS})(?![\w'’])"
)
_OTHER = regex.compile(
    r"(?<![\w.,$£€¥/:-])(?<![0-9] )(?:"
    r"(?P<meters>[0-9]{1,2})(?:\s?m|\sm\s(?=..(?!\s?[\p{L}\d])))(?P<centimeters>[0-9]{2})"
    r"(?![\w]|[.,]\d)"
    rf"|(?P<figure>{OTHER_FIGURE})\s?(?P<unit>{_UNITS_OF_ALL}|[mglL]{_LETTER_ENDS})(?![\w'’]))"
)
"""French has 1m80 for 1,80 m."""
_HEIGHT = regex.compile(
    r"(?<![\w.,'’])(?P<feet>[1-8])\s?['’′]\s?(?P<inches>1[01]|[0-9])\s?(?:[\"”″]|''|(?![\w'’]))"
)
_MADE = {
    "de": {
        "speed": (
            "Kilometer pro Stunde",
            r"Kilometern? (?:pro|in der|die) Stunde|Stundenkilometer",
        ),
        "far": ("Kilometer", r"Kilometern?"),
        "long": ("Meter", r"Metern?"),
        "weight": ("Kilo", r"Kilo(?:gramm|s)?"),
        "warmth": ("Grad", r"Grad(?: Celsius)?"),
        "volume": ("Liter", r"Litern?"),
    },
    "en": {
        "speed": (
            "kilometers per hour",
            r"(?:kilomet(?:er|re)s?|kms?) (?:per|an) hour|km/h|kph|kmph",
        ),
        "far": ("kilometers", r"kilomet(?:er|re)s?|kms?"),
        "long": ("meters", r"met(?:er|re)s?"),
        "weight": ("kilos", r"kilo(?:gram(?:me)?)?s?"),
        "warmth": ("degrees", r"degrees?(?: (?:Celsius|centigrade))?"),
        "volume": ("liters", r"lit(?:er|re)s?"),
    },
    "es": {
        "speed": ("kilómetros por hora", r"kilómetros? (?:por|a la) hora"),
        "far": ("kilómetros", r"kilómetros?"),
        "long": ("metros", r"metros?"),
        "weight": ("kilos", r"kilo(?:gramo)?s?"),
        "warmth": ("grados", r"grados?"),
        "volume": ("litros", r"litros?"),
    },
    "fr": {
        "speed": ("kilomètres par heure", r"kilomètres? (?:par |à l['’]|-)heure"),
        "far": ("kilomètres", r"kilomètres?"),
        "long": ("mètres", r"mètres?"),
        "weight": ("kilos", r"kilo(?:gramme)?s?"),
        "warmth": ("degrés", r"degrés?"),
        "volume": ("litres", r"litres?"),
    },
    "it": {
        "speed": (
            "chilometri all'ora",
            r"chilometr[oi] (?:all['’]|per |l['’])ora|chilometri orari",
        ),
        "far": ("chilometri", r"chilometr[oi]"),
        "long": ("metri", r"metr[oi]"),
        "weight": ("chili", r"chil(?:o|i|ogramm[oi])"),
        "warmth": ("gradi", r"grad[oi]"),
        "volume": ("litri", r"litr[oi]"),
    },
}
"""What a model makes of what it reads: usually, which is also what it reads, and at all."""
_UNITS = {
    "km/h": ("speed", "km/h"),
    "kph": ("speed", "km/h"),
    "kmh": ("speed", "km/h"),
    "mph": ("speed", "mph"),
    "km": ("far", "km"),
    "mi": ("far", "mi"),
    "m": ("long", "m"),
    "cm": ("long", "cm"),
    "mm": ("long", "mm"),
    "ft": ("long", "ft"),
    "yd": ("long", "yd"),
    "kg": ("weight", "kg"),
    "g": ("weight", "g"),
    "mg": ("weight", "mg"),
    "lb": ("weight", "lb"),
    "lbs": ("weight", "lb"),
    "oz": ("weight", "oz"),
    "°C": ("warmth", "°C"),
    "°F": ("warmth", "°F"),
    "L": ("volume", "l"),
    "l": ("volume", "l"),
    "ml": ("volume", "ml"),
}
_NAMES = {
    "mi": {"en": "miles", "de": "Meilen", "es": "millas", "fr": "miles", "it": "miglia"},
    "ft": {"en": "feet", "de": "Fuß", "es": "pies", "fr": "pieds", "it": "piedi"},
    "yd": {"en": "yards", "de": "Yards", "es": "yardas", "fr": "yards", "it": "iarde"},
    "lb": {"en": "pounds", "de": "Pfund", "es": "libras", "fr": "livres", "it": "libbre"},
    "oz": {"en": "ounces", "de": "Unzen", "es": "onzas", "fr": "onces", "it": "once"},
}
"""Units that viewers of these languages know by name only."""
_HEIGHTS = {
    "en": "{0}'{1}\"",
    "de": "{0} Fuß {1}",
    "es": "{0} pies {1}",
    "fr": "{0} pieds {1}",
    "it": "{0} piedi e {1}",
}


def find_measures(text: str, language: str, source_language: str = "en") -> Iterator[StandIn]:
    """Yield the measures with the sign of a unit in a text.

    Args:
        text: Plain text.
        language: Tag of the target language.
        source_language: Tag of the text's.
    """
    languages = known_languages(source_language, language)
    if languages is None:
        return
    source, known = languages
    for match in (_ENGLISH if source == "en" else _OTHER).finditer(text):
        yield _measure(match, language, known, source_language, source)
    for match in _HEIGHT.finditer(text):
        yield _height(match, known, source)


def _measure(
    match: regex.Match[str], language: str, known: str, source_language: str, source: str
) -> StandIn:
    if source == "en":
        figure = match["figure"]
        read = read_figure(figure)
    elif match["figure"]:
        figure = english_figure(match["figure"], source_language)
        read = match["figure"]
    else:
        figure = f"{match['meters']}.{match['centimeters']}"
        read = figure.replace(".", ",")
    kind, sign = _UNITS[(match["unit"] or "m").replace("º", "°").replace(" ", "")]
    usual, any_word = _MADE[known][kind]
    written = written_figure(figure, language)
    name = _NAMES.get(sign, {}).get(known, sign)
    parted = "" if known == "en" and kind == "warmth" else NO_BREAK_SPACE  # 20°C
    return StandIn(
        "measure",
        match[0],
        match.start(),
        f"{read} {_MADE[source][kind][0]}",
        rf"(?:{figure_pattern(figure, known)})[ \u00a0-]?(?:{any_word})",
        f"{written} {usual}",
        f"{written}{parted}{name}",
        (f"{written} {sign}", f"{written}{sign}", f"{written} {usual}"),
    )


def _height(match: regex.Match[str], known: str, source: str) -> StandIn:
    feet, inches = match["feet"], match["inches"]
    usual, any_word = _MADE[known]["long"]
    written = _HEIGHTS[known].format(feet, inches).replace(" ", NO_BREAK_SPACE)
    if inches == "0" and known != "en":
        written = f"{feet}{NO_BREAK_SPACE}{_NAMES['ft'][known]}"
    return StandIn(
        "measure",
        match[0],
        match.start(),
        f"2 {_MADE[source]['long'][0]}",
        rf"(?:{figure_pattern('2', known)})[ \u00a0-]?(?:{any_word})",
        f"2 {usual}",
        written,
        (match[0], f"{feet}'{inches}"),
    )
