"""Words of several meanings, told by the words beside them: an elephant's trunk is no car's.

A small model takes the meaning that it has met most. What stands beside a word of a source speaks
for one of its meanings ("elephant" for this trunk); a translation that does not say that one is
searched for again with a word for it ("Rüssel"). The list, ``senses.tsv``, has English nouns alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from subfit.terms.glossary import Occurrence
from subfit.terms.word_lists import by_number, known_language, read_list, says_one_of

_WORD = regex.compile(r"\p{L}[\p{L}'’-]*")
_SMALL = """
    a an the my your his her its our their this that these those some any no every each another
    of in on with by for from to into at and two three four five many few
"""
_BEFORE_NOUNS = frozenset(_SMALL.split())
_NEAR = 2
"""Words before a noun among which one of these is: "the river bank"."""


@dataclass(frozen=True, slots=True)
class Sense(Occurrence):
    """A word of several meanings in a text, with what says the one that is meant."""

    def is_in(self, text: str) -> bool:
        """Whether a translation has one of the words for it; see `says_one_of`."""
        return says_one_of(text, self.targets)


@dataclass(frozen=True, slots=True)
class _Meaning:
    """A meaning of a word."""

    beside: str
    """Words that speak for it; behind ``*`` they may go on."""
    said: tuple[str, ...]
    """What says it, the best first."""


def find_senses(text: str, source_language: str, language: str) -> tuple[Sense, ...]:
    """Return the words of a text of whose meanings one is surely meant, in their order.

    Args:
        text: As spoken.
        source_language: Its tag; only English is known.
        language: Tag of the target language; German, Spanish, French and Italian are known.
    """
    known = known_language(source_language, language)
    if known is None:
        return ()
    words = list(_WORD.finditer(text))
    small = [word[0].lower() for word in words]
    found: dict[str, Sense] = {}
    for number, (word, form) in enumerate(zip(words, small, strict=True)):
        meanings = _meanings(known).get(form)
        if meanings is None or form in found or not _is_noun(word[0], small[:number]):
            continue
        meant = _meant(meanings, [*small[:number], *small[number + 1 :]])
        if meant is not None:
            found[form] = Sense(word[0], word.start(), meant.said, placeable=True, language=known)
    return tuple(found.values())


def _is_noun(word: str, before: Sequence[str]) -> bool:
    """Whether a word is a noun, and no name, by the small words before it."""
    return word.islower() and not _BEFORE_NOUNS.isdisjoint(before[-_NEAR:])


def _meant(meanings: Sequence[_Meaning], beside: Sequence[str]) -> _Meaning | None:
    """The meaning that more of the words beside speak for than for any other, if there is one."""
    counts = [len({*filter(_any_of(one.beside).fullmatch, beside)}) for one in meanings]
    most = max(counts)
    return meanings[counts.index(most)] if most and counts.count(most) == 1 else None


@cache
def _meanings(language: str) -> Mapping[str, tuple[_Meaning, ...]]:
    """The meanings of English words, singular and plural."""
    meanings: dict[str, list[_Meaning]] = {}
    for row in read_list("senses.tsv"):
        for word, ways in by_number(row["word"], row[language]):
            meanings.setdefault(word, []).append(_Meaning(row["beside"], ways))
    return {word: tuple(own) for word, own in meanings.items()}


@cache
def _any_of(words: str) -> regex.Pattern[str]:
    """A pattern for any of some words; behind ``*`` they may go on."""
    patterns = (regex.escape(word).replace(r"\*", r"[\p{L}'’-]*") for word in words.split())
    return regex.compile("|".join(patterns))
