"""How a text addresses somebody: politely or familiarly, told by its pronouns and verbs.

For German, Spanish, French and Italian. One person is meant: where several are spoken to, or the
forms of one text contradict each other, there is no label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

import regex

from subfit.text.casing import in_capitals
from subfit.text.languages import language_of as plain_language
from subfit.text.linebreak_lists import packaged

Formality = Literal["formal", "informal"]
FORMALITIES: tuple[Formality, ...] = get_args(Formality)
FormalityWish = Literal["formal", "informal", "auto", "any"]
"""What a user may ask for; ``auto``: what the film calls for; ``any``: as it comes."""


@dataclass(frozen=True, slots=True)
class Address:
    """The form of address that a film was translated with, and why."""

    asked: str
    """``formal``, ``informal`` or ``auto``, which it may be by default."""
    taken: Formality | None
    """What was taken; None where nobody is spoken to."""
    exceptions: int = 0
    """Sentences that the other form was asked for, since they say "sir" or the like."""
    unmet: int = 0
    """Sentences whose translation has the other form all the same, or mixes both."""
    natural_formal: int = 0
    """With ``auto``: of the translations looked at, those that were polite by themselves."""
    natural_informal: int = 0
    """With ``auto``: of the translations looked at, those that were familiar by themselves."""
    source_formal: int = 0
    """With ``auto``: sentences with words such as "sir" and "Mr. Hill"."""
    source_informal: int = 0
    """With ``auto``: sentences with words such as "mom", or a first name."""


LANGUAGES: frozenset[str] = frozenset({"de", "es", "fr", "it"})
"""Those whose forms of address are known."""


def has_forms(language: str) -> bool:
    """Whether the forms of address of a language are known."""
    return plain_language(language) in LANGUAGES


_START = r"(?:^|(?<=[.!?…:;¿¡«»„“”\"(–—-])\s?|(?<=[.!?…] ))(?:[¿¡\"«„“(–-]\s?)*"
"""Where a sentence, or a clause behind a dash or an opening mark, begins."""
_MIDDLE = r"(?<=[\p{L}\d,;’'%)] )"
"""Behind another word of the sentence, where a capital means something."""
_WORDS = {
    "words": (r"(?<![\p{L}’'-])", r"(?![\p{L}’'])"),
    "opening": (_START, r"(?![\p{L}’'-])"),
}
"""What stands around words, by what ``formality.yaml`` calls them."""


@cache
def _marks(language: str) -> Mapping[str, tuple[regex.Pattern[str], bool]]:
    """What gives away the forms of a language, by kind, and whether capitals matter to it."""
    marks = {}
    for name, patterns in packaged("subfit.text", "formality.yaml")[language].items():
        kind, _, cased = name.partition(" ")
        pattern = regex.sub(r"<<(\w+) ?(.*?)>>", _expanded, "|".join(patterns))
        marks[kind] = regex.compile(pattern), bool(cased)
    return marks


def _expanded(named: regex.Match[str]) -> str:
    if not named[2]:
        return {"start": _START, "middle": _MIDDLE, "name": r"\p{Lu}[\p{L}’'-]+"}[named[1]]
    before, behind = _WORDS[named[1]]
    return f"{before}(?:{named[2].replace(' ', '|')}){behind}"


def gives_away(text: str, language: str, kind: str) -> bool:
    """Whether a text has what gives away a form of address.

    Args:
        text: Normalised text.
        language: Its tag.
        kind: ``informal`` and ``formal`` are sure by themselves; ``formal_if_you`` is one only
            where the source says "you" and speaks of nobody else; ``plural``: several people, or
            neither; ``orders_formal`` and ``orders_informal`` open sentences of a source. In
            English ``you``: somebody is spoken to; ``others``: somebody is spoken of.
    """
    pattern, cased = _marks(plain_language(language)).get(kind, (None, False))
    return pattern is not None and pattern.search(text if cased else text.lower()) is not None


def formality_of(
    text: str, language: str, source: str | None = None, source_language: str = "en"
) -> Formality | None:
    """Tell how a text addresses somebody.

    Args:
        text: Normalised text in the language.
        language: Its tag; a region does not matter.
        source: The text that it translates, which settles forms that also mean "she", "they" or
            "his". Without it these tell nothing.
        source_language: Tag of the source's language.

    Returns:
        The form of address; None where nobody, or more than one person, is spoken to, where the
        forms contradict each other, or where the language's are not known.
    """
    if not has_forms(language) or in_capitals(text):
        return None
    text = _marks(plain_language(language))["titles"][0].sub("", text)
    informal = gives_away(text, language, "informal")
    formal = gives_away(text, language, "formal")
    if not (informal or formal) and source is not None and speaks_to_one(source, source_language):
        formal = gives_away(text, language, "formal_if_you")
    if informal == formal or gives_away(text, language, "plural"):
        return None
    if source and speaks_to_several(source, source_language):
        return None
    return "informal" if informal else "formal"


def imperative_of(text: str, language: str) -> Formality | None:
    """Tell the form of an order at the start of a sentence, as a source has it.

    Args:
        text: As spoken.
        language: Its tag.

    Returns:
        None where no such verb opens a sentence, or several people are spoken to. Of translations
        this is no evidence: an order in English may be to one or to many.
    """
    if not has_forms(language) or in_capitals(text) or speaks_to_several(text, language):
        return None
    formal = gives_away(text, language, "orders_formal")
    informal = gives_away(text, language, "orders_informal")
    return None if formal == informal else "formal" if formal else "informal"


def speaks_to_several(source: str, language: str = "en") -> bool:
    """Tell whether a text speaks to more than one person, as far as its words say.

    Args:
        source: The text.
        language: Its tag.
    """
    return gives_away(source, language if has_forms(language) else "en", "plural")


def speaks_to_one(source: str, language: str = "en") -> bool:
    """Tell whether a text speaks to one person, as far as its words say.

    Args:
        source: The text. In English it must say "you", and "he", "she", "it has" or "they" of
            nobody.
        language: Its tag.
    """
    if has_forms(language):
        return formality_of(source, language) is not None
    return gives_away(source, "en", "you") and not gives_away(source, "en", "others")


def is_vocative(words: str, language: str) -> bool:
    """Tell whether words are nothing but what somebody is called: "mein Schatz", "señora Ruiz".

    Args:
        words: What stands between two commas, say.
        language: Its tag; of others than German, Spanish, French and Italian nothing is known.
    """
    if not has_forms(language):
        return False
    return _marks(plain_language(language))["vocatives"][0].fullmatch(words) is not None
