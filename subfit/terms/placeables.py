"""Placeables: parts of a text that a translation has as the source has them, or nearly so.

Addresses, names of things that are written as no word is (`PyTorch`, `GPT-4`, `get_text`), and
numbers, which change their separators at most or, in words, are said in another language
(`subfit.text.number_words`). What the model reads something else for (`subfit.text.cleaning`:
addresses, amounts, measures, times of day) is among them, as the target language writes it. Only
what can hardly be meant otherwise counts: `24/7` becomes a phrase and `the 1990s` a word, so these
are left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import regex

from subfit.terms.glossary import Occurrence, name, plain_characters
from subfit.text.cleaning.cleaning import find_stand_ins
from subfit.text.cleaning.stand_ins import StandIn
from subfit.text.languages import closest_language, same_language
from subfit.text.number_words import in_digits, number_forms
from subfit.text.spans import Spans
from subfit.text.spelt_numbers import find_spelt_numbers

_THING = re.compile(
    r"(?<![\w.'/-])(?:"
    r"\w*[^\W\d_]_\w+"  # get_text
    r"|(?!WW[12])(?:[A-Za-z]+[0-9][0-9A-Z]*|[A-Z]+-[0-9][0-9A-Z]*)"  # MP3, GPT-4
    r")(?![\w-])"
)
_PHONE = re.compile(r"(?<![\w.'/-])(?:\(?[0-9]{3}\)?[ -])?[0-9]{3}-[0-9]{4}(?![\w-])")
_INNER_CAPITAL = re.compile(
    r"(?<![\w.'/-])(?!(?:PhDs?|WiFi|mRNA)\b)[^\W\d_]*[a-z][A-Z]\w*(?![\w-])"  # PyTorch
)
_PICTURE = regex.compile(r"(?![\d#*©®™♪♫♬♩])\p{Emoji}[\p{M}\u200d\p{Emoji}--[\d#*]]*", regex.V1)
_ELSEWHERE = regex.compile(  # 你好, in a script that neither side is written in
    r"(?:(?!\p{Latin})\p{L}\p{M}*)+(?:\s+(?:(?!\p{Latin})\p{L}\p{M}*)+)*"
)
_HOUR = r"(?i:\s?[ap]\.?\s?m\b|\s?Uhr\b|\s?h(?:eures?)?\b)"
_NUMBER = re.compile(
    r"(?<![\w.,:/'–-])(?<![0-9] )(?:"
    r"(?P<version>[0-9]+(?:\.[0-9]+){2,})"  # 2.1.1
    r"|(?P<grouped>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?)"  # 12,500 and 1,250.50
    r"|(?<!\bat )(?P<decimal>[0-9]+\.[0-9]+)"  # 3.5, but not "at 3.30"
    r"|(?P<whole>[0-9]{2,}|[0-9](?!-))"  # 17, 2003, 4
    rf")(?!\w|[:/.,'′″\"–-][0-9]|'s\b| [0-9]{{3}}(?![0-9])|{_HOUR}"
    rf"|\s(?:to|and|or|-|–)\s[0-9]{{1,2}}{_HOUR})"
)
_ROUND = re.compile(r"1(?:,000)+")
"""What is said in words as often."""
_GROUPED = {"de": ".", "es": ".", "fr": " ", "it": "."}
"""What parts thousands; by everyone else's rules, numbers so written are left to the model."""
_FEW: dict[str, dict[str, tuple[str, ...]]] = {
    "de": {
        "1": ("eine", "einen", "einem", "einer", "eines", "einmal", "erste", "ersten"),
        "2": ("beide", "beiden", "beider", "zweite", "zweiten"),
    },
    "es": {"1": ("una", "uno", "primer", "primera"), "2": ("ambos", "ambas", "segundo", "segunda")},
    "fr": {"1": ("une", "premier", "première"), "2": ("second", "seconde", "deuxième")},
    "it": {
        "1": ("una", "uno", "un", "primo", "prima"),
        "2": ("entrambi", "entrambe", "secondo", "seconda"),
    },
}
"""What else may stand for one and two."""


