"""The words of a language that a line break should not part from what follows.

They are in ``linebreak_words/TAG.yaml``; its README.md says what each list is for. A region adds to
its language's lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files

import yaml

from subfit.text.languages import CAPITALISED, primary_language

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C reads a language in 2 ms, that in Python in 30."""
_EUROPEAN_SPANISH = {"es", "es-es", "es-gq", "es-ph"}


@dataclass(frozen=True, slots=True)
class WordLists:
    """A language's words, in lower case; see ``linebreak_words/README.md``."""

    articles: frozenset[str] = frozenset()
    clitics: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    leaning: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    auxiliaries: frozenset[str] = frozenset()
    negations: frozenset[str] = frozenset()
    adjectives: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    """Words parted by single spaces."""
    abbreviations: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    months: frozenset[str] = frozenset()
    elided: frozenset[str] = frozenset()
    first_names: frozenset[str] = frozenset()
    nouns_are_capitalised: bool = False
    opening: frozenset[str] = field(init=False)
    """Words that begin a noun phrase: articles, determiners and prepositions."""
    forbidding: frozenset[str] = field(init=False)
    """Words after which no line ends: articles and clitics."""
    lean: frozenset[str] = field(init=False)
    """Words after which a line would rather not end."""
    phrase_starts: frozenset[str] = field(init=False)
    function_words: frozenset[str] = field(init=False)
    """Words that hold sentences together: no nouns, verbs, names."""

    def __post_init__(self) -> None:
        linking = self.prepositions | self.conjunctions | self.determiners | self.negations
        words = {
            "opening": self.articles | self.determiners | self.prepositions,
            "forbidding": self.articles | self.clitics,
            "lean": self.pronouns | self.auxiliaries | self.negations | self.adjectives,
            "phrase_starts": frozenset(phrase.split()[0] for phrase in self.phrases),
            "function_words": linking
            | self.articles
            | self.clitics
            | self.pronouns
            | self.auxiliaries,
        }
        for name, value in words.items():
            object.__setattr__(self, name, value)

    def phrase_at(self, words: Sequence[str]) -> int:
        """Return how many of some words make a phrase, 0 if they begin none."""
        longest = min(len(words), 4)
        return next((n for n in range(longest, 1, -1) if " ".join(words[:n]) in self.phrases), 0)


NAMES = tuple(field.name for field in fields(WordLists) if field.init and field.type != "bool")
"""The keys of a file."""


@cache
def word_lists(language: str) -> WordLists:
    """Return the lists of a language and of its region; those of unknown languages are empty.

    Args:
        language: A language tag; ``deu`` means ``de``, and ``es-MX`` also has what ``es-419`` adds.
    """
    merged: dict[str, set[str]] = {name: set() for name in NAMES}
    tags = _tags(language)
    for tag in tags:
        for name, words in _read(tag).items():
            merged[name].update(words)
    lists = {name: frozenset(words) for name, words in merged.items()}
    return WordLists(**lists, nouns_are_capitalised=tags[0] in CAPITALISED)


def _tags(language: str) -> list[str]:
    """The tags whose files count, the language's first: for ``es-MX`` also ``es-419``."""
    first, *others = language.lower().replace("_", "-").split("-")
    primary = primary_language(first) or first
    tags = [primary]
    region = next((other for other in others if len(other) in (2, 3)), None)
    tag = primary if region is None else f"{primary}-{region}"
    if primary == "es" and tag not in _EUROPEAN_SPANISH:
        tags.append("es-419")
    return tags if tag in tags else [*tags, tag]


@cache
def _read(tag: str) -> dict[str, list[str]]:
    language, *region = tag.split("-")
    name = "-".join([language, *map(str.upper, region)])
    file = files("subfit.text").joinpath("linebreak_words", f"{name}.yaml")
    if not file.is_file():
        return {}
    lists: dict[str, list[str]] = yaml.load(file.read_text(encoding="utf-8"), Loader=LOADER)
    return lists
