"""Capitals and small letters as words have them in running text.

Words of a text that had nothing but capitals get theirs once it is in small letters, and the first
word of a cue loses one that it has for standing there.

What names are, a file tells itself, where it is in small letters elsewhere. German nouns have
capitals too: those of ``german_nouns.yaml``, compounds of them, and words with endings that only
nouns have. Whatever else there is stays small, also the polite Sie, which cannot be told from
"sie".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import regex

from subfit.text.casing import small
from subfit.text.languages import language_of, primary_language
from subfit.text.linebreak_lists import packaged, word_lists
from subfit.text.sentence_ends import start_of

_FIRST_WORD = regex.compile(r"[^\w]*([\w'’]+)")
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
_POLITE = {
    "de": frozenset(["Sie", "Ihnen", "Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer", "Ihres"]),
    "it": frozenset(["Lei"]),
}
"""Words that have another meaning with a capital: "you"."""
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


def uncapitalised(text: str, language: str) -> str:
    """Return a text within a sentence without the capital that some files give every cue.

    Args:
        text: Plain text; only a word that cannot be a name loses its capital.
        language: Its tag.
    """
    opening = _FIRST_WORD.match(text)
    if opening is None or start_of(text, language) != "capital" or text.isupper():
        return text
    lists, at = word_lists(language), opening.start(1)
    word = small(opening[1], language).replace("’", "'")
    polite = _POLITE.get(language_of(language), frozenset())
    elided, apostrophe, _ = word.partition("'")
    known = word in lists.function_words and opening[1] not in polite
    known = known or (bool(apostrophe) and elided in lists.elided)
    return text[:at] + small(text[at], language) + text[at + 1 :] if known else text


@cache
def _nouns() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    lists = packaged("subfit.text", "german_nouns.yaml")
    always, phrase, last = (frozenset(lists[name].split()) for name in ("always", "phrase", "last"))
    return always, phrase, last
