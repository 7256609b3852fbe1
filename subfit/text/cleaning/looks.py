"""Giving words of a translation the look of the words that they stand for."""

from __future__ import annotations

import regex

from subfit.text.cleaning.words import Spoken
from subfit.text.languages import CAPITALISED, primary_language

_VOWELS = "aeiouyäöüáéíóúàèìòùâêîôûïë"
_MOST_DRAWN = 4
_MOST_LETTERS = 9
"""Longer words are not drawn out: nobody would read them."""


def with_look(target: str, word: Spoken, language: str) -> str:
    """Return a word of a translation with the look of the word that it stands for.

    Args:
        target: The word of the translation.
        word: The word as it is said in the source.
        language: Tag of the target language.
    """
    new = target
    behind = word.source.rpartition("-")[2]
    if word.drawn:
        same = target.casefold() == word.plain.casefold()
        new = behind if same else drawn_out(target, word.drawn, language)
        if target.islower():
            new = new.lower()
    if word.stutter:
        small = behind[:1].islower() and word.source[:1].isupper()
        new = stuttered(new, word.stutter, language, small=small)
    return new


def stuttered(word: str, times: int, language: str, *, small: bool) -> str:
    """Return a word with its beginning said before it.

    Args:
        word: The word.
        times: How often.
        language: Its language tag; German nouns keep their capital behind the hyphen, as does the
            English I.
        small: Whether the word itself has a small letter behind a capital: "S-sorry".
    """
    rest, primary = word, primary_language(language)
    kept = primary in CAPITALISED or (primary == "en" and regex.match(r"I(?:['’]|$)", word))
    if small and word[:1].isupper() and not kept:
        rest = word[:1].lower() + word[1:]
    return f"{word[:1]}-" * times + rest


def drawn_out(word: str, times: int, language: str) -> str:
    """Return a word drawn out at a vowel, or as it is if it has none or is long.

    Args:
        word: The word.
        times: How often the letter is to stand in a row.
        language: Its language tag. German words begin with their stress, those of Romance
            languages end with it; the mute e of French and English is not said.
    """
    primary = primary_language(language)
    groups = [match.span() for match in regex.finditer(f"[{_VOWELS}]+", word, regex.I)]
    mute = {"en": r"(?<=[^e])e$", "fr": r"(?<![éè])es?$"}.get(primary or "")
    if mute is not None and len(groups) > 1 and regex.search(mute, word):
        groups = groups[:-1]
    if not groups or len(word) > _MOST_LETTERS:
        return word
    start, end = groups[0] if primary == "de" else groups[-1]
    at = start if primary == "de" else end - 1
    letter = word[at].lower() if at else word[at]
    more = letter.lower() if word[1:].islower() or len(word) == 1 else letter
    return word[: at + 1] + more * (min(times, _MOST_DRAWN) - 1) + word[at + 1 :]
