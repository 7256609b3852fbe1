"""Whether a text denies something: a translation that gains or loses that says the opposite."""

from __future__ import annotations

import regex

from subfit.text.languages import closest_language

_NO_STEP = (
    r"(?<!\b(?:un|le|les|au|ce|ces|cent|chaque|deux|trois|des|de|grands?|petits?|faux|premiers?|"
    r"mes|tes|ses|nos|vos|leurs|mon|ton|son|quelques|à) )"
)
"""Before the French "pas" that denies: "un pas" is a step."""
_WORDS = {
    "en": r"no|not|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|\w+n['’]t",
    "de": r"nicht|kein\w*|nie|niemals|nichts|nix|niemand\w*|nirgend\w*|weder|ohne|kaum|nein|nee|nö",
    "es": r"no|nunca|jamás|nada|nadie|ningun[oa]s?|ningún|ni|sin|tampoco|apenas|en absoluto",
    "fr": rf"ne|n['’]\w+|{_NO_STEP}pas|non|jamais|rien|aucune?s?|ni|sans|guère|nulle"
    r"|(?<=(?:^|[.!?…:–-]\s?))personne(?=\s?[.!?…]|$)",  # "Who? Nobody."
    "it": r"non|no|mai|niente|nulla|nessun(?:[oa]|['’]\w+)?|né|senza|neanche|nemmeno|neppure|mica",
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
