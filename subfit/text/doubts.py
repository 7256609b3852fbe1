"""What speaks against a text as a translation, told with hardly any word of either language.

Language models give back the source, their prompt, the sentence before, or go on and on. What they
say with confidence may be any of these, so that no probability tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

import regex

from subfit.text.counting import count_characters
from subfit.text.guessing import reads_as
from subfit.text.languages import closest_language, same_language
from subfit.text.linebreak_lists import packaged

MUCH_LONGER, MUCH_SHORTER, SPARE = 2.5, 0.2, 20
"""No translation has more than so many times the source's characters and so many more, or fewer
than so many times, but for so many."""
ALIKE = 0.7
"""From this share of its words on that stand in another text, a text is that one."""
FEWEST = 3
"""Words of which overlap tells something: fewer may be alike by chance."""
_SIGN = regex.compile(r"[=|{}<>~*\\]")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*")
# The same words three times in a row.
_ROUND = regex.compile(r"(?<!\w)(\w.{2,}?)(?:[\s,.;!]+\1(?!\w)){2,}", regex.I)


class Doubt(StrEnum):
    """What speaks against a text as a translation; the values stand in reports."""

    UNTRANSLATED = "untranslated"
    """It is the source, or in its language."""
    PROMPT = "prompt"
    """It says what the model was told, or answers to it."""
    ANOTHER = "another line"
    """It is the translation of another sentence."""
    LENGTH = "length"
    """It is far too long or too short for its source."""
    ROUNDS = "repeats itself"
    """It says the same again and again, and its source does not."""
    SIGNS = "signs of its own"
    """It has signs that nobody says, such as ``=``, which its source has not."""


def doubts_of(
    text: str,
    source: str,
    languages: tuple[str, str],
    *,
    told: Iterable[str] = (),
    others: Iterable[tuple[str, str]] = (),
) -> tuple[Doubt, ...]:
    """Return what speaks against a text as a translation.

    Args:
        text: What a model said.
        source: What it was to translate.
        languages: Tags of the source's language and of the one wanted.
        told: What the model was told beside it.
        others: Other sentences with their translations.
    """
    long, short = count_characters(source), count_characters(text)
    words, given = _words(text), _words(source)
    prompted = () if _overlap(words, given) >= ALIKE else map(_words, told)
    beside = [(_words(their), _words(other)) for their, other in others]
    found = {
        Doubt.UNTRANSLATED: not same_language(*languages)
        and _is_untranslated(text, source, languages),
        Doubt.PROMPT: any(_overlap(words, one) >= ALIKE for one in prompted),
        Doubt.ANOTHER: len(words) >= FEWEST
        and any(words == other and _overlap(given, their) < ALIKE for their, other in beside),
        Doubt.LENGTH: short > MUCH_LONGER * long + SPARE or short < MUCH_SHORTER * (long - SPARE),
        Doubt.SIGNS: not set(_SIGN.findall(text)) <= set(source),
        Doubt.ROUNDS: bool(_ROUND.search(text)) and not _ROUND.search(source),
    }
    return tuple(doubt for doubt, holds in found.items() if holds)


def _is_untranslated(text: str, source: str, languages: tuple[str, str]) -> bool:
    """Whether a text is its source, has it in it, or reads as its language."""
    # Names stay, in any number: "Anna Brown? Tom Hill!"
    small, given = ([w for w in _WORD.findall(one) if not w[0].isupper()] for one in (text, source))
    same = max(_overlap(small, given), _overlap(given, small)) >= ALIKE
    return len(given) >= FEWEST and (same or reads_as(text, *languages))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _overlap(words: Sequence[str], others: Sequence[str]) -> float:
    """Which share of words stands in others; 0 where they are too few to tell."""
    if len(words) < FEWEST:
        return 0.0
    return (Counter(words) & Counter(others)).total() / len(words)


def is_negated(text: str, language: str) -> bool | None:
    """Tell whether a text has a word that denies: what gains or loses one says the opposite.

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
