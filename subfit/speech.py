"""How long it takes to say a text, and how long it may take.

A language has a rate of syllables a second, as measured by Pellegrino, Coupé and Marsico (2011,
Language 87) on read texts without their pauses; where nobody has measured one, the mean is taken.
Syllables are the runs of vowels between the hyphens of pyphen, or a share of the letters in scripts
other than Latin. One of more letters than usual lasts longer; how much, and how long punctuation
makes a voice pause, was fitted to espeak-ng (``benchmarks/speaking_time.py``).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import regex

from subfit.text.languages import primary_language

Sync = Literal["ok", "over", "under"]
"""How a line is beside its slot."""

_MARGIN = 1e-9
_USUAL = 1.1
"""Texts of a length have at most about this many more characters a second than most have."""
_CLOSING = re.compile(r"[\s»«\"”’)\].!?…:;,–—。！？｡」』）：；，、､؟؛،।॥։።၊။-]+$")
_PAUSES = (
    (re.compile(r"[.!?…؟।॥։።]+[»«\"”’)\]]*\s|[。！？｡။]+[」』）”’]*"), 0.34),
    (re.compile(r"[;:؛]\s|\s[–—-]+\s|—|[：；]"), 0.13),
    (re.compile(r"[,،]\s|[，、､၊]"), 0.22),
)
"""Seconds after the end of a sentence, at a colon, semicolon or dash, and at a comma."""
_LENGTHENING = 0.06
"""Seconds by which the last syllable is longer."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a language is spoken."""

    syllables: float
    """A second, without pauses."""
    letters: float
    """Of a syllable, on average."""
    by_letters: float = 0.75
    """Share of a syllable's time that grows with its letters."""

    @property
    def characters(self) -> float:
        """Characters a second, spaces and punctuation included, while there is no pause."""
        return self.syllables * self.letters * (1.22 if self.by_letters else 1.35)


RATES = {
    "de": Rate(5.97, 2.96, 0.70),
    "en": Rate(6.19, 3.06, 0.88),
    "es": Rate(7.82, 2.38, 0.95),
    "fr": Rate(7.18, 3.12, 0.65),
    "it": Rate(6.99, 2.35, 0.95),
    # By Pellegrino et al. too; Japanese has 7.84 syllables, which are some 9 morae. Thai is as slow
    # as Vietnamese, whose 5.22 they measured (Coupé et al. 2019, Science Advances 5).
    "ja": Rate(9.0, 0.75, 0.0),
    "th": Rate(5.22, 2.4, 0.0),
    "zh": Rate(5.18, 1.0, 0.0),
    # Not measured; what is known is how much is written for a syllable.
    **dict.fromkeys(["be", "bg", "mk", "ru", "sr", "uk"], Rate(6.6, 2.35)),
    **dict.fromkeys(["el", "hy", "ka"], Rate(6.6, 2.35)),
    **dict.fromkeys(["gu", "hi", "mr", "ne", "pa"], Rate(6.6, 1.35, 0.0)),
    **dict.fromkeys(["am", "bn", "kn", "ml", "ta", "te"], Rate(6.6, 1.4, 0.0)),
    "ko": Rate(6.6, 1.0, 0.0),
    **dict.fromkeys(["ar", "he"], Rate(6.6, 1.75, 0.0)),
    **dict.fromkeys(["fa", "ps", "ur"], Rate(6.6, 2.3, 0.0)),
}
OTHER_RATE = Rate(6.6, 2.7)
"""For languages whose rate is not known: the mean of those of Europe that are."""

_TOKEN = regex.compile(
    r"(?P<number>\d+(?:[.,\u00a0\u202f' ]\d{3})*(?!\d)|\d+)"
    r"|(?P<word>\p{Latin}[\p{Latin}\p{M}]*(?:['’]\p{Latin}[\p{Latin}\p{M}]*)*)"
    r"|(?P<other>\p{L})|(?P<sign>[%&€$£°+=@#])"
)
_VOWELS = "[aeiouyæœøıəɛɔɨʉ]"
_GLIDES = {
    "en": r"(?<=[^aeioulsxzcg])es$|(?<=[^aeioul])e$|(?<=[^aeioudt])e(?=d$)|(?<=q)u",
    "es": r"(?<=[qg])u(?=[ei])",
    "fr": r"(?<=[^aeiou])e(?=s?$)|(?<=[iuy])e(?=s?$)|(?<=q)u|(?<=g)[ue](?=[aeiou])",
    "it": r"(?<=q)u|(?<=[cg])i(?=[aeou])|(?<=sc)i(?=[aeou])",
}
"""Vowels that are no syllable, by language."""
_PATTERNS = {"en": "en_US"}
"""Names of hyphenation patterns that are not those of the language."""


def rate_of(language: str) -> Rate:
    """Return how fast a language is spoken."""
    return RATES.get(primary_language(language) or language, OTHER_RATE)


def count_syllables(text: str, language: str) -> float:
    """Return about how many syllables a text has when it is said."""
    return _said(text, language)[0]


