"""Plain text, one sentence a line: cues without times."""

from __future__ import annotations

import re

from subfit.errors import InputFileError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Spliced, Track
from subfit.subtitles.formats.layout import Layout


def parse(contents: Contents) -> Parsed:
    """Take every line as a cue from 0 to 0; empty lines are empty cues.

    Raises:
        InputFileError: There is no text at all.
    """
    text = contents.text
    if not text.strip():
        raise InputFileError(contents.name, "the file is empty", remedy="write one sentence a line")
    lines = text.split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    cues = tuple(Cue(0, 0, line, line=number) for number, line in enumerate(lines, start=1))
    return Parsed(cues, Layout((), ("",) if ended else ()), ())


def render(track: Track) -> Spliced:
    """Return one line for each cue; a line break inside a cue's text becomes a space."""
    lines = tuple(re.sub(r"\s*[\r\n]+\s*", " ", cue.text) for cue in track.cues)
    ended = not (track.format == "txt" and isinstance(track.layout, Layout)) or track.layout.tail
    return Spliced((), lines, "" if ended else None)


FORMATS = (Format("txt", "plain text", (".txt",), parse, render, timed=False, keeps="lines"),)
