"""Placeables: parts of a text that a translation has as the source has them, or nearly so.

Addresses, names of things that are written as no word is (`PyTorch`, `GPT-4`, `get_text`), and
numbers, which change their separators at most. Only what can hardly be meant otherwise counts:
`7:30` becomes `19.30`, `24/7` a phrase and `the 1990s` a word, so these are left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from subfit.glossary import Occurrence, plain_characters
from subfit.languages import closest_language

_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>\"“”]*[\w/]"  # of the web
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # of mail
    r"|(?<!\w)[@#]\w+"  # of social media
)
_THING = re.compile(
    r"(?<![\w.'’/-])(?:"
    r"\w*[^\W\d_]_\w+"  # get_text
    r"|[^\W\d_]*[a-z][A-Z]\w*"  # PyTorch
    r"|[A-Za-z]+\d[\dA-Z]*|[A-Z]+-\d[\dA-Z]*"  # MP3, GPT-4
    r"|[\w-]+\.(?:com|conf|css|csv|html|js|json|md|net|org|pdf|png|py|srt|txt|vtt|xml|ya?ml|zip)"
    r")(?![\w-])"
)
_NUMBER = re.compile(
    r"(?<![\w.,:/'’-])(?:"
    r"(?P<version>\d+(?:\.\d+){2,})"  # 2.1.1
    r"|(?P<grouped>\d{1,3}(?:,\d{3})+)"  # 12,500
    r"|(?P<decimal>\d+\.\d+)"  # 3.5
    r"|(?P<whole>\d{2,})"  # 17, 2003
    r")(?![\w:/]|[.,-]\d|\s?[ap]\.?m\b|['’′″\"]\d)"
)
_GROUPED = {"de": ".", "es": ".", "fr": " ", "it": "."}
"""What parts thousands; by everyone else's rules, numbers so written are left to the model."""


def find_placeables(text: str, source_language: str, language: str) -> tuple[Occurrence, ...]:
    """Return the placeables of a text, each once, in the order of their first places.

    Args:
        text: In the source language.
        source_language: Its tag; separators inside numbers are read in English alone.
        language: Tag of the target language, which decides how numbers are written.
    """
    plain = plain_characters(text)
    english = closest_language(source_language, ("en",)) is not None
    found: dict[str, Occurrence] = {}
    end = 0
    for match in sorted(_matches(plain), key=lambda each: (each.start(), -each.end())):
        forms = _forms(match, english, language)
        if match.start() >= end and forms:
            found.setdefault(match[0], Occurrence(match[0], match.start(), forms, placeable=True))
            end = match.end()
    return tuple(found.values())


def with_placeables(
    terms: Sequence[Occurrence], placeables: Sequence[Occurrence]
) -> tuple[Occurrence, ...]:
    """Return terms and placeables in their order, without placeables that a term overlaps."""
    taken = [(each.start, each.start + len(each.source)) for each in terms]
    free = [
        each
        for each in placeables
        if all(each.start + len(each.source) <= start or end <= each.start for start, end in taken)
    ]
    return tuple(sorted([*terms, *free], key=lambda each: each.start))


def _matches(text: str) -> Iterator[re.Match[str]]:
    for pattern in (_ADDRESS, _THING, _NUMBER):
        yield from pattern.finditer(text)


def _forms(match: re.Match[str], english: bool, language: str) -> tuple[str, ...]:
    """How a translation may have it, the preferred form first; nothing if that is not known."""
    groups = match.groupdict()
    if groups.get("grouped"):
        mark = _GROUPED.get(closest_language(language, _GROUPED) or "")
        if not english or mark is None:
            return ()
        marks = dict.fromkeys((mark, "", " ", "."))
        return tuple(match[0].replace(",", each) for each in marks)
    if groups.get("decimal"):
        if not english or closest_language(language, _GROUPED) is None:
            return ()
        return (match[0].replace(".", ","), match[0])
    return (match[0],)
