"""The names of a file that are kept: after ``Mr. Finch`` its Finch is no bird.

A title before a word with a capital makes it a name, all through the file, where nothing else
could be meant: with its title, within a sentence, or set off as those are who are spoken to. Words
that are titles themselves (``Mr. President``) are none. Such names stay as they are in languages
that write them so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import regex

from subfit.terms.glossary import Occurrence, TermFinder, name
from subfit.text.languages import closest_language

_NAME = r"(?P<name>\p{Lu}(?:[’']\p{Lu})?\p{Ll}(?:[’'](?!s\b)|[\p{L}-])*\p{L})"
"""A word with a capital: O'Neil; Finch of Finch's."""
_OFFICES = """
    President Vice Prime Minister Chairman Chairwoman Speaker Mayor Secretary Ambassador Justice
    Judge Attorney Senator Governor Director Chief General Admiral Commissioner Commander Doctor
    Professor Inspector Detective Sergeant Lieutenant Captain Colonel Sheriff Officer Agent Nurse
    Right Wrong Perfect Nice Big Tough Know Universe World America Christmas Sir Madam Mom Dad
    Präsident Präsidentin Kanzler Kanzlerin Ministerin Bürgermeister Richter Richterin Doktor
    Kommissar Kommissarin Inspektor Hauptmann Oberst Leutnant Major Kapitän Direktor Direktorin
    Lehrer Lehrerin Pfarrer Pastor Ober Wirt Graf Gräfin Baron König Königin Gott Jesus Nachbar
    Nachbarin Kollege Kollegin Rat Vorsitzender
    Presidente Presidenta Ministro Ministra Alcalde Alcaldesa Juez Jueza Directora Doctora Capitán
    Embajador Secretario Dios Jesús Président Présidente Ministre Maire Juge Directeur Directrice
    Docteur Capitaine Inspecteur Commissaire Ambassadeur Dieu Sindaco Giudice Direttore Direttrice
    Dottore Dottoressa Capitano Ispettore Commissario Ambasciatore Dio
"""
"""What is said to somebody behind another title, or means nobody."""
_TITLES = {
    "en": r"(?:Mrs?|Ms|Dr|Prof|Sgt|Capt|Lt|Det|Insp)\.?|Mister|Miss|Doctor|Professor|Inspector"
    r"|Detective|Sergeant|Lieutenant|Captain|Colonel|Sheriff|Officer|Agent|Nurse|Aunt|Uncle",
    # Not "meine Frau Angst hat", "der Herr Vater".
    "de": r"(?<!\b\p{Ll}+(?:e|er|en|em|es) )(?:Herrn?|Frau|Fräulein)|(?:Dr|Prof|Hr|Hrn|Fr)\."
    r"|Doktor|Professor|Kommissar|Kommissarin|Inspektor|Kapitän|Tante|Onkel",
    "es": r"(?:Sra?|Srta|Dra?|Prof)\.|(?i:señora?|señorita|doctora?|don|doña|capitán|inspectora?"
    r"|agente|sargento|tí[oa])",
    "fr": r"(?:M|Dr|Pr|Me)\.|Mr|Mmes?|Mlle|(?i:monsieur|madame|mademoiselle|docteur|capitaine"
    r"|inspecteur|lieutenant|tante|oncle)",
    "it": r"(?:Sig|Sig\.ra|Dott|Prof)\.|(?i:signora?|signor|signorina|dottor|dottoressa|capitano"
    r"|ispettore|sergente|zi[oa])",
}
_TITLED = {
    language: regex.compile(rf"(?<![\p{{L}}.-])(?:{titles})\s{_NAME}(?:[ ]{_NAME})?", regex.V1)
    for language, titles in _TITLES.items()
}
_LATIN = ("da", "de", "en", "es", "fr", "it", "nl", "no", "nb", "nn", "pt", "sv")
"""Languages that leave names as they are, without endings of their own."""
_BEFORE = regex.compile(r"[\p{L}\d,;][’'\"”]?\s$")
_SET_OFF = regex.compile(r"\s?(?:[,.!?…;:]|['’]s\b|$)")


class FileNames:
    """The names of a file that have a title somewhere in it.

    Args:
        texts: All that is said in the file.
        source_language: Its tag; titles are known of English, German, Spanish, French and Italian.
        language: Tag of the target language.
    """

    def __init__(self, texts: Sequence[str], source_language: str, language: str) -> None:
        known = closest_language(source_language, _TITLED)
        self._language = known if closest_language(language, _LATIN) else None
        names = dict.fromkeys(found for text in texts for found, _ in self._titled(text))
        self._finder = TermFinder(map(name, names), language, source_language) if names else None

    def find(self, text: str) -> tuple[Occurrence, ...]:
        """Return the names of a text as what has to be kept, each once."""
        if self._finder is None:
            return ()
        titled = {start for _, start in self._titled(text)}
        return tuple(
            replace(found, placeable=True, of_file=True)
            for found in self._finder.find(text)
            if found.start in titled or self._is_clear(text, found)
        )

    def _titled(self, text: str) -> Sequence[tuple[str, int]]:
        """The names behind titles, and where they stand."""
        return [
            (found, start)
            for match in (_TITLED[self._language].finditer(text) if self._language else ())
            for found, start in zip(match.captures("name"), match.starts("name"), strict=True)
            if found not in _OFFICES.split()
        ]

    def _is_clear(self, text: str, found: Occurrence) -> bool:
        """Whether a word without a title can only be the name.

        German writes all nouns with a capital; in other languages the first word of a sentence has
        one, whatever it is.
        """
        if self._language == "de":
            return False
        behind = found.start + len(found.source)
        return bool(_BEFORE.search(text, 0, found.start) or _SET_OFF.match(text, behind))
