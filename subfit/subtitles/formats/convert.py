"""From one subtitle format to another."""

from __future__ import annotations

from dataclasses import replace

from subfit.errors import UsageError
from subfit.subtitles.cues import SCRIPT_FORMATS, Cue, FormatName, Track
from subfit.subtitles.formats.losses import COMMON
from subfit.subtitles.formats.positions import TOP_MARK, TOP_SETTING, alignment_of, height_of
from subfit.subtitles.markup.cuetext import Span
from subfit.subtitles.markup.restore import weave
from subfit.subtitles.markup.tags import lift_tags


def convert_track(track: Track, format: FormatName) -> Track:
    """Return the track for another format: same times, same words.

    Of the markup, italics, bold and underline are kept, and of positions that a cue is at the top.
    Other positions, colours, voices, identifiers, notes and styles have no equal in the other
    format and are left out; `subfit.subtitles.formats.losses` tells of them.

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
    if new == "vtt":
        settings = TOP_SETTING if _is_at_top(cue.text, old) else ""
        return Cue(cue.start, cue.end, text, settings=settings, line=cue.line)
    if text and old == "vtt" and height_of(cue.settings) == "top":
        text = TOP_MARK + text
    return Cue(cue.start, cue.end, text, line=cue.line)


def _is_at_top(payload: str, format: FormatName) -> bool:
    """Whether a payload of SubRip says that its cue is at the top."""
    marks = (each.open for each in lift_tags(payload, format)[1] if not each.name)
    return any(alignment_of(mark) >= 7 for mark in marks)


def convert_text(payload: str, old: FormatName, new: FormatName) -> str:
    """Return a payload for another format, with the markup that both have."""
    if old == new:
        return payload
    text, elements = lift_tags(payload, old)
    if new == "txt":
        return " ".join(text.split())
    names = ((element, element.name.removeprefix("\\")) for element in elements)
    spans = [Span(e.start, e.end, f"<{n}>", f"</{n}>") for e, n in names if n in COMMON]
    return weave(text, spans, new)