def find_placeables(text: str, source_language: str, language: str) -> tuple[Occurrence, ...]:
    """Return the placeables of a text, each once, in the order of their first places.

    Args:
        text: In the source language.
        source_language: Its tag. Separators inside numbers and capitals inside words tell what is
            meant in English alone.
        language: Tag of the target language, which decides how numbers are written.
    """
    plain = plain_characters(text)
    english = same_language(source_language, "en")
    matches = [*_matches(plain, english), *(_strange(plain, language) if english else ())]
    read_as_others = find_stand_ins(plain, source_language, language)
    found: dict[str, Occurrence] = {}
    for each in read_as_others:
        found.setdefault(each.source, _occurrence_of(each, language))
    read = Spans((each.start, each.end) for each in read_as_others)
    end = 0
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        forms = _forms(match, english, language)
        if match.start() >= end and forms and not read.meets(*match.span()):
            held = match.re not in (_PICTURE, _ELSEWHERE)
            occurrence = Occurrence(
                match[0], match.start(), forms, placeable=True, held=held, language=language
            )
            found.setdefault(match[0], occurrence)
            end = match.end()
    numbers = _in_words(plain, source_language, language)
    kept = sorted(found.values(), key=lambda occurrence: occurrence.start)
    return with_placeables(kept, tuple(numbers))


def _occurrence_of(read: StandIn, language: str) -> Occurrence:
    """What the model reads something else for."""
    return Occurrence(read.source, read.start, read.targets, placeable=True, language=language)


def _in_words(text: str, source_language: str, language: str) -> Iterator[Occurrence]:
    """The numbers that a text has in words, each once."""
    known: set[int] = set()
    for each in find_spelt_numbers(text, source_language):
        forms = number_forms(each.value, language)
        if forms and each.value not in known:
            known.add(each.value)
            digits = in_digits(each.value, source_language)
            yield Occurrence(
                each.text, each.start, forms, placeable=True, digits=digits, language=language
            )


def with_placeables(
    terms: Sequence[Occurrence], placeables: Sequence[Occurrence]
) -> tuple[Occurrence, ...]:
    """Return terms and placeables in their order, without placeables that a term overlaps."""
    taken = Spans((term.start, term.start + len(term.source)) for term in terms)
    free = [
        placeable
        for placeable in placeables
        if not taken.meets(placeable.start, placeable.start + len(placeable.source))
    ]
    return tuple(sorted([*terms, *free], key=lambda term: term.start))


def _matches(text: str, english: bool) -> Iterator[re.Match[str]]:
    for pattern in (_THING, _NUMBER):
        yield from pattern.finditer(text)
    if english:
        yield from _PHONE.finditer(text)
        yield from _INNER_CAPITAL.finditer(text)


def _strange(text: str, language: str) -> Iterator[re.Match[str]]:
    """What models can neither read nor write: it is told where it is missing, but not held."""
    yield from _PICTURE.finditer(text)
    if closest_language(language, _GROUPED) is not None:
        yield from _ELSEWHERE.finditer(text)


def _forms(match: re.Match[str], english: bool, language: str) -> tuple[str, ...]:
    """How a translation may have it, the preferred form first; nothing if that is not known."""
    if match.re is _NUMBER:
        return _number_forms(match, english, language)
    if match.re in (_PICTURE, _ELSEWHERE):
        return (match[0],)
    if match.re is _PHONE:
        return (match[0], match[0].replace("-", " "), re.sub(r"\D", "", match[0]))
    bare = re.sub(r"-(?=[0-9])", "", match[0])  # COVID-19
    spelt = re.sub(r"(?<=[A-Za-z])(?=[0-9])", "-", bare, count=1)
    singular = match[0].removesuffix("s") if match.re is _INNER_CAPITAL else match[0]
    endings = name(match[0]).targets_in(language)
    return tuple(dict.fromkeys((match[0], *endings, singular, bare, spelt)))


def _number_forms(match: re.Match[str], english: bool, language: str) -> tuple[str, ...]:
    number = match[0]
    known = closest_language(language, _GROUPED)
    if match["grouped"]:
        if not english or known is None or _ROUND.fullmatch(number):
            return ()
        elsewhere = known == "es" and "-" in language and not language.endswith("ES")
        marks = [_GROUPED[known], "", " "]
        marks += ["'"] if language.endswith("-CH") else []
        whole, *decimals = number.split(".")
        end = "".join(f",{decimal}" for decimal in decimals)
        forms = [whole.replace(",", mark) + end for mark in dict.fromkeys(marks)]
        return (*forms, number) if elsewhere else tuple(forms)
    if match["decimal"]:
        return (number.replace(".", ","), number) if english and known is not None else ()
    return _digit_forms(number, language) if len(number) == 1 else (number,)


def _digit_forms(digit: str, language: str) -> tuple[str, ...]:
    """How a single digit may be written, in words too; nothing if these are not known."""
    forms = number_forms(int(digit), language)
    if not forms or digit == "0":
        return ()
    more = _FEW.get(closest_language(language, _FEW) or "", {}).get(digit, ())
    return tuple(dict.fromkeys((digit, *forms, *more)))
