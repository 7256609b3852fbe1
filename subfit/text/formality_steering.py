"""The words by which a translation is kept to one form of address: those to bar, those to have.

For models that cannot be asked for a form. Pronouns and possessives do most of it: a model that may
not say "Sie" finds "du", and the verb that goes with it. Spanish and Italian mostly leave the
pronoun out; there the familiar verbs are barred, and where that is not enough the polite pronoun is
asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from subfit.text.casing import language_of as plain_language
from subfit.text.formality import (
    Formality,
    says_she,
    says_you,
    speaks_of_somebody,
    speaks_to_one,
)
from subfit.text.formality_words import ITALIAN_VERBS, SPANISH_VERBS


@dataclass(frozen=True, slots=True)
class Steering:
    """How to keep translations to one form."""

    barred: tuple[str, ...]
    """Words of the other form alone."""
    barred_if_you: tuple[str, ...]
    """Words that also mean "she", "they" or "his", barred where somebody is spoken to and nobody
    spoken of."""
    wanted: tuple[str, ...]
    """Words of which a translation may be asked to have one."""
    in_orders: bool = False
    """Whether orders have such a word, too ("Kommen Sie!")."""
    capitals_tell: bool = False
    """Whether capitals tell "you" from "she", "they" and "his", but where a sentence begins."""


def barred_words(
    form: Formality,
    language: str,
    source: str,
    source_language: str = "en",
    *,
    addressed: bool = False,
) -> tuple[str, ...]:
    """Return the words that a translation must do without to have a form of address.

    Args:
        form: The one that is wanted.
        language: Of the translation; a region does not matter.
        source: The text that is translated.
        source_language: Its tag.
        addressed: Whether somebody is spoken to although the source may have no word for it, as in
            orders.
    """
    steering = _STEERING[plain_language(language)][form]
    spoken_of = says_she if steering.capitals_tell else speaks_of_somebody
    alone = addressed and not spoken_of(source, source_language)
    if alone or speaks_to_one(source, source_language):
        return (*steering.barred, *steering.barred_if_you)
    return steering.barred


def wanted_words(form: Formality, language: str) -> tuple[str, ...]:
    """Return the words of which any gives a translation its form of address."""
    return _STEERING[plain_language(language)][form].wanted


def needs_word(form: Formality, language: str, source: str, source_language: str = "en") -> bool:
    """Tell whether a translation needs one of the wanted words to have a form of address.

    Not where the source has no word for "you": there an order has the form without one ("Komm!",
    "Venez !"), and a word put in for its sake belongs nowhere.

    Args:
        form: The one that is wanted.
        language: Of the translation; a region does not matter.
        source: The text that is translated.
        source_language: Its tag.
    """
    in_orders = _STEERING[plain_language(language)][form].in_orders
    return in_orders or says_you(source, source_language)


def _both(words: str) -> tuple[str, ...]:
    """Words in small letters and with a capital."""
    return tuple(form for word in words.split() for form in (word, word[0].upper() + word[1:]))


_DU = "du dich dir dein deine deinem deinen deiner deines"
_SIE = ("Sie", "Ihnen", "Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer", "Ihres")
_GERMAN_VERBS = (
    "bist hast kannst willst musst darfst weißt wirst warst hattest könntest würdest solltest"
)
_TU_SPANISH = "tú te ti tu tus contigo tuyo tuya"
_TU_FRENCH = "tu te toi ton ta tes tien tienne"
_TU_ITALIAN = "tu ti te tuo tua tuoi tue"
_ITALIAN_IMPERATIVES = """
dimmi dammi fammi lasciami aiutami ascoltami guardami scusami scusa vattene calmati siediti
"""
_LEI = ("Lei", "Suo", "Sua", "Suoi", "Sue")

_STEERING: Mapping[str, Mapping[Formality, Steering]] = MappingProxyType(
    {
        "de": {
            "informal": Steering((), _SIE, tuple(_DU.split()), capitals_tell=True),
            "formal": Steering((*_both(_DU), *_both(_GERMAN_VERBS)), (), _SIE, in_orders=True),
        },
        "es": {
            "informal": Steering(
                _both("usted ustedes"), _both("su sus suyo suya"), ("tú", "te", "ti", "tu", "tus")
            ),
            "formal": Steering((*_both(_TU_SPANISH), *_both(SPANISH_VERBS)), (), ("usted",)),
        },
        "fr": {
            "informal": Steering(
                (*_both("vous votre vos"), "-vous"), (), ("tu", "te", "toi", "ton", "ta", "tes")
            ),
            "formal": Steering((*_both(_TU_FRENCH), "-tu", "-toi"), (), ("vous", "votre", "vos")),
        },
        "it": {
            "informal": Steering(
                (), (*_LEI, "lei", "suo", "sua"), ("tu", "ti", "te", "tuo", "tua")
            ),
            "formal": Steering(
                (*_both(_TU_ITALIAN), *_both(ITALIAN_VERBS), *_both(_ITALIAN_IMPERATIVES)),
                ("sei", "Sei"),
                ("Lei",),
            ),
        },
    }
)
