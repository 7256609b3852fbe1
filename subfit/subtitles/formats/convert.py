"""From one subtitle format to another, and what that leaves out, told in one line.

SubRip has no positions of its own, but what ASS says of them is widely understood: ``{\\an8}`` at
the top, and nothing at the bottom, where subtitles stand by themselves. WebVTT has a line of the
video, from the top or (negative) from the bottom, or a share of its height.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from subfit.errors import UsageError
from subfit.subtitles.cues import FORMATS, ConversionLoss, Cue, FormatName, Track
from subfit.subtitles.formats.layout import ITALIC_STYLE, TOP_SETTING, Layout, Places
from subfit.subtitles.markup import Span
from subfit.subtitles.markup.restore import weave
from subfit.subtitles.markup.tags import STYLE, lift_tags

TOP_MARK = "{\\an8}"
"""How SubRip and Advanced SubStation put a cue at the top."""

_LINE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)(%?)(?:,(?:start|center|end))?")
_ALIGNMENT = re.compile(r"\\an([1-9])")
_AS_WITHOUT = {"align": {"center", "middle"}, "position": {"50%", "auto"}, "size": {"100%"}}
"""Values of settings that say nothing new."""
_ROWS = 15
"""Lines of text that a video is high, about."""


def _share_of_height(settings: str) -> float:
    """How far down the video the settings of a WebVTT cue put it: 0 at the top, 1 at the bottom."""
    values = _values(settings)
    match = _LINE.fullmatch(values.get("line", ""))
    if match is None or "vertical" in values:
        return 1.0
    number = float(match[1])
    return number / 100 if match[2] else (number + _ROWS * (number < 0)) / _ROWS


def _values(settings: str) -> dict[str, str]:
    pairs = (setting.partition(":") for setting in settings.split())
    return {name: value for name, colon, value in pairs if colon}


def convert_track(track: Track, format: FormatName) -> Track:
    """Return the track for another format: same times, same words.

    Of the markup, italics, bold and underline are kept, and of positions that a cue is at the top.
    Other positions, colours, voices, identifiers, notes and styles have no equal in the other
    format and are left out; `losses_of` tells of them.

    Raises:
        UsageError: Plain text has no times for a subtitle file; a dubbing script is only written
            as what it was read from.
    """
    if format == track.format:
        return track
    for name in (track.format, format):
        if FORMATS[name].spoken:
            problem = f"a dubbing script (.{name}) cannot be converted: name an output"
            raise UsageError(f"{problem} of the same suffix as its input")
    if FORMATS[format].timed and not track.timed:
        raise UsageError(f"plain text has no times, which {format} needs; write .txt instead")
    cues = tuple(_converted(cue, track.format, format) for cue in track.cues)
    return replace(track, cues=cues, format=format, layout=None)


def _converted(cue: Cue, old: FormatName, new: FormatName) -> Cue:
    text, markup = convert_text(cue.text, old, new), FORMATS[new].markup
    if not FORMATS[new].timed:
        return Cue(0, 0, text, line=cue.line)
    at_top = _is_at_top(cue, old)
    if text and ITALIC_STYLE in cue.settings.split() and markup != "none" and "\\i" not in cue.text:
        text = f"<i>{text}</i>"
    if text and at_top and markup in ("srt", "ass"):
        text = TOP_MARK + text
    settings = TOP_SETTING if at_top and markup == "vtt" else ""
    return Cue(cue.start, cue.end, text, settings=settings, line=cue.line, speaker=cue.speaker)


def _is_at_top(cue: Cue, format: FormatName) -> bool:
    """Whether a cue is at the top: by its overrides, else by its settings, else by its style."""
    marks = "".join(element.open for element in lift_tags(cue.text, format)[1])
    alignments = _ALIGNMENT.findall(marks)
    if FORMATS[format].markup in ("srt", "ass") and alignments:
        return int(max(alignments)) >= 7
    return _share_of_height(cue.settings) <= 1 / 3


def convert_text(payload: str, old: FormatName, new: FormatName) -> str:
    """Return a payload for another format, with the markup that both have."""
    if old == new:
        return payload
    text, elements = lift_tags(payload, old)
    if not FORMATS[new].timed:
        return " ".join(text.split())
    if FORMATS[new].markup == "none":
        return text
    opening, closing = (
        ("{{\\{}1}}", "{{\\{}0}}") if FORMATS[new].markup == "ass" else ("<{}>", "</{}>")
    )
    spans = [
        replace(element, open=opening.format(name), close=closing.format(name))
        for element in elements
        for name in _common(element)
    ]
    return weave(text, spans, new)


def _common(element: Span) -> list[str]:
    """The tags of an element that other formats have; an override may have several."""
    if element.name == STYLE:
        return [name for name in sorted(COMMON) if f"\\{name}1" in element.open]
    name = element.name.removeprefix("\\")
    return [name] if name in COMMON else []


COMMON = {"b", "i", "u"}
"""The tags that all formats with markup have."""
_TAGS = {"v": "voice", "c": "class", "lang": "language", "ruby": "ruby", "font": "font"}
_SAME = {"an2", "an8"}
"""ASS commands that WebVTT can say as well: below, where cues are anyway, and at the top."""
_PLACING = re.compile(r"an?\d|pos|move")
_BLOCK = re.compile(r"(NOTE|STYLE|REGION)(?:[ \t].*)?")
_ORDER = (
    *("position", "region", "voice", "class", "language", "ruby", "font", "inner times"),
    *("overrides", "other markup", "identifier"),
)


def conversion_losses(track: Track, format: FormatName) -> tuple[ConversionLoss, ...]:
    """Tell what `convert_track` will leave out of a subtitle file.

    Args:
        track: The file as it was read.
        format: The format it will be written in. Plain text has nothing but words, of which nobody
            needs to be told.

    Returns:
        That the format is only read, if so; and one loss, at the line of the first cue that it is
        about, if there is any.
    """
    markups = {FORMATS[track.format].markup, FORMATS[format].markup}
    if format == track.format or "script" in markups or not FORMATS[format].timed:
        return ()
    of_cues = [(cue, {*_lost(cue, track.format)}) for cue in track.cues]
    counts = Counter(what for _, lost in of_cues for what in lost)
    parts = [f"the {what} of {_count(counts[what], 'cue')}" for what in _ORDER if counts[what]]
    parts += [_count(number, what) for what, number in _blocks(track).items() if number]
    old, new, losses = FORMATS[track.format].title, FORMATS[format].title, []
    if FORMATS[track.format].render is None:
        losses.append(ConversionLoss(1, f"{old} is only read: written as {new}"))
    if parts:
        line = next((cue.line for cue, lost in of_cues if lost), 1)
        losses.append(ConversionLoss(line, f"not written to {new}: {', '.join(parts)}"))
    return tuple(losses)


def _lost(cue: Cue, format: FormatName) -> Iterator[str]:
    """Name what a cue has that the other format has not."""
    of_webvtt = FORMATS[format].markup == "vtt"
    if of_webvtt:
        values = _values(cue.settings)
        others = (
            value.split(",")[0] not in _AS_WITHOUT.get(name, ())
            for name, value in values.items()
            if name not in ("line", "region")
        )
        if any(others) or 1 / 3 < _share_of_height(cue.settings) < 2 / 3:
            yield "position"
        if "region" in values:
            yield "region"
        if cue.identifier and not cue.identifier.strip().isdecimal():
            yield "identifier"
    elif cue.settings:  # coordinates
        yield "position"
    for element in lift_tags(cue.text, format)[1]:
        if element.name and element.name != STYLE:
            if not _common(element):
                yield _TAGS.get(element.name, "other markup")
        elif of_webvtt:
            yield "ruby" if element.open.startswith("<rt") else "inner times"
        else:
            commands = [part.strip() for part in element.open.strip("{}").split("\\")]
            for command in {*commands} - {*_SAME, ""}:
                yield "position" if _PLACING.match(command) else "overrides"


def _blocks(track: Track) -> dict[str, int]:
    """How many notes, styles and regions stand between the cues, and whether a header does."""
    counts = {"note": 0, "style": 0, "region": 0, "header": 0}
    if track.format == "vtt" and isinstance(track.layout, Layout):
        gaps = [*(block.lead for block in track.layout.blocks), track.layout.tail]
        signature, *metadata = [*gaps[0], ""][:2]
        counts["header"] = int(signature != "WEBVTT" or any(metadata))
        for lines in gaps:
            for before, line in zip(("", *lines), lines, strict=False):
                if not before and (match := _BLOCK.fullmatch(line)):
                    counts[match[1].lower()] += 1
    if isinstance(track.layout, Places) and isinstance(track.layout.known, Counter):
        counts |= track.layout.known
    return counts


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("s" if number != 1 else "")
