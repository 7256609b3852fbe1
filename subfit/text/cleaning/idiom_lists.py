"""The lists of turns of speech (``idioms.yaml``): what each is found by, and where it may stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import regex
import yaml

from subfit.text.english_forms import verb_forms
from subfit.text.languages import closest_language

WORD = regex.compile(r"\p{L}+(?:['-]\p{L}+)*")
OBJECTS = {"my": "me", "your": "you", "his": "him", "her": "her", "its": "it", "our": "us"}
OBJECTS |= {"their": "them"}
"""Whose something is, and who that is where something is done to them."""
_OWNER = rf"(?P<owner>{'|'.join(OBJECTS)}|\p{{Lu}}\p{{Ll}}+'s)"
_WHO = (
    r"(?P<who>me|you|him|her|us|them|it|(?:every|some|any)(?:one|body)|nobody"
    r"|(?:my|your|his|her|our|their|the|this|that) \p{Ll}+|\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)"
)
_SLOTS = {
    "someone's": _OWNER,
    "one's": _OWNER,
    "someone": _WHO,
    "one": r"(?:i|you|he|she|it|we|they|one)",
    "oneself": r"(?P<self>(?:my|your|him|her|it|our|them)sel(?:f|ves))",
}
"""What words of a turn of speech stand for."""
_BE = r"(?:am|are|be|been|being|is|was|were|isn't|aren't|wasn't|weren't)"
_SEEM = r"(?:feel|look|seem|sound)(?:s|ed|ing)?|felt"
DEGREES = (
    "absolutely|actually|all|almost|already|also|always|a bit|a little|certainly|completely|ever"
    "|finally|just|kind of|maybe|never|not|only|pretty|probably|quite|rather|really|simply|so"
    "|sort of|still|such|suddenly|too|totally|truly|very"
)
_AFTER_BE = regex.compile(
    rf"(?:\b(?:{_BE}|{_SEEM})|\p{{L}}'(?:m|re|s)) (?:(?:i|you|he|she|it|we|they|this|that) )?"
    rf"(?:(?:{DEGREES}) )*$",
    regex.I,
)
_BEGINS = regex.compile(r"(?:^|[.!?…,;:—–])[\s\"'“‘«(¡¿-]*$")
_ENDS = regex.compile(
    r"\s*(?:$|[.!?…,;:—–\"”»)]|(?:again|already|and|anymore|because|but|if|now|or|so|then|today"
    r"|tonight|too|when|yet)\b)",
    regex.I,
)
_CLOSES = regex.compile(r"\s*(?:$|[.!?…,;:—–\"”»)])")
_ASKS = regex.compile(r"\s*\?")
_PLACES = (
    *("verbs", "verbs_that_end", "after_be", "after_be_that_ends"),
    *("anywhere", "opens", "asked", "whole"),
)
"""The lists; of what stands in several of them the last one counts where it holds."""


@dataclass(frozen=True, slots=True)
class Idiom:
    """A turn of speech in one of the forms of its verb."""

    place: str
    """The list that it stands in."""
    words: str
    """Its words, the first in the form that is looked for."""
    fixed: int
    """How many of its characters stand for no others: the most are the surest."""
    plain: str
    """Its verb in its first form, where it has one."""
    forms: tuple[str, ...] = ()
    """Those of its verb: first form, third person, past, participle, running."""

    def match(self, text: str, start: int) -> regex.Match[str] | None:
        """Find it at a place of a text where it may stand; apostrophes are straight there."""
        match = _pattern(self.words).match(text, start)
        return match if match and self._holds(text, *match.span()) else None

    def _holds(self, text: str, start: int, end: int) -> bool:
        """Whether what stands around it allows it."""
        match self.place:
            case "after_be":
                return bool(_AFTER_BE.search(text[:start]))
            case "after_be_that_ends":
                return bool(_AFTER_BE.search(text[:start]) and _ENDS.match(text, end))
            case "opens":
                return bool(_BEGINS.search(text[:start]))
            case "asked":
                return bool(_BEGINS.search(text[:start]) and _ASKS.match(text, end))
            case "whole":
                return bool(_BEGINS.search(text[:start]) and _CLOSES.match(text, end))
            case "verbs_that_end":
                return bool(_ENDS.match(text, end))
        return True


@cache
def idioms_of(language: str) -> Mapping[str, tuple[Idiom, ...]]:
    """Return the turns of speech of a language by their first words, sure ones first.

    Args:
        language: Its tag; of most languages no turns of speech are known.
    """
    known = closest_language(language, tuple(_lists()))
    lists = _lists()[known] if known else {}
    found: dict[str, list[Idiom]] = {}
    for place in _PLACES:
        for words, plain in lists.get(place, {}).items():
            first, _, rest = words.partition(" ")
            forms = forms_of(first) if place.startswith("verbs") else ()
            fixed = sum(len(word) for word in words.split() if word not in _SLOTS)
            for form in dict.fromkeys(forms or (first,)):
                idiom = Idiom(place, f"{form} {rest}".rstrip(), fixed, plain, forms)
                found.setdefault(first_word(form).lower(), []).append(idiom)
    return {word: tuple(sorted(idioms, key=_surest_first)) for word, idioms in found.items()}


def _surest_first(idiom: Idiom) -> tuple[int, int]:
    return -idiom.fixed, -_PLACES.index(idiom.place)


@cache
def forms_of(verb: str) -> tuple[str, ...]:
    """Return an English verb's first form, third person, past, participle and running form."""
    base, third, past, running = verb_forms(verb)
    irregular = _lists()["en"]["irregular"].get(verb, past).split()
    third = {"be": "is", "have": "has"}.get(verb, third)
    running = {"be": "being", "lie": "lying"}.get(verb, running)
    return base, third, irregular[0], irregular[-1], running


def first_word(text: str) -> str:
    """Return what `WORD` finds first: of ``hals-`` it is ``hals``."""
    found = WORD.search(text)
    return str(found[0]) if found else ""


@cache
def _pattern(words: str) -> regex.Pattern[str]:
    parts = [_SLOTS.get(word) or f"(?i:{regex.escape(word)})" for word in words.split()]
    return regex.compile(" ".join(parts) + r"(?![\p{L}\p{N}]|['-]\p{L})")


@cache
def _lists() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    file = files("subfit.text.cleaning").joinpath("idioms.yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where it was built
    lists: Mapping[str, Mapping[str, Mapping[str, str]]] = yaml.load(
        file.read_text(encoding="utf-8"), Loader=loader
    )
    return lists
