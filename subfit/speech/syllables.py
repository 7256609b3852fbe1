"""How many syllables a text has when it is said.

Words are parted by the hyphenation patterns of pyphen, which never cut off a single letter and so
miss syllables at either end; in each part the vowels are counted by the rules of the language.
Numbers, abbreviations and words in capitals count as they are read. What is not in Latin letters
counts by the rules of its script (`subfit.speech.script_syllables`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from subfit.speech.script_syllables import (
    CYRILLIC_VOWELS,
    WORD,
    script_of,
    syllables_of,
    writes_sounds,
)
from subfit.speech.spoken_numbers import number_syllables
from subfit.text.languages import primary_language

LANGUAGES = ("de", "en", "es", "fr", "it")
"""Languages with rules of their own; others in Latin letters count runs of vowels."""

_TOKEN = re.compile(
    r"\d{1,3}(?:[.,\u00a0\u202f' ]\d{3})+(?!\d)|\d+|[^\W\d_]+(?:[’'][^\W\d_]+)*|[%&€$£°+=@#]"
)
_ABBREVIATION = re.compile(
    r"\b(?:[^\W\d_]\.[ \u00a0]?){2,}|\bEE\. ?UU\.|\bp\. ?e[jx]\.|\b[^\W\d_]{1,5}\."
    r"|\b(?:Mme|Mlle|Mgr|Dr|km|kg|cm|mm)\b",
    re.IGNORECASE,
)
_ELIDED = re.compile(r"^(?:[^\W\d_]|[Dd]ell|[Nn]ell|[Aa]ll|[Qq]u)[’'](?=[A-Z]{2})")
"""What has no syllable of its own before letters: l'FBI."""
_DRAWN_OUT = "\u0640"
"""What draws an Arabic word out."""
_VOWELS = "aeiouyæœøıəɛɔɨʉ" + "".join(
    letter
    for letter in map(chr, (*range(0xE0, 0x250), *range(0x1E00, 0x1F00)))
    if letter.islower() and unicodedata.normalize("NFD", letter)[0] in "aeiouy"
)
"""Vowels of all languages in Latin letters, with whatever marks they have: ą, ő, ư."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """How a language makes syllables of letters."""

    nuclei: re.Pattern[str]
    """Matches once for each syllable of a word's part."""
    silent: re.Pattern[str]
    """Matches letters that look like a syllable and are none."""
    patterns: str
    """Name of the hyphenation patterns."""
    abbreviations: Mapping[str, int] = field(default_factory=dict)
    """Syllables of what is written short."""
    letters: Mapping[str, int] = field(default_factory=dict)
    """Syllables of the names of letters that have not one."""
    signs: Mapping[str, int] = field(default_factory=dict)
    """Syllables of signs; two where not said."""


def _rules(nuclei: str, silent: str, patterns: str, **tables: str) -> _Rules:
    flags = re.IGNORECASE
    counts: dict[str, Mapping[str, int]] = {
        name: {
            key: int(count) for key, _, count in (entry.rpartition(":") for entry in text.split())
        }
        for name, text in tables.items()
    }
    return _Rules(re.compile(nuclei, flags), re.compile(silent, flags), patterns, **counts)


