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
from subfit.text.offices import OFFICES

NAME = r"\p{Lu}(?:[’']\p{Lu})?\p{Ll}(?:[’'](?!s\b)|[\p{L}-])*\p{L}"
"""A word with a capital: O'Neil; Finch of Finch's."""
_NAMES = rf"(?P<name>{NAME})(?:[ ](?P<name>{NAME}))?"

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
_LATIN = ("da", "de", "en", "es", "fr", "it", "nl", "no", "nb", "nn", "pt", "sv")
"""Languages that leave names as they are, without endings of their own."""

_TITLED = {
    language: regex.compile(rf"(?<![\p{{L}}.-])(?:{titles})\s{_NAMES}", regex.V1)
    for language, titles in _TITLES.items()
}
_BEFORE = regex.compile(r"[\p{L}\d,;][’'\"”]?\s$")
_SET_OFF = regex.compile(r"\s?(?:[,.!?…;:]|['’]s\b|$)")


class FileNames:
    """The names of a file that have a title somewhere in it, or that it repeats.

    Args:
        texts: All that is said in the file.
        source_language: Its tag; titles are known of English, German, Spanish, French and Italian.
        language: Tag of the target language.
    """

    def __init__(
        self,
        texts: Sequence[str],
        source_language: str,
        language: str,
    ) -> None:
        self._language = closest_language(source_language, _TITLED)
        names: dict[str, None] = {}
        if self._language and closest_language(language, _LATIN):
            for text in texts:
                names |= dict.fromkeys(found for found, _ in self._titled(text))
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
        assert self._language is not None
        return [
            (found, start)
            for match in _TITLED[self._language].finditer(text)
            for found, start in zip(match.captures("name"), match.starts("name"), strict=True)
            if found not in OFFICES
        ]

    def _is_clear(self, text: str, found: Occurrence) -> bool:
        """Whether a word without a title can only be the name.

        German writes all nouns with a capital; in other languages the first word of a sentence has
        one, whatever it is.
        """
        if self._language == "de":
            return False
        if _BEFORE.search(text, 0, found.start):
            return True
        return bool(_SET_OFF.match(text, found.start + len(found.source)))
