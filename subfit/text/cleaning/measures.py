"""Measures with the signs of their units: "5 km", "60 mph", "20°C", 5'11".

The model reads metric units in words, which it knows; what it makes of them becomes the source's
unit again, by its sign or, where a language has none that everybody knows, by its name.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from subfit.text.cleaning.figures import FIGURE, figure_pattern, read_figure, written_figure
from subfit.text.cleaning.stand_ins import LANGUAGES, NO_BREAK_SPACE, StandIn
from subfit.text.languages import closest_language

_MEASURE = regex.compile(
    rf"(?<![\w.,$£€¥/:-])(?P<figure>{FIGURE})\s?"
    r"(?P<unit>km/h|kph|kmh|mph|km|cm|mm|kg|mg|lbs?|oz|ft|yd|mi|[°º]\s?[CF]|ml|m(?=[\s.,!?]|$)"
    r"|g(?=[\s.,!?]|$)|L(?=[\s.,!?]|$))(?![\w'’])"
)
_HEIGHT = regex.compile(
    r"(?<![\w.,'’])(?P<feet>[1-8])\s?['’′]\s?(?P<inches>1[01]|[0-9])\s?(?:[\"”″]|''|(?![\w'’]))"
)
_READ = {
    "speed": "kilometers per hour",
    "far": "kilometers",
    "long": "meters",
    "weight": "kilos",
    "warmth": "degrees",
    "volume": "liters",
}
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
"""What a model makes of what it reads: usually, and at all."""
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
    "ml": ("volume", "ml"),
}
_NAMES = {
    "mi": {"de": "Meilen", "es": "millas", "fr": "miles", "it": "miglia"},
    "ft": {"de": "Fuß", "es": "pies", "fr": "pieds", "it": "piedi"},
    "yd": {"de": "Yards", "es": "yardas", "fr": "yards", "it": "iarde"},
    "lb": {"de": "Pfund", "es": "libras", "fr": "livres", "it": "libbre"},
    "oz": {"de": "Unzen", "es": "onzas", "fr": "onces", "it": "once"},
}
"""Units that viewers of these languages know by name only."""
_HEIGHTS = {
    "de": "{0} Fuß {1}",
    "es": "{0} pies {1}",
    "fr": "{0} pieds {1}",
    "it": "{0} piedi e {1}",
}


def find_measures(text: str, language: str) -> Iterator[StandIn]:
    """Yield the measures with the sign of a unit in an English text.

    Args:
        text: Plain text.
        language: Tag of the target language.
    """
    known = closest_language(language, LANGUAGES)
    if known is None:
        return
    for match in _MEASURE.finditer(text):
        yield _measure(match, language, known)
    for match in _HEIGHT.finditer(text):
        yield _height(match, known)


def _measure(match: regex.Match[str], language: str, known: str) -> StandIn:
    figure = match["figure"]
    kind, sign = _UNITS[match["unit"].replace("º", "°").replace(" ", "")]
    usual, any_word = _MADE[known][kind]
    written = written_figure(figure, language)
    name = _NAMES.get(sign, {}).get(known, sign)
    return StandIn(
        "measure",
        match[0],
        match.start(),
        f"{read_figure(figure)} {_READ[kind]}",
        rf"(?:{figure_pattern(figure, known)})[ \u00a0-]?(?:{any_word})",
        f"{written} {usual}",
        f"{written}{NO_BREAK_SPACE}{name}",
        (f"{written} {sign}", f"{written}{sign}", f"{written} {usual}"),
    )


def _height(match: regex.Match[str], known: str) -> StandIn:
    feet, inches = match["feet"], match["inches"]
    usual, any_word = _MADE[known]["long"]
    written = _HEIGHTS[known].format(feet, inches).replace(" ", NO_BREAK_SPACE)
    if inches == "0":
        written = f"{feet}{NO_BREAK_SPACE}{_NAMES['ft'][known]}"
    return StandIn(
        "measure",
        match[0],
        match.start(),
        "2 meters",
        rf"(?:{figure_pattern('2', known)})[ \u00a0-]?(?:{any_word})",
        f"2 {usual}",
        written,
        (match[0], f"{feet}'{inches}"),
    )
