"""How a text addresses somebody: politely or familiarly, told by its pronouns and verbs.

For German, Spanish, French and Italian. One person is meant: where several are spoken to, or the
forms of one text contradict each other, there is no label.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from subfit.text.casing import in_capitals
from subfit.text.casing import language_of as plain_language
from subfit.text.formality_words import (
    MARKS,
    SECOND_PERSON,
    SEVERAL_PEOPLE,
    THIRD_PERSON,
)

Formality = Literal["formal", "informal"]
FORMALITIES: tuple[Formality, ...] = get_args(Formality)
FormalityWish = Literal["formal", "informal", "auto"]
"""What a user may ask for; ``auto``: what the film calls for."""


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

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


LANGUAGES: frozenset[str] = frozenset(MARKS)
"""Those whose forms of address are known."""


def has_forms(language: str) -> bool:
    """Whether the forms of address of a language are known."""
    return plain_language(language) in LANGUAGES


_CALLED_BY_TITLE = re.compile(
    r"\b(?:Eu(?:er|re) (?:Ehren|Majestät|Hoheit|Exzellenz|Gnaden)"
    r"|(?:su|vuestra) (?:majestad|alteza|excelencia|señoría)"
    r"|votre (?:honneur|majesté|altesse|excellence)"
    r"|(?:vostro onore|vostra (?:maestà|altezza|eccellenza)))\b",
    re.IGNORECASE,
)
"""Titles whose possessives are no forms of address: "Euer Ehren" is said to one person."""


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
    marks = MARKS.get(plain_language(language))
    if marks is None or in_capitals(text):
        return None
    text = _CALLED_BY_TITLE.sub("", text)
    lowered = text.lower()
    informal = marks.informal.in_text(text, lowered)
    formal = marks.formal.in_text(text, lowered)
    if not (informal or formal) and source is not None and speaks_to_one(source, source_language):
        formal = marks.formal_if_you.in_text(text, lowered)
    if informal == formal or marks.plural.in_text(text, lowered):
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
    marks = MARKS.get(plain_language(language))
    if marks is None or in_capitals(text) or speaks_to_several(text, language):
        return None
    formal = marks.orders_formal.in_text(text, text.lower())
    informal = marks.orders_informal.in_text(text, text.lower())
    return None if formal == informal else "formal" if formal else "informal"


def speaks_to_several(source: str, language: str = "en") -> bool:
    """Tell whether a text speaks to more than one person, as far as its words say.

    Args:
        source: The text.
        language: Its tag.
    """
    marks = MARKS.get(plain_language(language))
    if marks is not None:
        return marks.plural.in_text(source, source.lower())
    return SEVERAL_PEOPLE.search(source) is not None


def says_you(source: str, language: str = "en") -> bool:
    """Tell whether a text has a word for whom it speaks to, or a verb that tells as much.

    Args:
        source: The text.
        language: Its tag.
    """
    if has_forms(language):
        return formality_of(source, language) is not None
    return SECOND_PERSON.search(source) is not None


def speaks_of_somebody(source: str, language: str = "en") -> bool:
    """Tell whether a text may speak of somebody else: of an English one, its words tell.

    Args:
        source: The text.
        language: Its tag.
    """
    return has_forms(language) or THIRD_PERSON.search(source) is not None


def speaks_to_one(source: str, language: str = "en") -> bool:
    """Tell whether a text speaks to one person, as far as its words say.

    Args:
        source: The text. In English it must say "you", and "he", "she", "it has" or "they" of
            nobody.
        language: Its tag.
    """
    if not says_you(source, language):
        return False
    return has_forms(language) or not speaks_of_somebody(source, language)
