"""English titles and names of places that a translation has taken over as they were.

A small model knows "London" and copies "Naples"; it copies "Mrs." before a name that it does not
know. What of these its source has and its translation too is said as the target language says it:
"Neapel", "Frau Lindqvist". The places are in ``places.tsv``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import regex

from subfit.text.languages import primary_language
from subfit.text.offices import OFFICES

LANGUAGES = ("de", "es", "fr", "it")
_NAME = r"\p{Lu}(?:[\p{L}-]|[’'](?!s\b))*\p{L}"
_TITLED = regex.compile(rf"(?<![\p{{L}}-])(?P<title>Mrs?|Ms|Miss|Mister)\.? (?P<name>{_NAME})")
_BEFORE_CALLED = regex.compile(r"(?:^|[,.!?…:;–—-])[\s\"'“‘]*$")
_BEHIND_CALLED = regex.compile(rf"(?: {_NAME})?\s*(?:[,.!?…]|$)")
_WHERE = regex.compile(
    r"\b(?:in|to|from|of|at|near|for|through|across|around|outside|into|toward|towards|between"
    r"|visit|visited|visiting|leave|leaving|left|reach|reached)\s$",
    regex.I,
)
"""Before a name that may also be somebody's where it is a place."""
_RUN = regex.compile(r"(?<![\p{L}\p{N}’'-])\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*(?![\p{L}\p{N}-])")
"""Words with capitals in a row: a place among others is part of another name."""
_SMALL_WORDS = """
    in to from of at near for through across around outside into toward between behind beyond over
    under about after before since until while with without and but or so if as like because even
    only maybe perhaps not no yes then that this is was are were has have does did do will would can
    could should why when where what how who which visit leave see
"""
_OPENERS = frozenset(_SMALL_WORDS.split())
"""Words that have a capital where a sentence begins, and are no part of a name."""
_MAYBE = " ?"
"""Behind names in the list that people have as well."""


@dataclass(frozen=True, slots=True)
class _Title:
    """What a language says before a name."""

    said: str
    article: str = ""
    """What stands before it where the person is spoken of."""
    joined: tuple[tuple[str, str], ...] = ()
    """Prepositions, and what they are together with the article."""
    inflected: regex.Pattern[str] | None = None
    """Behind these words it has another form."""
    inflected_said: str = ""


_OBJECT = regex.compile(
    r"\b(?:mit|von|bei|zu|für|an|auf|gegen|ohne|um|nach|aus|seit|über|unter|vor|hinter|neben"
    r"|zwischen|durch|wegen|dem|den|des)\s$",
    regex.I,
)
_HERR = _Title("Herr", inflected=_OBJECT, inflected_said="Herrn")
_FRAU = _Title("Frau")
_OF_MAN_ES = (("de", "del"), ("a", "al"))
_OF_MAN_IT = (("di", "del"), ("a", "al"), ("da", "dal"), ("su", "sul"))
_OF_WOMAN_IT = (("di", "della"), ("a", "alla"), ("da", "dalla"), ("su", "sulla"))
_SENORA = _Title("señora", "la")
_SIGNORA = _Title("signora", "la", _OF_WOMAN_IT)
_TITLES: Mapping[str, Mapping[str, _Title]] = MappingProxyType(
    {
        "de": {"Mr": _HERR, "Mister": _HERR, "Mrs": _FRAU, "Ms": _FRAU},
        "es": {
            **dict.fromkeys(("Mr", "Mister"), _Title("señor", "el", _OF_MAN_ES)),
            **dict.fromkeys(("Mrs", "Ms"), _SENORA),
            "Miss": _Title("señorita", "la"),
        },
        "fr": {
            **dict.fromkeys(("Mr", "Mister"), _Title("M.")),
            **dict.fromkeys(("Mrs", "Ms"), _Title("Mme")),
            "Miss": _Title("Mlle"),
        },
        "it": {
            **dict.fromkeys(("Mr", "Mister"), _Title("signor", "il", _OF_MAN_IT)),
            **dict.fromkeys(("Mrs", "Ms"), _SIGNORA),
            "Miss": _Title("signorina", "la", _OF_WOMAN_IT),
        },
    }
)
_STOPPED = regex.compile(
    rf"(?P<title>Herrn?|Frau|[Ss]eñor(?:a|ita)?|Mme|Mlle|[Mm]onsieur|[Mm]adame|[Ss]ignor[ea]?"
    rf"|[Ss]ignorina)\. (?={_NAME})"
)
"""Titles that are no abbreviations, with the stop that the English ones have."""


