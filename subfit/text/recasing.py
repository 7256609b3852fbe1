"""Capitals for words of a text that had nothing but capitals, once it is in small letters.

What names are, a file tells itself, where it is in small letters elsewhere. German nouns have
capitals too: those of ``german_nouns.yaml``, compounds of them, and words with endings that only
nouns have. Whatever else there is stays small, also the polite Sie, which cannot be told from
"sie".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import regex
import yaml

from subfit.text.languages import primary_language
from subfit.text.linebreak_lists import word_lists

_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")
_NAME = regex.compile(  # d'Hélène
    r"(?<=[\p{Ll},] (?:\p{Ll}{1,6}['’])?)\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?(?![\p{L}])"
)
_SMALL = regex.compile(r"(?<!\p{L})\p{Ll}[\p{Ll}-]+(?!\p{L})")
_ENDING = regex.compile(r"\p{L}{3,}(?:ung|heit|keit|schaft|tion|tät|ismus)(?:en)?")
# Participles: gesungen, bezwungen; and jungen, which is mostly no noun.
_NO_NOUN = regex.compile(
    r"(?:\w*(?:ge|be|er|ver|miss|durch|ent|über|auf|ab))?"
    r"(?:sung|sprung|zwung|lung|schlung|schwung|drung|rung|klung|dung|wrung)en|jung(?:en)?"
)
_LEAST_FIRST = 3
"""Letters of what stands before the noun that ends a compound, at least."""
_PHRASE = regex.compile(
    r"im|am|zum|zur|vom|beim|ins|dem|des|eine?[mnrs]?|(?:[mds]ein|kein|unser|ihr|eur)(?:e[mnrs]?)?"
)
"""Behind these a word is a noun where no adjective is."""
_NO_NAMES = frozenset(["ernst", "frank", "rosa", "ben", "ella", "ida"])
"""First names that are words as well."""
_NO_COMPOUNDS = regex.compile(
    "jedermann|anhand|allerhand|derzeit|jederzeit|zurzeit|seinerzeit|.*falls|diesmal|vermisst"
    "|verwand|allein|verlass|überhaupt|zuhause"
)
"""Words that end like nouns and are none."""


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that texts have with a capital within sentences, and nowhere in small
    letters."""
    names: set[str] = set()
    small: set[str] = set()
    for text in texts:
        names.update(_NAME.findall(text))
        small.update(_SMALL.findall(text))
    return frozenset(name for name in names if name.lower() not in small)


def recased(text: str, language: str, names: Iterable[str] = ()) -> str:
    """Return a text in small letters with capitals for names, and for nouns in German.

    Args:
        text: All in small letters.
        language: Its tag.
        names: Words with a capital, as `names_in` finds them.
    """
    forms = {part.lower(): part for name in names for part in name.split("-")}
    german = primary_language(language) == "de"
    if not (forms or german):
        return text
    parts: list[str] = []
    at, before = 0, ""
    for match in _WORD.finditer(text):
        word = match[0]
        form = forms.get(word, word)
        if german and form == word and is_german_noun(word, before):
            form = word[0].upper() + word[1:]
        parts += [text[at : match.start()], form]
        at, before = match.end(), word
    return "".join([*parts, text[at:]])


def is_german_noun(word: str, before: str = "") -> bool:
    """Whether a word in small letters is a noun, or a first name, for all that is known.

    Args:
        word: The word.
        before: The one before it, in small letters.
    """
    always, phrase, last = _nouns()
    if word in always or (word in phrase and _PHRASE.fullmatch(before)):
        return True
    if _ENDING.fullmatch(word):
        return _NO_NOUN.fullmatch(word) is None
    if word in word_lists("de").first_names:
        return word not in _NO_NAMES
    return _NO_COMPOUNDS.fullmatch(word) is None and any(
        word[at:] in last for at in range(_LEAST_FIRST, len(word) - 2)
    )


@cache
def _nouns() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    content = files("subfit.text").joinpath("german_nouns.yaml").read_text(encoding="utf-8")
    lists = yaml.safe_load(content)
    always, phrase, last = (frozenset(lists[name].split()) for name in ("always", "phrase", "last"))
    return always, phrase, last
