"""Whom a German, Spanish, French or Italian text speaks to, by what it calls them.

Only words that are set off count, by a comma or an exclamation mark on one side at least: "Oui,
monsieur.", "Mama, komm!", but not "Monsieur Leroy est mort." or "Wer war es? Mama."
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import regex

from subfit.text.languages import closest_language

_NAME = r"\p{Lu}[\p{L}’'-]+"
_OPEN = r"(?:^|[.!?…:–—-]\s|[\"«„“¿¡(]\s?)"
"""Where a sentence begins."""


@dataclass(frozen=True, slots=True)
class _Titles:
    """What somebody is called who is addressed politely, and who is familiarly."""

    formal: regex.Pattern[str]
    informal: regex.Pattern[str]
    words: regex.Pattern[str]
    """All of them, and what friends and strangers are called alike."""


def _set_off(words: str, greetings: str) -> regex.Pattern[str]:
    """Words that open a sentence before a comma or close one behind it; greetings need none."""
    after_greeting = rf"(?:{_OPEN}|,\s)(?i:{greetings})\s(?:{words})(?=\s?[,.!?…]|$)"
    opening = rf"{_OPEN}(?:{words})(?=\s?[,!])"
    closing = rf",\s(?:{words})(?=\s?[,.!?…]|$)"
    return regex.compile(rf"{opening}|{closing}|{after_greeting}")


class _Written(NamedTuple):
    """The patterns of a language as they are written."""

    formal: str
    informal: str
    greetings: str
    others: str
    """What friends and strangers are called alike."""


_WRITTEN: Mapping[str, _Written] = MappingProxyType(
    {
        "de": _Written(
            rf"(?:Herr|Frau|Fräulein)(?: {_NAME})+|(?:[Mm]ein(?:e)? )?(?:Herr|Dame)"
            r"|[Gg]nädige Frau|Euer Ehren|(?:Eure|Euer) (?:Majestät|Hoheit|Exzellenz|Gnaden)",
            r"(?:[Mm]eine? )?(?:Mama|Mami|Mutti|Papa|Papi|Vati|Oma|Opa|Schatz|Liebling|Liebes"
            r"|Schätzchen|Süße[rn]?|Kumpel|Alter|Digga|Bruderherz|Kleine[rs]?|Idiot|Trottel)"
            r"|[Mm]ein (?:Junge|Kind|Lieber|Großer)|[Mm]eine (?:Kleine|Liebe)",
            r"ja|nein|danke|bitte|hallo|guten (?:Tag|Morgen|Abend)|gute Nacht|auf Wiedersehen"
            r"|jawohl|verzeihung",
            r"leute|jungs|mädels|kinder|freunde|(?:meine )?(?:damen und )?herren|(?:mein )?freund"
            r"|(?:liebe )?freunde|kollegen?",
        ),
        "es": _Written(
            r"(?i:señor(?:a|ita)?|caballero|doctora?|profesora?|inspectora?|comisari[oa]"
            rf"|agente|sargento|licenciad[oa]|don|doña)(?: {_NAME})*|(?i:señor (?:juez|alcalde))"
            r"|(?i:mi (?:general|capitán|coronel|comandante|sargento))"
            r"|(?i:señoría|(?:su|vuestra) (?:majestad|excelencia|alteza|señoría)|excelencia)",
            r"(?i:(?:mi )?(?:mamá|papá|mami|papi|cariño|cielo|amor|vida|reina|hij[oa]|niñ[oa])"
            r"|abuel[oa]|t[ií][oa]|herman[oa]|guap[oa]|colega|chaval|macho|idiota|tont[oa]|bobo)",
            r"sí|no|gracias|hola|adiós|buen[oa]s (?:días|tardes|noches)|por favor|perdón|oye|oiga",
            r"chic[oa]s|amig[oa]s?|muchach[oa]s?|señor[ea]s|señoras y señores|compañer[oa]s?|gente"
            r"|hombre|mujer|(?:mi )?(?:amig[oa]|comandante)",
        ),
        "fr": _Written(
            r"(?i:monsieur|madame|mademoiselle)(?: (?:le|la) [\p{Ll}-]+| "
            rf"{_NAME})*|(?i:docteur|maître|professeur|inspecteur|commissaire)(?: {_NAME})*"
            r"|(?i:mon (?:général|capitaine|colonel|commandant|lieutenant))"
            r"|(?i:votre (?:honneur|majesté|altesse|excellence|éminence)|majesté|excellence)",
            r"(?i:maman|papa|mamie|papy|papi|tonton|frérot|chérie?|mec|idiote?|imbécile"
            r"|mon (?:amour|chou|cœur|coeur|ange|pote|vieux|grand|chéri|fils|petit|trésor)"
            r"|ma (?:chérie|belle|puce|grande|fille|petite))",
            r"oui|non|merci|pardon|bonjour|bonsoir|bonne nuit|salut|au revoir|désolée?|bien sûr",
            r"les (?:gars|enfants|filles|garçons|amis|copains)|mesdames(?: et messieurs)?|messieurs"
            r"|mes amis|mon ami|mon enfant|mes enfants|l['’]ami",
        ),
        "it": _Written(
            rf"(?i:signor[ea]?|signorina|dottor(?:e|essa)?|professor(?:e|essa)?|ispettor[ea]?"
            rf"|commissario|avvocato|ingegnere|maresciallo|agente)(?: {_NAME})*"
            r"|(?i:signor (?:giudice|sindaco|presidente|capitano|colonnello|generale))"
            r"|(?i:vostro onore|(?:vostra|sua) (?:maestà|altezza|eccellenza)|eccellenza|maestà)",
            r"(?i:(?:mamma|papà|babbo|amore|tesoro|gioia|car[oa]|nonn[oa]|fratello|sorellina"
            r"|bell[oa]|idiota|scem[oa]|cretin[oa])(?: mi[oa])?|amico mio|figli[oa] mi[oa])",
            r"sì|no|grazie|ciao|prego|buongiorno|buonasera|buonanotte|arrivederci|scusa|mi scusi",
            r"ragazz[oie]|amic[oi]|signori|signore e signori|amici miei|bambini|gente|compagni",
        ),
    }
)
"""By language. What may be said to a friend and to a stranger alike is in neither list."""


@cache
def _titles(language: str) -> _Titles | None:
    """The patterns of a language, compiled when it is met: those of all four take 40 ms."""
    written = _WRITTEN.get(closest_language(language, _WRITTEN) or "")
    if written is None:
        return None
    formal, informal, greetings, others = written
    words = regex.compile(rf"(?:{formal}|{informal}|(?i:{others}))")
    return _Titles(_set_off(formal, greetings), _set_off(informal, greetings), words)


def called(text: str, language: str) -> tuple[bool, bool]:
    """Tell whether a text calls somebody what one calls strangers, and what one calls friends.

    Args:
        text: As spoken.
        language: Its tag; of others than German, Spanish, French and Italian nothing is known.

    Returns:
        Whether it does politely ("monsieur"), and whether familiarly ("maman").
    """
    titles = _titles(language)
    if titles is None:
        return False, False
    return titles.formal.search(text) is not None, titles.informal.search(text) is not None


def is_vocative(words: str, language: str) -> bool:
    """Tell whether words are nothing but what somebody is called: "mein Schatz", "señora Ruiz".

    Args:
        words: What stands between two commas, say.
        language: Its tag; of others than German, Spanish, French and Italian nothing is known.
    """
    titles = _titles(language)
    return titles is not None and titles.words.fullmatch(words) is not None
