"""From one subtitle format to another."""

from __future__ import annotations

from dataclasses import replace

from subfit.cues import SCRIPT_FORMATS, Cue, FormatName, Track
from subfit.errors import UsageError
from subfit.formats.cuetext import Span
from subfit.formats.restore import weave
from subfit.formats.tags import lift_tags

_COMMON = {"b", "i", "u"}
"""The tags that SubRip and WebVTT both have."""


def convert_track(track: Track, format: FormatName) -> Track:
    """Return the track for another format: same times, same words.

    Of the markup, italics, bold and underline are kept. Positions, colours, voices, settings,
    identifiers, notes and styles have no equal in the other format and are left out.

    Raises:
        UsageError: Plain text has no times for a subtitle file; a dubbing script is only written
            as what it was read from.
    """
    if format == track.format:
        return track
    for each in (track.format, format):
        if each in SCRIPT_FORMATS:
            told = f"a dubbing script (.{each}) cannot be converted: name an output"
            raise UsageError(f"{told} of the same suffix as its input")
    if format != "txt" and not track.timed:
        raise UsageError(f"plain text has no times, which {format} needs; write .txt instead")
    cues = tuple(_converted(cue, track.format, format) for cue in track.cues)
    return replace(track, cues=cues, format=format, layout=None)


def _converted(cue: Cue, old: FormatName, new: FormatName) -> Cue:
    text = convert_text(cue.text, old, new)
    if new == "txt":
        return Cue(0, 0, text, line=cue.line)
    return Cue(cue.start, cue.end, text, line=cue.line)


def convert_text(payload: str, old: FormatName, new: FormatName) -> str:
    """Return a payload for another format, with the markup that both have."""
    if old == new:
        return payload
    text, elements = lift_tags(payload, old)
    if new == "txt":
        return " ".join(text.split())
    names = ((element, element.name.removeprefix("\\")) for element in elements)
    spans = [Span(e.start, e.end, f"<{n}>", f"</{n}>") for e, n in names if n in _COMMON]
    return weave(text, spans, new)
