"""Which script a language is written in, and how much of a text is in it."""

from __future__ import annotations

from functools import cache

import regex

_LANGUAGES_OF_SCRIPT = {
    "Latin": "af az bs ca cs cy da de en es et eu fi fil fo fr fy ga gd gl ha hr ht hu id is it la"
    " lb lt lv mi ms mt nb nl nn no oc pl pt rm ro sk sl so sq sv sw tl tr uz vi wo xh yo zu",
    "Cyrillic": "be bg kk ky mk mn ru tg uk",
    "Arabic": "ar fa ps sd ug ur",
    "Hebrew": "he yi",
    "Devanagari": "hi mr ne sa",
    "Armenian": "hy",
    "Bengali": "bn",
    "Ethiopic": "am",
    "Georgian": "ka",
    "Greek": "el",
    "Gujarati": "gu",
    "Gurmukhi": "pa",
    "Han": "zh",
    "Kannada": "kn",
    "Khmer": "km",
    "Lao": "lo",
    "Malayalam": "ml",
    "Myanmar": "my",
    "Sinhala": "si",
    "Tamil": "ta",
    "Telugu": "te",
    "Thai": "th",
}
SCRIPTS_OF_LANGUAGE: dict[str, tuple[str, ...]] = {
    **{
        language: (script,)
        for script, languages in _LANGUAGES_OF_SCRIPT.items()
        for language in languages.split()
    },
    "ja": ("Han", "Hiragana", "Katakana"),
    "ko": ("Hangul", "Han"),
    "sr": ("Cyrillic", "Latin"),
}
"""Primary language subtag to the scripts (Unicode names) of its letters."""
LEAST_SHARE = 0.5
"""A text with a smaller share of its letters in the language's scripts is in another language, or
is code; names and loan words of other scripts are not as many."""


def scripts_of(language: str) -> tuple[str, ...]:
    """Return the scripts of a language by its tag; none if they are not known."""
    return SCRIPTS_OF_LANGUAGE.get(language.replace("_", "-").split("-")[0].lower(), ())


def script_share(text: str, scripts: tuple[str, ...]) -> float:
    """Return the share of a text's letters that belong to some scripts.

    Returns:
        0 to 1; 1 for a text without letters.
    """
    if text.isascii() and "Latin" in scripts:
        return 1.0
    letters, expected = _patterns(scripts)
    count = len(letters.findall(text))
    return len(expected.findall(text)) / count if count else 1.0


@cache
def _patterns(scripts: tuple[str, ...]) -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    # Script_Extensions counts what several scripts share, such as the long vowel mark of kana.
    names = "".join(rf"\p{{Script_Extensions={name}}}" for name in scripts)
    return regex.compile(r"\p{L}"), regex.compile(rf"(?V1)[\p{{L}}&&[{names}]]")
