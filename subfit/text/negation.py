"""Whether a text denies something: a translation that gains or loses that says the opposite."""

from __future__ import annotations

import regex

from subfit.text.languages import closest_language

_WORDS = {
    "en": r"no|not|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|\w+n['’]t",
    "de": r"nicht|kein\w*|nie|niemals|nichts|niemand\w*|nirgend\w*|weder|ohne|kaum|nein|nee",
    "es": r"no|nunca|jamás|nada|nadie|ningun[oa]s?|ningún|ni|sin|tampoco|apenas",
    "fr": r"ne|n['’]\w+|pas|non|jamais|rien|aucune?s?|ni|sans|guère|nulle",
    "it": r"non|no|mai|niente|nulla|nessun(?:[oa]|['’]\w+)?|né|senza|neanche|nemmeno|neppure",
}
_PATTERNS = {
    language: regex.compile(rf"(?<![\p{{L}}\p{{N}}])(?:{words})(?!\p{{L}})", regex.IGNORECASE)
    for language, words in _WORDS.items()
}


def is_negated(text: str, language: str) -> bool | None:
    """Tell whether a text has a word that denies.

    Args:
        text: Plain text.
        language: Its tag.

    Returns:
        None in languages whose words for it are not known.
    """
    known = closest_language(language, _PATTERNS)
    return None if known is None else _PATTERNS[known].search(text) is not None
