"""The domain on one screen: a `Track` is the ordered `Cue`s of one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

FormatName = str
"""A key of `FORMATS`."""
Markup = Literal["srt", "vtt", "script", "none"]
"""What payloads hold beside words: tags and overrides as in SubRip, tags as in WebVTT, directions
of dubbing scripts, or nothing."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file, as far as anything but reading and writing it must know."""

    name: FormatName
    title: str
    """What people call it."""
    suffixes: tuple[str, ...]
    """Suffixes of its files' names, the usual one first."""
    markup: Markup = "none"
    timed: bool = True
    """Whether its cues are shown from time to time."""

    @property
    def spoken(self) -> bool:
        """Whether it is a dubbing script: a table with a line to be spoken in each row."""
        return self.markup == "script"


FORMATS: dict[FormatName, Format] = {
    format.name: format
    for format in (
        Format("srt", "SubRip", (".srt",), "srt"),
        Format("vtt", "WebVTT", (".vtt", ".webvtt"), "vtt"),
        Format("txt", "plain text", (".txt",), timed=False),
        Format("csv", "CSV", (".csv",), "script", timed=False),
        Format("tsv", "TSV", (".tsv",), "script", timed=False),
        Format("xlsx", "Excel workbook", (".xlsx", ".xlsm"), "script", timed=False),
    )
}
"""All that there are; `subfit.subtitles.formats.register_format` adds others."""


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
    """Who says it, where a dubbing script names them."""
    notes: str = ""
    """What a dubbing script notes beside it."""
    target: str = ""
    """The translation that a dubbing script has already, which is kept."""

    @property
    def duration(self) -> int:
        """Milliseconds on screen; negative in broken files."""
        return self.end - self.start


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
