"""From cues to sentences, the units of translation, and what they must go back into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from subfit.cues import Cue, FormatName
from subfit.formats.markup import CueText, parse_cue_text

_SENTENCE_START = re.compile(r"(?:^|[.!?…]\s+)[\W\d_]*\w")
_PRONOUN = re.compile(r"\bi\b")


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

    def shown(self, text: str) -> str:
        """Return a text as it stands in place of this part, with the dots around it.

        A comma or full stop at its end gives way to them, if the source has none there.
        """
        if self.closing and not self.text.endswith((",", ";")):
            text = text.rstrip(",;.") or text
        return f"{self.opening}{text}{self.closing}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A unit of translation: one turn of one cue, or a sentence that runs over several cues."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The plain source text."""
        return " ".join(part.text for part in self.parts)

    @property
    def shouted(self) -> bool:
        """Whether it is in capitals throughout, as whole files of captions are."""
        letters = [each for each in self.text if each.isalpha()]
        return len(letters) > 3 and " " in self.text and all(each.isupper() for each in letters)

    @property
    def spoken(self) -> str:
        """The source text as it would be written if it were not in capitals."""
        if not self.shouted:
            return self.text
        lower = _PRONOUN.sub("I", self.text.lower())
        return _SENTENCE_START.sub(lambda match: match[0].upper(), lower)

    def separated(self) -> tuple[Sentence, ...]:
        """The same text as one sentence per cue."""
        return tuple(
            Sentence((replace(part, text=part.shown(part.text), opening="", closing=""),))
            for part in self.parts
        )


def parse_cues(cues: Sequence[Cue], format: FormatName) -> tuple[CueText, ...]:
    """Return every cue's payload as speakers' turns of plain text, markup lifted off."""
    return tuple(parse_cue_text(cue.text, format) for cue in cues)
