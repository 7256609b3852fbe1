"""The file that a report is about, taken apart so that other texts can be put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.formats import splice_track
from subfit.subtitles.formats.convert import convert_text, convert_track
from subfit.subtitles.formats.layout import Spliced
from subfit.subtitles.markup.payload import parse_cue_text


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A translation as it was written."""

    format: FormatName
    track_format: FormatName
    """The format of the source, in which the payloads of alternatives are."""
    timed: bool
    """Whether its cues are shown on a screen."""
    newline: str
    bom: bool
    spliced: Spliced | None
    """None of a dubbing script, which is a table."""
    translations: tuple[str, ...]
    """What each cue has of the target language: its payload, or a part of it."""

    @property
    def payloads(self) -> tuple[str, ...]:
        """The payload of each cue."""
        return self.translations if self.spliced is None else self.spliced.payloads

    def converted(self, payload: str) -> str:
        """Return a payload of the source's format as it would be written."""
        return convert_text(payload, self.track_format, self.format)

    def frames(self) -> list[Frame]:
        """Return what stands around the words of each cue."""
        pairs = zip(self.payloads, self.translations, strict=True)
        return [_frame_within(whole, part, self.format) for whole, part in pairs]

    def to_dict(self) -> Mapping[str, Any]:
        """Return it as JSON values, but for the payloads."""
        return {
            "format": self.format,
            "timed": self.timed,
            "newline": self.newline,
            "bom": self.bom,
            "heads": None if self.spliced is None else list(self.spliced.heads),
            "tail": None if self.spliced is None else self.spliced.tail,
        }


def written_file(
    track: Track, output_format: FormatName, translation: Track | None = None
) -> WrittenFile:
    """Take a file apart as `subfit.subtitles.formats.render_track` writes it in UTF-8.

    Args:
        track: What was written.
        output_format: The format it was written in.
        translation: The same in the target language only, where the file has both.
    """
    spliced = None if track.spoken else splice_track(track, output_format)
    if spliced is not None and translation in (None, track):
        translations = spliced.payloads
    else:
        translation = convert_track(translation or track, output_format)
        translations = tuple(cue.text for cue in translation.cues)
    return WrittenFile(
        format=output_format,
        track_format=track.format,
        timed=track.timed,
        newline=track.encoding.newline,
        bom=track.encoding.bom,
        spliced=spliced,
        translations=translations,
    )


@dataclass(frozen=True, slots=True)
class Frame:
    """What stays in a cue when someone types other words, and what is in it.

    Markup around the whole cue or around all of its lines; with both languages in a cue, the
    source.
    """

    prefix: str
    suffix: str
    line_open: str
    line_close: str
    body: str
    """What is left: the words with the markup between them."""


def frame_of(payload: str, format: FormatName) -> Frame:
    """Take the markup off a payload that stands around all of it, or around all of its lines."""
    text = parse_cue_text(payload, format)
    prefix, body, suffix = _between(payload, text.prefix, text.suffix)
    if not text.turns:
        return Frame("", "", "", "", payload)
    lines = [_between(line, text.line_open, text.line_close) for line in body.split("\n")]
    if any((head, tail) != (text.line_open, text.line_close) for head, _, tail in lines):
        return Frame(prefix, suffix, "", "", body)
    words = "\n".join(line for _, line, _ in lines)
    return Frame(prefix, suffix, text.line_open, text.line_close, words)


def _frame_within(whole: str, part: str, format: FormatName) -> Frame:
    """The frame of a translation that is part of a payload."""
    frame = frame_of(part, format)
    if whole == part:
        return frame
    lines = [f"{frame.line_open}{line}{frame.line_close}" for line in frame.body.split("\n")]
    inner = "\n".join(lines)
    first = whole.startswith(part.split("\n")[0])
    at = whole.find(inner) if first else whole.rfind(inner)
    if at < 0:
        return Frame("", "", "", "", whole)
    prefix, suffix = whole[:at], whole[at + len(inner) :]
    return Frame(prefix, suffix, frame.line_open, frame.line_close, frame.body)


def _between(text: str, prefix: str, suffix: str) -> tuple[str, str, str]:
    """Part a text at what it begins and ends with; at nothing if it does not."""
    inside = len(text) - len(prefix) - len(suffix)
    if inside < 0 or not text.startswith(prefix) or not text.endswith(suffix):
        return "", text, ""
    return prefix, text[len(prefix) : len(prefix) + inside], suffix