def said_in(
    translation: str,
    source: str,
    language: str,
    source_language: str = "en",
    kept: Collection[str] = (),
) -> str:
    """Return a translation whose titles and places are those of its language.

    Args:
        translation: As a model has it.
        source: The text that it is a translation of.
        language: Tag of the translation's language; those in others than German, Spanish, French
            and Italian stay as they are.
        source_language: The source's; of others than English nothing is known.
        kept: Names that have to stay as they are.
    """
    known = primary_language(language)
    if known not in LANGUAGES or primary_language(source_language) != "en":
        return translation
    for name, said in _places_in(source, known):
        if name not in kept and not any(name in one.split() for one in kept):
            translation = _word(name).sub(said, translation)
    for match in _TITLED.finditer(source):
        translation = _with_title(translation, match, source, known)
    return translation


def other_forms(language: str) -> frozenset[str]:
    """Return the English names of places that are others in a language."""
    known = primary_language(language)
    return frozenset(_places(known)) if known in LANGUAGES else frozenset()


def _places_in(source: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the places of a text, each with its name in a language that has another one."""
    places = _places(language)
    for match in _RUN.finditer(source):
        name, start = match[0], match.start()
        first, _, rest = name.partition(" ")
        if first.lower() in _OPENERS:  # "In Vienna"
            name, start = rest, start + len(first) + 1
        said, maybe = places.get(name, ("", False))
        if said and (not maybe or _WHERE.search(source[:start])):
            yield name, said


def _with_title(translation: str, match: regex.Match[str], source: str, language: str) -> str:
    """A translation with the title that a name has in its source."""
    name = regex.escape(match["name"])
    title = None if match["name"] in OFFICES else _TITLES[language].get(match["title"])
    translation = regex.sub(
        rf"{_STOPPED.pattern}(?={name}(?!\p{{L}}))", lambda found: f"{found['title']} ", translation
    )
    if title is None:
        return translation
    taken_over = regex.compile(rf"(?<![\p{{L}}-]){match['title']}\.? (?={name}(?!\p{{L}}))").search(
        translation
    )
    if taken_over is None:
        return translation
    before, behind = translation[: taken_over.start()], translation[taken_over.end() :]
    called = _BEFORE_CALLED.search(source[: match.start()]) and _BEHIND_CALLED.match(
        source, match.end()
    )
    if title.inflected is not None and title.inflected.search(before):
        return f"{before}{title.inflected_said} {behind}"
    said = title.said
    if title.article and not called:
        before, said = _with_article(before, title)
    begins = not before.strip() or regex.search(r"[.!?…¿¡]\s*[\"«“¿¡]?$", before)
    said = said[0].upper() + said[1:] if begins else said
    return f"{before}{said} {behind}"


def _with_article(before: str, title: _Title) -> tuple[str, str]:
    """What stands before a title that is spoken of, and the title, with its article."""
    word = regex.search(r"(\p{L}+)\s$", before)
    if word is None:
        return before, f"{title.article} {title.said}"
    small, joins = str(word[1]).lower(), dict(title.joined)
    if small in joins:
        joined = joins[small]
        joined = joined[0].upper() + joined[1:] if word[1][0].isupper() else joined
        return f"{before[: word.start(1)]}{joined} ", title.said
    if small in {title.article, *joins.values()}:
        return before, title.said
    return before, f"{title.article} {title.said}"


@cache
def _word(name: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?<![\p{{L}}\p{{N}}-]){regex.escape(name)}(?![\p{{L}}\p{{N}}’'-])")


@cache
def _places(language: str) -> Mapping[str, tuple[str, bool]]:
    """English names to those of a language, and whether people are called so, too."""
    rows = files("subfit.text").joinpath("places.tsv").read_text(encoding="utf-8").splitlines()
    header, *cells = (row.split("\t") for row in rows)
    column = header.index(language)
    return {
        row[0].removesuffix(_MAYBE): (row[column], row[0].endswith(_MAYBE))
        for row in cells
        if row[column] != row[0].removesuffix(_MAYBE)
    }
