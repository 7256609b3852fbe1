"""The domain on one screen: a `Track` is the ordered `Cue`s of one file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

FormatName = str
"""A key of `FORMATS`."""
Markup = Literal["srt", "vtt", "ass", "script", "none"]
"""What payloads hold beside words: tags and overrides as in SubRip, tags as in WebVTT, overrides
and comments as in Advanced SubStation, directions of dubbing scripts, or nothing."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: how it is told, read and written."""

    name: FormatName
    title: str
    """What people call it."""
    suffixes: tuple[str, ...]
    """Suffixes of its files' names, the usual one first."""
    parse: Callable[[Contents], Parsed] | None = None
    """Makes cues of a file; raises `InputFileError`. None for dubbing scripts, which
    `subfit.subtitles.scripts` reads and writes."""
    render: Callable[[Track], Spliced | str | bytes] | None = None
    """Makes a file of a track, with ``\\n`` between lines where it is text; None where it is only
    read."""
    markup: Markup = "none"
    timed: bool = True
    """Whether its cues are shown from time to time."""
    begins: str = ""
    """Pattern of how the text of such a file begins; empty where that does not tell it."""
    binary: bool = False
    """Whether it is no text; ``begins`` is then matched with its bytes, read as Latin-1."""
    keeps: str = ""
    """What of a file stays as it is, beside the times, in a few words."""

    @property
    def spoken(self) -> bool:
        """Whether it is a dubbing script: a table with a line to be spoken in each row."""
        return self.markup == "script"

    @property
    def written(self) -> bool:
        """Whether tracks can be written so."""
        return self.render is not None or self.spoken


FORMATS: dict[FormatName, Format] = {}
"""All that there are, those that come with subfit first; `subfit.subtitles.formats` fills it."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A file as a format's parser gets it."""

    text: str
    """Decoded, with ``\\n`` between lines; empty in binary formats."""
    name: str = "-"
    """The file's name, for messages."""
    data: bytes = b""
    fps: float | None = None
    """Frames per second, where the user says so."""
    kept_styles: tuple[str, ...] = ()
    """Patterns of the names of styles whose cues stay as they are (signs, songs)."""


_RAISED = re.compile(r"\{[^{}]*\\(?:an[4-9]|pos|move)")
_PLACED = re.compile(r"\\(?:pos|move)\([^()]*\)")
_HIGH = re.compile(r"\bline:(?:[0-5]?\d(?:\.\d+)?%|\d(?![\d.%]))")
"""In the settings of WebVTT; further down a line is at the bottom."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One timed block of a subtitle file."""

    start: int
    """In-time in milliseconds."""
    end: int
    """Out-time in milliseconds; may lie before ``start`` in broken files."""
    text: str
    """The payload as the file has it: markup and entities untouched, lines joined by ``\\n``."""
    identifier: str = ""
    """The SRT index or the WebVTT cue identifier, as written; empty if there is none."""
    settings: str = ""
    """What follows the times on the timing line: WebVTT settings, SRT ``X1:… Y2:…``."""
    line: int = 0
    """1-based line of the file where the cue's timing stands (of the sentence, in plain text), or
    row of a dubbing script."""
    speaker: str = ""
    """Who says it, where a dubbing script or a field of the format names them."""
    style: str = ""
    """The style it names, where the format has such: signs and songs have others than speech."""
    notes: str = ""
    """What a dubbing script notes beside it."""
    target: str = ""
    """The translation that it has already, or what it is to keep: then nothing is translated."""

    @property
    def duration(self) -> int:
        """Milliseconds on screen; negative in broken files."""
        return self.end - self.start

    @property
    def is_raised(self) -> bool:
        """Whether it stands elsewhere than at the bottom of the screen, as signs do."""
        return bool(_RAISED.search(self.text) or _HIGH.search(self.settings))

    @property
    def spot(self) -> tuple[bool, str, str]:
        """What tells it from others that may be on screen at once: height, style, and place."""
        return self.is_raised, self.style, "".join(_PLACED.findall(self.text))


@dataclass(frozen=True, slots=True)
class Repair:
    """Something about the input that was mended or could not be kept, told to the user."""

    line: int
    """1-based line of the input file."""
    problem: str


@dataclass(frozen=True, slots=True)
class Unread(Repair):
    """A block meant for a cue whose times cannot be read: kept as it stands, untranslated."""


@dataclass(frozen=True, slots=True)
class ConversionLoss(Repair):
    """Something of the input that the format of the output has no place for."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the text of a file stands in bytes, so that the output can be written alike."""

    name: str = "utf-8"
    bom: bool = False
    newline: str = "\n"


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a format's parser makes of a text."""

    cues: tuple[Cue, ...]
    layout: Any = None
    """What the format needs to write the same file again, beside the cues; opaque to others."""
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """The ordered cues of one file, with what is needed to write the file again."""

    cues: tuple[Cue, ...]
    format: FormatName
    encoding: Encoding = field(default_factory=Encoding)
    repairs: tuple[Repair, ...] = ()
    layout: Any = None
    """Whatever the format keeps between its cues (header, notes, blank lines); opaque to others."""
    remarks: tuple[Mapping[str, str | float | None], ...] = ()
    """For each cue what is written beside its text, by heading; only dubbing scripts have room."""
    language: str = ""
    """Tag of the language it was translated into, for formats that name it; else empty."""
    shot_changes: tuple[int, ...] = ()
    """Where shots of the film begin, in milliseconds, in order; none where that is not known."""

    @property
    def timed(self) -> bool:
        """Whether cues are shown from time to time (plain text and dubbing scripts are not)."""
        return FORMATS[self.format].timed

    @property
    def spoken(self) -> bool:
        """Whether it is a dubbing script: its lines are spoken, and may have times for that."""
        return FORMATS[self.format].spoken

    def with_texts(self, texts: Sequence[str]) -> Track:
        """Return the same track with other cue payloads, one for each cue, in order."""
        cues = tuple(replace(cue, text=text) for cue, text in zip(self.cues, texts, strict=True))
        return replace(self, cues=cues)

    def with_ends(self, ends: Sequence[int]) -> Track:
        """Return the same track with other out-times in milliseconds, one for each cue."""
        cues = tuple(replace(cue, end=end) for cue, end in zip(self.cues, ends, strict=True))
        return replace(self, cues=cues)


@dataclass(frozen=True, slots=True)
class Spliced:
    """A file as it is to be written, taken apart at its cue texts; ``\\n`` between lines."""

    heads: tuple[str, ...]
    """What stands before the text of each cue, its timing line included; none in plain text."""
    payloads: tuple[str, ...]
    """The text of each cue as written. Where there are heads, an empty one has no line at all."""
    tail: str | None
    """What stands behind the last cue's text; None for nothing, not even the end of a line."""

    @property
    def text(self) -> str:
        """The file."""
        lines: list[str] = list(self.payloads)
        if self.heads:
            pairs = zip(self.heads, self.payloads, strict=True)
            lines = [part for head, text in pairs for part in ((head, text) if text else (head,))]
        return "\n".join([*lines, self.tail] if self.tail is not None else lines)