_NEVER = r"(?!)"
_RULES = {
    # Diphthongs and doubled vowels are one; the patterns know where two vowels part: Mu-se-um.
    "de": _rules(
        r"ai|ay|au|äu|ei|ey|eu|ie|oi|oo|aa|ee|ou|[aeiouäöüyéèêà]",
        r"(?<=q)u",
        "de",
        abbreviations="dr.:2 hr.:1 fr.:1 z.b.:3 d.h.:2 u.a.:5 usw.:4 bzw.:5 ca.:2 nr.:2 st.:1 "
        "prof.:3 evtl.:4 ggf.:6 etc.:4 u.s.w.:4 sog.:3 o.ä.:4 dr:2 km:4 kg:3 cm:4 mm:4",
        letters="y:3",
        signs="%:2 &:1 €:2 $:2 °:1 +:1 =:1",
    ),
    # Silent e at the end of a word or of its stem, -ed but after d and t, -es but after a sibilant.
    "en": _rules(
        r"eau|(?<![aeiou])y(?![aeiou])|(?<=[^aeiouy])n(?=[’']t)|ia(?!l)|eo(?!u|pl)|[aeiou]+y?",
        r"(?<=[^aeiouylszxgc])es$|(?<=[^aeiouyl])e$|(?<=[^aeioudty])e(?=d$)|(?<=[aeiouy]l)e(?=s?$)"
        r"|(?<=[^aeiouylszxgc])e(?=s$)|(?<=q)u|^y(?=[aeiou])"
        r"|(?<=[aeiouy][^aeiouylszxgc])e(?=ly$|ments?$|ful$|less$|thing$|times$)",
        "en_US",
        abbreviations="mr.:2 mrs.:2 ms.:1 dr.:2 st.:1 vs.:2 etc.:4 e.g.:2 i.e.:2 a.m.:2 p.m.:2 "
        "u.s.:2 u.k.:2 dr:2 km:4 kg:2 cm:4 mm:4",
        letters="w:3",
        signs="%:2 &:1 €:2 $:2 °:2 +:1 =:2",
    ),
    # i and u glide beside another vowel unless they have an accent; que, gui have a silent u.
    "es": _rules(
        r"[iuü]?[aeoáéó](?:[iuü]|y(?![aeiouáéíóú]))?(?![íú])|[iuü]?[aeoáéó]|[íú]"
        r"|[iuü]+(?:[íú]|y(?![aeiouáéíóú]))?|y(?![aeiouáéíóú])",
        r"(?<=[qg])u(?=[eéií])",
        "es",
        abbreviations="sr.:2 sra.:3 srta.:4 dr.:2 dra.:3 ud.:2 uds.:3 d.:1 dª.:2 p.ej.:4 etc.:4 "
        "núm.:3 pág.:3 ee.uu.:6 prof.:3 dr:2 km:4 kg:2 cm:4 mm:4",
        letters="f:2 h:2 j:2 l:2 m:2 n:2 ñ:2 r:2 s:2 w:4 x:2 y:3 z:2",
        signs="%:3 &:1 €:2 $:2 °:2 +:1 =:2",
    ),
    # Runs of vowels, parted after é; e is silent at the end and between single consonants.
    "fr": _rules(
        r"(?<=[bcdfgptv][lr])i(?=[eéèao])|é(?=[aeiouâôàè])|[aeou]?[ïü]|[aeiouyàâäèéêëîïôöùûüœæ]+?(?=é)|[aeiouyàâäèéêëîïôöùûüœæ]+",
        r"(?<=[^aeiouyàâäèéêëîïôöùûüœæ])e(?=s?$)|(?<=[iéuy])e(?=s?$)|(?<=q)u|(?<=g)[ue](?=[aeiouéèê])"
        r"|(?<=[aeiouyàâèéêîôùû][bcdfgjklmnprstvz])e(?=[bcdfgjklmnpqrstvz][aeiouyàâèéêîôùû])",
        "fr",
        abbreviations="m.:2 mm.:2 mme.:2 mlle.:3 dr.:2 etc.:4 p.ex.:3 st.:1 ste.:1 n°:3 mme:2 "
        "mlle:3 mgr:4 dr:2 km:3 kg:2 cm:3 mm:3",
        letters="w:3 y:2",
        signs="%:2 &:1 €:2 $:2 °:2 +:1 =:2",
    ),
    # As in Spanish; the i of cia, gio and scia only says how c, g and sc sound.
    "it": _rules(
        r"[iu]?[aeoàèéòó][iu]?(?![ìù])|[iu]?[aeoàèéòó]|[ìùí]|[iu]+[ìù]?|y",
        r"(?<=q)u|(?<=[cg])i(?=[aeouòà])|(?<=sc)i(?=[aeou])|(?<=g)u(?=[aeio])",
        "it",
        # The titles stand before names, where they lose their last vowel; "sig.ra" has a word "ra".
        abbreviations="sig.:2 dott.:2 dr.:2 dr:2 prof.:3 ecc.:4 es.:3 ad.es.:4 pag.:3 n.:3 km:4 "
        "kg:2 cm:5 mm:5",
        letters="f:2 h:2 j:3 k:2 l:2 m:2 n:2 r:2 s:2 w:3 x:2 y:3 z:2",
        signs="%:3 &:1 €:2 $:3 °:2 +:1 =:3",
    ),
}
_OTHERS = _rules(rf"[{_VOWELS}]+", _NEVER, "")
_HIATUS = re.compile(r"[^aeiou]*[iu][aeo]", re.IGNORECASE)
"""Italian words of this shape are stressed on the first vowel: mio, due, zia."""