def _said(text: str, language: str) -> tuple[float, float]:
    """The syllables of a text, and its letters if all of it were written out."""
    primary, mean = primary_language(language) or language, rate_of(language).letters
    text = unicodedata.normalize("NFC", text)
    shouted = text.isupper() and (" " in text.strip() or len(text) > 4)
    syllables = letters = 0.0
    for token in _TOKEN.finditer(text):
        word = token[0]
        if token["number"]:
            count, written = _said(_number(re.sub(r"\D", "", word), primary), language)
        elif token["word"] and not _is_spelt(word, shouted=shouted):
            count, written = _syllables(word.lower(), primary), len(word)
        elif token["other"]:
            count, written = 1 / mean, 1
        else:  # a sign, or an abbreviation that is read letter by letter
            count = len(word) if token["word"] else 2
            written = count * mean
        syllables, letters = syllables + count, letters + written
    return syllables, letters


def _is_spelt(word: str, *, shouted: bool) -> bool:
    """Whether capitals are read letter by letter: USA, BBC, but not NATO."""
    if shouted or len(word) < 2 or not word.isupper():
        return False
    return len(word) <= 3 or not re.search(_VOWELS, word.lower())


@cache
def _number(digits: str, language: str) -> str:
    """A number in words; long ones digit by digit, as telephones are."""
    from num2words import num2words  # takes long to import

    numbers = list(digits) if len(digits) > 6 or digits.startswith("0") else [digits]
    try:
        words = [num2words(int(number), lang=language) for number in numbers]
    except NotImplementedError:
        words = [num2words(int(number), lang="en") for number in numbers]
    return re.sub(r"\d", "", " ".join(words))


@cache
def _syllables(word: str, language: str) -> int:
    """The runs of vowels of a word in Latin letters, between its hyphens."""
    plain = re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFD", word))
    heard = re.sub(_GLIDES.get(language, r"(?!)"), "", plain)
    dictionary = _dictionary(_PATTERNS.get(language, language))
    if dictionary and len(heard) == len(word):  # letters as the patterns know them
        heard = str(dictionary.inserted(word, "\n"))
        heard = re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFD", heard))
    return max(len(re.findall(f"{_VOWELS}+", heard)), 1)


@cache
def _dictionary(patterns: str) -> Any:
    import pyphen  # reads a file for each language

    return pyphen.Pyphen(lang=patterns, left=1, right=1) if patterns in pyphen.LANGUAGES else None


@lru_cache(maxsize=100_000)
def estimate_seconds(text: str, language: str) -> float:
    """Estimate how long it takes to say a text at the usual rate of its language.

    Args:
        text: Plain text, without directions; line breaks are spaces.
        language: BCP 47 tag.

    Returns:
        Seconds, pauses within the text included; 0.0 for a text without words.
    """
    syllables, letters = _said(text, language)
    if not syllables:
        return 0.0
    rate = rate_of(language)
    share = rate.by_letters
    speech = ((1 - share) * syllables + share * letters / rate.letters) / rate.syllables
    body = _CLOSING.sub("", text) + " "
    pauses = sum(len(mark.findall(body)) * seconds for mark, seconds in _PAUSES)
    return speech + pauses + _LENGTHENING


@dataclass(frozen=True, slots=True)
class SpeakingTime:
    """How long the translation of a line may take to say."""

    language: str
    """Tag of the language of the translation."""
    slot: float
    """Seconds from the line's start to its end."""
    shortest: float
    """Seconds it should take at least, at the usual rate."""
    longest: float
    """Seconds it may take at most, at the usual rate."""

    def sync(self, seconds: float) -> Sync:
        """Tell whether something that takes so long at the usual rate is too long or too short."""
        if seconds > self.longest + _MARGIN:
            return "over"
        return "under" if seconds < self.shortest - _MARGIN else "ok"

    def reaches(self, text: str) -> bool:
        """Tell whether a text takes long enough."""
        return self.sync(estimate_seconds(text, self.language)) != "under"

    def excess(self, text: str) -> float:
        """Return the share of a text that is too much, 0.0 of what is not over."""
        seconds = estimate_seconds(text, self.language)
        return 1 - self.longest / seconds if self.sync(seconds) == "over" else 0.0

    @property
    def most_characters(self) -> float:
        """More than this no usual text may have: what the search takes for its ceiling."""
        return self.longest * rate_of(self.language).characters * _USUAL

    @property
    def least_characters(self) -> float:
        """About what a text has that takes the shortest time."""
        return self.shortest * rate_of(self.language).characters


@dataclass(frozen=True, slots=True)
class Speaking:
    """How a line of a dubbing script and its translation are spoken. Seconds have two decimals."""

    speaker: str
    notes: str
    slot: float | None
    """Seconds there are; None for rows without times."""
    source_estimated: float
    """Seconds the source is estimated to take."""
    estimated: float | None = None
    """Seconds the translation is estimated to take; None without one."""
    speed_factor: float | None = None
    """Seconds estimated, by the slot."""
    sync: Sync | None = None
    """None without slot or translation."""
    kept: bool = False
    """Whether the translation stood there already."""
