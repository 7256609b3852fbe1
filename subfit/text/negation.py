"""Whether a text denies something: a translation that gains or loses that says the opposite."""

from __future__ import annotations

import regex

from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import packaged


def is_negated(text: str, language: str) -> bool | None:
    """Tell whether a text has a word that denies.

    Args:
        text: Plain text.
        language: Its tag.

    Returns:
        None in languages whose words for it are not known.
    """
    words = packaged("subfit.text", "negation.yaml")
    if (known := closest_language(language, words)) is None:
        return None
    denies = rf"(?<![\p{{L}}\p{{N}}])(?:{words[known]})(?!\p{{L}})"
    return regex.search(denies, text, regex.IGNORECASE) is not None