def count_syllables(text: str, language: str) -> int:
    """Return the syllables of a text."""
    primary = _primary(language)
    read, words, others = _as_read(text, language)
    elsewhere = sum(syllables_of(word, primary) for word in others)
    return read + elsewhere + sum(_word_syllables(word, primary) for word in words)


def spoken_letters(text: str, language: str, letters: float) -> float:
    """Return how many letters a text would have if all of it were written out.

    Args:
        text: Plain text.
        language: BCP 47 tag of its language.
        letters: Of a syllable on average: what a number has for each of its syllables, and a word
            in a script whose letters are more or less than a sound.
    """
    read, words, others = _as_read(text, language)
    sounds = [word for word in others if writes_sounds(word)]
    signs = sum(syllables_of(word, _primary(language)) for word in others if word not in sounds)
    return (read + signs) * letters + sum(map(len, [*words, *sounds]))


def _primary(language: str) -> str:
    return primary_language(language) or language


def _as_read(text: str, language: str) -> tuple[int, list[str], list[str]]:
    """Return the syllables of numbers, signs and whatever is written short, and all other words.

    The words of other scripts than the Latin one are by themselves.
    """
    primary = _primary(language)
    text = unicodedata.normalize("NFC", text).replace(_DRAWN_OUT, "")
    rules = _RULES.get(primary, _OTHERS)
    read = 0
    words: list[str] = []

    def expand(match: re.Match[str]) -> str:
        nonlocal read
        short = re.sub(r"\s", "", match[0]).lower()
        if short not in rules.abbreviations:
            return match[0]
        read += rules.abbreviations[short]
        return " "

    rest = _ABBREVIATION.sub(expand, text)
    words_in_all = rest.split()
    shouted = rest.isupper() and (len(words_in_all) > 2 or any(len(w) > 4 for w in words_in_all))
    others: list[str] = []
    for word in WORD.findall(rest):
        if script_of(word[0]) == "Cyrillic" and _is_spelt(word, CYRILLIC_VOWELS, shouted=shouted):
            read += len(word)
        else:
            others.append(word)
    for token in _TOKEN.findall(WORD.sub(" ", rest)):
        if token[0].isdigit():
            read += number_syllables(re.sub(r"\D", "", token), primary)
        elif not token[0].isalpha():
            read += rules.signs.get(token, 2)
        elif _is_spelt(token, _VOWELS, shouted=shouted):
            token = _ELIDED.sub("", token)
            read += sum(rules.letters.get(letter, 1) for letter in token.lower())
        else:
            words.append(token.lower())
    return read, words, others


def _is_spelt(token: str, vowels: str, *, shouted: bool) -> bool:
    """Whether capitals are read letter by letter: USA, BBC, but not NATO."""
    token = _ELIDED.sub("", token)
    if shouted or len(token) < 2 or not token.isupper():
        return False
    return len(token) <= 3 or not any(letter in vowels for letter in token.lower())


@cache
def _word_syllables(word: str, language: str) -> int:
    rules = _RULES.get(language, _OTHERS)
    if language == "it" and _HIATUS.fullmatch(word) and "q" not in word:
        return 2
    heard = rules.silent.sub("", word)
    parts = _hyphenated(heard, rules.patterns)
    # Elided words have none of their own: l', d', qu'.
    count = sum(len(rules.nuclei.findall(part)) for part in parts)
    return max(count, 1)


def _hyphenated(word: str, patterns: str) -> list[str]:
    """Part a word where it may be hyphenated."""
    if not patterns:
        return [word]
    parted = str(_dictionary(patterns).inserted(word, "\n"))
    if patterns == "de":  # Idee
        parted = parted.replace("e\ne", "ee") if word.endswith("ee") else parted
    return parted.split("\n")


@cache
def _dictionary(patterns: str) -> Any:
    import pyphen  # reads a file for each language

    return pyphen.Pyphen(lang=patterns, left=1, right=1)
