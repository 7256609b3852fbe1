"""How long it takes to say a text, by its syllables, and how long it may take.

A language has a rate of syllables a second, as measured by Pellegrino, Coupé and Marsico (2011,
Language 87) on read texts without their pauses; where nobody has measured one, the mean is taken. A
syllable of more letters than usual lasts longer; how much, and how long punctuation makes a voice
pause, was fitted to what espeak-ng says at those rates (``benchmarks/speaking_time.py``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from subfit.speech.syllables import count_syllables, spoken_letters
from subfit.speech.voice import VoiceName, measure_seconds
from subfit.text.languages import primary_language

Sync = Literal["ok", "over", "under"]
"""How a line is beside its slot."""

_MARGIN = 1e-9
_DOUBT = 0.35
"""Estimates are hardly ever further off than by this share."""
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
    """Of a syllable, on average; of scripts that write none or not all of its sounds, characters
    as a viewer counts them."""
    by_letters: float
    """Share of a syllable's time that grows with its letters."""
    words_per_minute: int
    """What espeak-ng must be asked for to speak at this rate."""

    @property
    def characters(self) -> float:
        """Characters a second, spaces and punctuation included, while there is no pause."""
        return self.syllables * self.letters * 1.22


_CYRILLIC = Rate(6.6, 2.35, 0.75, 190)
_HINDI = Rate(6.6, 1.6, 0.0, 190)
_INDIC = Rate(6.6, 1.3, 0.0, 190)
_SEMITIC = Rate(6.6, 1.75, 0.0, 190)
_PERSIAN = Rate(6.6, 2.3, 0.0, 190)
RATES = {
    "de": Rate(5.97, 2.96, 0.70, 181),
    "en": Rate(6.19, 3.06, 0.88, 199),
    "es": Rate(7.82, 2.38, 0.95, 217),
    "fr": Rate(7.18, 3.12, 0.65, 200),
    "it": Rate(6.99, 2.35, 0.95, 181),
    # By Pellegrino et al. too; Japanese has 7.84 syllables, which are some 9 morae. Thai is as slow
    # as Vietnamese, whose 5.22 they measured (Coupé et al. 2019, Science Advances 5).
    "ja": Rate(9.0, 0.75, 0.0, 190),
    "th": Rate(5.22, 2.4, 0.0, 190),
    "zh": Rate(5.18, 1.0, 0.0, 190),
    # Not measured; what is known is how much is written for a syllable.
    **dict.fromkeys(("be", "bg", "mk", "ru", "sr", "uk"), _CYRILLIC),
    "el": Rate(6.6, 2.1, 0.75, 190),
    "hy": Rate(6.6, 2.5, 0.75, 190),
    "ka": Rate(6.6, 2.4, 0.75, 190),
    "ko": Rate(6.6, 1.2, 0.0, 190),
    **dict.fromkeys(("gu", "hi", "mr", "ne", "pa"), _HINDI),
    **dict.fromkeys(("am", "bn", "kn", "ml", "ta", "te"), _INDIC),
    **dict.fromkeys(("ar", "he"), _SEMITIC),
    **dict.fromkeys(("fa", "ps", "ur"), _PERSIAN),
}
OTHER_RATE = Rate(6.6, 2.7, 0.75, 190)
"""For languages whose rate is not known: the mean of those of Europe that are."""


def rate_of(language: str) -> Rate:
    """Return how fast a language is spoken."""
    return RATES.get(primary_language(language) or language, OTHER_RATE)


@lru_cache(maxsize=100_000)
def estimate_seconds(text: str, language: str) -> float:
    """Estimate how long it takes to say a text at the usual rate of its language.

    Args:
        text: Plain text, without directions; line breaks are spaces.
        language: BCP 47 tag.

    Returns:
        Seconds, pauses within the text included; 0.0 for a text without words.
    """
    syllables = count_syllables(text, language)
    if not syllables:
        return 0.0
    rate = rate_of(language)
    weight = spoken_letters(text, language, rate.letters) / (rate.letters * syllables)
    speech = syllables / rate.syllables * (1 - rate.by_letters + rate.by_letters * weight)
    body = _CLOSING.sub("", text) + " "
    pauses = sum(len(mark.findall(body)) * seconds for mark, seconds in _PAUSES)
    return speech + pauses + _LENGTHENING


def measure_at_rate(text: str, language: str, voice: VoiceName) -> float:
    """Measure how long a voice takes to say a text at the usual rate of its language.

    Args:
        text: Plain text, without directions.
        language: BCP 47 tag.
        voice: The program.

    Raises:
        VoiceError: It cannot be used.
    """
    speed = rate_of(language).words_per_minute
    return measure_seconds(" ".join(text.split()), language, words_per_minute=speed, name=voice)


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
    voice: VoiceName | None = None
    """What says the texts for which the estimate leaves it open whether they fit."""

    def seconds(self, text: str) -> float:
        """Return how long a text takes: estimated, or measured if the estimate leaves it open.

        Raises:
            VoiceError: The voice cannot be used.
        """
        estimated = estimate_seconds(text, self.language)
        if self.voice is None or not estimated:
            return estimated
        if any(abs(estimated - limit) < _DOUBT * limit for limit in (self.shortest, self.longest)):
            return measure_at_rate(text, self.language, self.voice)
        return estimated

    def sync(self, seconds: float) -> Sync:
        """Tell whether something that takes so long at the usual rate is too long or too short."""
        if seconds > self.longest + _MARGIN:
            return "over"
        return "under" if seconds < self.shortest - _MARGIN else "ok"

    def reaches(self, text: str) -> bool:
        """Tell whether a text takes long enough."""
        return self.sync(self.seconds(text)) != "under"

    def excess(self, text: str) -> float:
        """Return the share of a text that is too much, 0.0 of what is not over."""
        seconds = self.seconds(text)
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
    measured: float | None = None
    """Seconds a synthetic voice takes; None without a voice."""
    speed_factor: float | None = None
    """Seconds measured, or else estimated, by the slot."""
    sync: Sync | None = None
    """None without slot or translation."""
    kept: bool = False
    """Whether the translation stood there already."""
