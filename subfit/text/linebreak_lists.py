"""The words of a language that a line break should not part from what follows.

They are in ``linebreak_words/TAG.yaml``; its README.md says what each list is for. A region adds to
its language's lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from subfit.text.languages import CAPITALISED, primary_language

_EUROPEAN_SPANISH = {"es", "es-es", "es-gq", "es-ph"}


_KEYS = (
    "articles clitics titles holds prepositions particles determiners leaning conjunctions pronouns"
    " auxiliaries negations adjectives phrases abbreviations units months elided first_names"
)
NAMES = frozenset(_KEYS.split())
"""The keys of a file."""


class WordLists(dict[str, frozenset[str]]):
    """A language's words, in lower case, as attributes; see ``linebreak_words/README.md``."""

    nouns_are_capitalised = False

    def __getattr__(self, name: str) -> frozenset[str]:
        if name not in self:
            raise AttributeError(name)
        return self[name]

    def phrase_at(self, words: Sequence[str]) -> int:
        """Return how many of some words make a phrase, 0 if they begin none."""
        longest = min(len(words), 4)
        return next((n for n in range(longest, 1, -1) if " ".join(words[:n]) in self.phrases), 0)


_JOINED = {
    "opening": "articles determiners prepositions",  # that begin a noun phrase
    "forbidding": "articles clitics",  # after which no line ends
    "lean": "pronouns auxiliaries negations adjectives",  # after which it would rather not end
    # Words that hold sentences together: no nouns, verbs, names.
    "function_words": "opening forbidding conjunctions negations pronouns auxiliaries",
}
"""Lists that are made of others."""


@cache
def word_lists(language: str) -> WordLists:
    """Return the lists of a language and of its region; those of unknown languages are empty.

    Args:
        language: A language tag; ``deu`` means ``de``, and ``es-MX`` also has what ``es-419`` adds.
    """
    tags = _tags(language)
    files = [_read(tag) for tag in tags]
    lists = WordLists(
        (name, frozenset().union(*(one.get(name, ()) for one in files))) for name in NAMES
    )
    for name, parts in _JOINED.items():
        lists[name] = frozenset().union(*(lists[part] for part in parts.split()))
    lists.nouns_are_capitalised = tags[0] in CAPITALISED
    return lists


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
def packaged(package: str, *path: str) -> Any:
    """Return what a YAML file of one of subfit's packages says."""
    text = files(package).joinpath(*path).read_text(encoding="utf-8")
    # The loader in C reads a language in 2 ms, that in Python in 30.
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _read(tag: str) -> Any:
    language, *region = tag.split("-")
    name = "-".join([language, *map(str.upper, region)])
    file = files("subfit.text").joinpath("linebreak_words", f"{name}.yaml")
    return packaged("subfit.text", "linebreak_words", file.name) if file.is_file() else {}
