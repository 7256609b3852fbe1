"""Between a cue's payload and plain text, both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

CueKind = Literal["speech", "music", "sound", "unsaid", "data", "empty"]


@dataclass(frozen=True, slots=True)
class Span:
    """Markup around a part of a plain text, or at one place in it (`start` = `end`)."""

    start: int
    """Position in the text, in characters."""
    end: int
    """Position behind the last character."""
    open: str
    """The opening tag, or all of a mark that stands at one place (an inline timestamp)."""
    close: str
    """The closing tag; empty where there is none."""
    name: str = ""
    """The tag's, in lower case; empty for what stands at one place, like a timestamp."""


def is_pinned(span: Span) -> bool:
    """Whether markup stands at one place (a time within the cue) or is of its very words (ruby)."""
    return span.start == span.end or span.open.startswith(("<ruby", "<rt"))


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says in a cue."""

    text: str
    """Plain text in one line: no tags, white space collapsed, entities decoded."""
    spans: tuple[Span, ...] = ()
    """Inner markup, in the order of its opening tags."""
    dash: str = ""
    """The dialogue dash with what follows it (``"- "``, ``"–"``), as written; empty without one."""
    prefix: str = ""
    """Opening markup around the whole turn, dash included, in a cue of several turns."""
    suffix: str = ""
    """Closing markup around the whole turn."""


@dataclass(frozen=True, slots=True)
class PlacedSpans:
    """The spans of a turn as they stand in other words."""

    spans: tuple[Span, ...]
    """In the order of their opening tags, one inside another or apart."""
    unplaced: tuple[str, ...] = ()
    """Opening tags of those that have no words there."""


PlaceSpans = Callable[[Turn, str], PlacedSpans | None]
"""Says where the spans of a turn stand in other words; None where it cannot tell."""


@dataclass(frozen=True, slots=True)
class CueText:
    """A payload taken apart."""

    turns: tuple[Turn, ...]
    prefix: str = ""
    """Opening markup around the whole cue: ``{\\an8}``, ``<i>``, ``<v Ann>``, ``<c.yellow>``."""
    suffix: str = ""
    """Closing markup around the whole cue."""
    kind: CueKind = "speech"
    """music: notes, or lyrics between notes; sound: nothing but labels like ``[DOOR SLAMS]``,
    or marks; data: what is meant for a program."""
    line_open: str = ""
    """Opening tag of every single line, as in ``<i>one</i>\\n<i>two</i>``."""
    line_close: str = ""
    """Closing tag of every single line."""

    @property
    def shown(self) -> str:
        """The turns with their dashes, one a line."""
        return "\n".join(turn.dash + turn.text for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A payload put together again."""

    text: str
    """The payload, with ``\\n`` between lines."""
    unplaced: tuple[str, ...] = ()
    """Opening tags that found no place in the new text and were left out."""
