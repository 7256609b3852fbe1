"""What of a file its conversion into another format leaves out, told in one line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from subfit.subtitles.cues import Cue, FormatName, Loss, Track
from subfit.subtitles.formats.layout import Layout
from subfit.subtitles.formats.positions import commands_of, is_in_region, is_more_than_height
from subfit.subtitles.markup.tags import Element, lift_tags

_NAMES = {"srt": "SubRip", "vtt": "WebVTT"}
COMMON = {"b", "i", "u"}
"""The tags that SubRip and WebVTT both have."""
_TAGS = {"v": "voice", "c": "class", "lang": "language", "ruby": "ruby", "font": "font"}
_SAME = {"an2", "an8"}
"""ASS commands that WebVTT can say as well: below, where cues are anyway, and at the top."""
_PLACING = re.compile(r"an?\d|pos|move")
_BLOCK = re.compile(r"(NOTE|STYLE|REGION)(?:[ \t].*)?")
_ORDER = (
    "position",
    "region",
    "voice",
    "class",
    "language",
    "ruby",
    "font",
    "inner times",
    "overrides",
    "other markup",
    "identifier",
)


def losses_of(track: Track, format: FormatName) -> tuple[Loss, ...]:
    """Tell what `subfit.subtitles.formats.convert_track` will leave out of a subtitle file.

    Args:
        track: The file as it was read.
        format: The format it will be written in. Plain text has nothing but words, of which nobody
            needs to be told.

    Returns:
        Nothing, or one loss, at the line of the first cue that it is about.
    """
    if format == track.format or format not in _NAMES or track.format not in _NAMES:
        return ()
    of_cues = [(cue, set(_lost(cue, track.format))) for cue in track.cues]
    counts = Counter(what for _, lost in of_cues for what in lost)
    told = [f"the {what} of {_count(counts[what], 'cue')}" for what in _ORDER if counts[what]]
    told += [_count(number, what) for what, number in _blocks(track).items() if number]
    if not told:
        return ()
    line = next((cue.line for cue, lost in of_cues if lost), 1)
    return (Loss(line, f"not written to {_NAMES[format]}: {', '.join(told)}"),)


def _lost(cue: Cue, format: FormatName) -> Iterator[str]:
    """Name what a cue has that the other format has not."""
    if format == "vtt":
        yield from _lost_settings(cue)
    elif cue.settings:  # coordinates
        yield "position"
    for element in lift_tags(cue.text, format)[1]:
        if element.name.removeprefix("\\") not in COMMON:
            yield from _lost_element(element, format)


def _lost_settings(cue: Cue) -> Iterator[str]:
    if is_more_than_height(cue.settings):
        yield "position"
    if is_in_region(cue.settings):
        yield "region"
    if cue.identifier and not cue.identifier.strip().isdecimal():
        yield "identifier"


def _lost_element(element: Element, format: FormatName) -> Iterator[str]:
    if element.name:
        yield _TAGS.get(element.name, "other markup")
    elif format == "vtt":
        yield "ruby" if element.open.startswith("<rt") else "inner times"
    else:
        for command in commands_of(element.open):
            if command not in _SAME:
                yield "position" if _PLACING.match(command) else "overrides"


def _blocks(track: Track) -> dict[str, int]:
    """How many notes, styles and regions stand between the cues, and whether a header does."""
    found = {"note": 0, "style": 0, "region": 0, "header": 0}
    if track.format == "vtt" and isinstance(track.layout, Layout):
        gaps = [*(block.lead for block in track.layout.blocks), track.layout.tail]
        signature, *metadata = [*gaps[0], ""][:2]
        found["header"] = int(signature != "WEBVTT" or any(metadata))
        for lines in gaps:
            for before, line in zip(("", *lines), lines, strict=False):
                if not before and (match := _BLOCK.fullmatch(line)):
                    found[match[1].lower()] += 1
    return found


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("s" if number != 1 else "")
