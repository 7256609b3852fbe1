"""From cues to sentences, the units of translation, and what they must go back into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from subfit.subtitles.cues import Cue, FormatName
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.text.casing import capitalised, language_of, small
from subfit.text.recasing import recased

_SENTENCE_START = re.compile(r"((?:^|[.!?…]\s+)[\W\d_]*)(\w+)")
_STRAIGHT = str.maketrans("“”„", '"""')
_SPACED_COLON = re.compile(r"(?<=\S)[ \u00a0\u202f](?=:\s)")
_PRONOUN = re.compile(r"\bi\b")
YIELDING = ",;."
"""Marks at the end of a part that give way to dots."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one cue's speaker contributes to a sentence."""

    cue: int
    """Index of the cue in its track."""
    turn: int
    """Which speaker's turn of that cue."""
    text: str
    """Plain source text."""
    lines: int = 1
    """Lines it stands in."""
    opening: str = ""
    """Dots before the text that show a sentence going on, which its cue keeps."""
    closing: str = ""
    """Dots after it that show that the sentence goes on, with the space before them."""
    lead: str = ""
    """What is not said and stands before all this (`subfit.text.non_speech`), with the space behind
    it."""
    tail: str = ""
    """What is not said and stands behind all this, with the space before it."""
    written_lead: str | None = None
    """The lead as the target language writes it, without French spaces before colons; None if it
    writes it as it stands."""

    @property
    def lead_shown(self) -> str:
        """What is not said and stands before all this in the target."""
        return self.lead if self.written_lead is None else self.written_lead

    @property
    def before(self) -> str:
        """All that stands before its words."""
        return self.lead + self.opening

    @property
    def behind(self) -> str:
        """All that stands behind its words."""
        return self.closing + self.tail

    @property
    def gives_way(self) -> bool:
        """Whether a comma or full stop at the end of a text gives way to its dots.

        So it is if the source has none there.
        """
        return bool(self.closing) and not self.text.endswith((",", ";"))

    def dotted(self, text: str) -> str:
        """Return a text with the dots that stand around this part's."""
        if self.gives_way:
            text = text.rstrip(YIELDING) or text
        return f"{self.opening}{text}{self.closing}"

    def shown(self, text: str) -> str:
        """Return a text as it stands in place of this part, with all that stands around it."""
        return f"{self.lead_shown}{self.dotted(text)}{self.tail}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A unit of translation: one turn of one cue, or a sentence that runs over several cues."""

    parts: tuple[Part, ...]
    language: str = "en"
    """Tag of the source's language, which tells what its capitals are without capitals."""
    names: frozenset[str] = frozenset()
    """Words that have a capital wherever else they stand, told of sentences in capitals."""

    @property
    def text(self) -> str:
        """The plain source text."""
        return " ".join(part.text for part in self.parts)

    @property
    def shouted(self) -> bool:
        """Whether it is in capitals throughout, as whole files of captions are."""
        return _is_shouted(self.text)

    @property
    def spoken(self) -> str:
        """The source text as models read it: not in capitals, and with straight quotes.

        Known names keep their capitals, as do German nouns (`subfit.text.recasing`).
        Of other quotes many make the dashes of novels, which are those of speakers in subtitles.
        """
        text = self.text.translate(_STRAIGHT)
        if not self.shouted:
            return text
        lower = small(text, self.language)
        if language_of(self.language) == "en":
            lower = _PRONOUN.sub("I", lower)
        lower = recased(lower, self.language, self.names)
        return _SENTENCE_START.sub(
            lambda match: match[1] + capitalised(match[2], self.language), lower
        )

    def led_in(self, language: str) -> Sentence:
        """Return it with names before colons as a target language writes them: ``Jean:``."""
        spaced = any(_SPACED_COLON.search(part.lead) for part in self.parts)
        if language_of(language) == "fr" or not spaced:
            return self
        parts = (
            replace(part, written_lead=_SPACED_COLON.sub("", part.lead)) for part in self.parts
        )
        return replace(self, parts=tuple(parts))

    def separated(self) -> tuple[Sentence, ...]:
        """Return the parts as sentences, one for each cue."""
        alone = (
            replace(part, text=part.dotted(part.text), opening="", closing="")
            for part in self.parts
        )
        return tuple(replace(self, parts=(part,)) for part in alone)


@lru_cache(maxsize=4096)
def _is_shouted(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return len(letters) > 3 and " " in text and all(map(_is_loud, letters))


def _is_loud(letter: str) -> bool:
    return letter.isupper() or letter == "ß"  # which many write among capitals


def parse_cues(cues: Sequence[Cue], format: FormatName) -> tuple[CueText, ...]:
    """Return every cue's payload as speakers' turns of plain text, markup lifted off."""
    return tuple(parse_cue_text(cue.text, format) for cue in cues)
