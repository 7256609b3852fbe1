"""Which language a text is in, by its little words."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

import regex

from subfit.text.languages import primary_language
from subfit.text.linebreak_lists import word_lists

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pt")
"""Those that are told apart: those with lists of words, in `subfit.text.linebreak_lists`."""
MOST_WORDS = 5000
"""Words that are looked at: a tenth of a film tells enough."""
FEWEST = 5
"""Words of a language that a text must have; fewer tell nothing."""
AHEAD = 1.5
"""So many times the next language's must the votes of the best be."""
LEAST_SHARE = 0.15
"""Least share of all words; in running text it is three times as many."""
LEAST_LETTERS, SURE = 60, 0.95
"""Letters, and how sure py3langid must be, for any other language."""
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’]|\b)")


def guess_language(text: str) -> str | None:
    """Return the language of a text.

    Articles, pronouns, prepositions and the like vote, each for the languages that have it: "der"
    for German alone, "in" for several, a share each.

    Args:
        text: Any text, of subtitles say.

    Returns:
        One of `LANGUAGES`, or any other that py3langid is sure of, if that is installed; None where
        none is far ahead of the others, as in a text of names alone.
    """
    voters, seen = _voters(), Counter[str]()
    votes: dict[str, float] = dict.fromkeys(LANGUAGES, 0.0)
    words = list(islice(_WORD.finditer(text.lower()), MOST_WORDS))
    for word in words:
        languages = voters.get(word.group().rstrip("'’"), ())
        for language in languages:
            votes[language] += 1 / len(languages)
            seen[language] += 1
    best, next_best = sorted(LANGUAGES, key=votes.__getitem__, reverse=True)[:2]
    fewest = max(FEWEST, LEAST_SHARE * len(words))
    sure = seen[best] >= fewest and votes[best] >= AHEAD * votes[next_best]
    return best if sure else _other_language(text)


def _other_language(text: str) -> str | None:
    """The language of a text that has not the little words of any of ours."""
    text = text[: 6 * MOST_WORDS]
    if sum(map(str.isalpha, text)) < LEAST_LETTERS:
        return None
    try:
        language, share = _identifier().classify(text)
    except ImportError:
        return None
    return str(language) if share >= SURE else None


@cache
def _identifier() -> Any:
    langid = import_module("py3langid.langid")
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


@cache
def _voters() -> dict[str, tuple[str, ...]]:
    """By word the languages that have it."""
    languages_of: dict[str, list[str]] = {}
    for language in LANGUAGES:
        lists = word_lists(language)
        words = lists.articles | lists.pronouns | lists.prepositions | lists.determiners
        words |= lists.conjunctions | lists.auxiliaries | lists.negations | lists.clitics
        for word in words:
            languages_of.setdefault(word.rstrip("'’"), []).append(language)
    return {word: tuple(languages) for word, languages in languages_of.items()}


def reads_as(text: str, language: str, other: str) -> bool:
    """Tell whether a line is in a language rather than in another.

    Args:
        text: A sentence; of one without little words nothing is told.
        language: Tag.
        other: Likewise.

    Returns:
        True where two of its little words, and most of them, are the first language's alone.
    """
    pair = [primary_language(tag) or "" for tag in (language, other)]
    voters = _voters()
    known = [voters.get(word.group().rstrip("'’"), ()) for word in _WORD.finditer(text.lower())]
    votes = [sum(one in own and two not in own for own in known) for one, two in (pair, pair[::-1])]
    return set(pair) <= {*LANGUAGES} and votes[0] >= 2 and votes[0] > 2 * votes[1]
