"""Advanced SubStation (ASS) and SubStation (SSA): only the texts of events are replaced.

Events are cues in the order of their times, which files need not have. Those without words
(drawings, what a karaoke template made) are none, and stay. Karaoke, and events of styles that are
to be kept, are cues that have their translation already.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from subfit.errors import InputFileError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Repair, Track, Unread
from subfit.subtitles.formats.layout import ITALIC_STYLE, TOP_SETTING, Extent, Place, Places
from subfit.subtitles.markup.payload import plain_text
from subfit.subtitles.repairs import UNREADABLE, quoted
from subfit.subtitles.timecodes import from_clock

_SECTION = re.compile(r"\s*\[([^\]]+)\]\s*")
_FIELD = re.compile(r"\s*(\w+)\s*:[ \t]*")
_TIME = re.compile(r"\s*(-?)(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:,](\d{1,3}))?\s*", re.ASCII)
_EVENT = ["layer", "start", "end", "style", "name"]
_EVENT += ["marginl", "marginr", "marginv", "effect", "text"]
_KARAOKE = re.compile(r"\{[^{}]*\\[kK][fot]?\d")
_ESCAPES = re.compile(r"(\{[^{}]*\})|\\([Nnh])")
_NO_WRAP = re.compile(r"(?i)^WrapStyle\s*:\s*2\b", re.MULTILINE)
_HEAD = Path(__file__).with_name("new.ass").read_text("utf-8")


def parse(contents: Contents) -> Parsed:
    """Read the events of a file that have words.

    Raises:
        InputFileError: There is none.
    """
    section, order, at = "", _EVENT, 0
    settings: dict[str, str] = {}
    """By style, what WebVTT can say of it, and whether it is in italics."""
    places: list[Place] = []
    repairs: list[Repair] = []
    unshown = Counter[str]()
    breaks = bool(_NO_WRAP.search(contents.text))
    for number, line in enumerate(contents.text.split("\n"), 1):
        begin, at = at, at + len(line) + 1
        if match := _SECTION.fullmatch(line):
            section = match[1].strip().lower()
            continue
        field = _FIELD.match(line)
        key, offset = (field[1].lower(), field.end()) if field else ("", 0)
        if key == "format" and section in ("events", "v4+ styles", "v4 styles"):
            order = [name.strip().lower() for name in line[offset:].split(",")]
        elif key == "style":
            row = dict(zip(order, line[offset:].split(","), strict=False))
            slanted = row.get("italic", "").strip() in ("-1", "1")
            told = [TOP_SETTING] * _is_top(row, section) + [ITALIC_STYLE] * slanted
            settings[row.get("name", "").strip().lstrip("*")] = " ".join(told)
        elif key == "comment":
            unshown["comment"] += 1
        elif key == "dialogue" and section == "events":
            cells = line[offset:].split(",", len(order) - 1)
            row = dict(zip(order, cells, strict=False))
            start, end = _milliseconds(row.get("start", "")), _milliseconds(row.get("end", ""))
            if start is None or end is None or "text" not in row:
                problem = f"{UNREADABLE}: {quoted(line)}; the event is kept as it stands"
                repairs.append(Unread(number, problem))
                continue
            cue = _cue(row, (start, end), number, contents.kept_styles, breaks=breaks)
            cue = replace(cue, settings=settings.get(cue.style, ""))
            made = row.get("effect", "").strip().lower() == "fx"
            if made or not plain_text(cue.text, "ass").strip():
                unshown["drawing"] += 1
                continue
            places.append(Place(cue, *_extents(order, cells, begin, offset, at)))
    if not places and not repairs:
        raise InputFileError(contents.name, "no event with words, no line Dialogue: in [Events]")
    places.sort(key=lambda place: place.cue.start)
    cues = tuple(place.cue for place in places)
    return Parsed(cues, Places(contents.text, tuple(places), unshown), tuple(repairs))


def render(track: Track) -> str:
    """Return the file with the texts that have changed, or a new one with one style."""
    if isinstance(track.layout, Places):
        return track.layout.spliced(track.cues, _written, lambda time, _: _clock(time))
    events = [
        f"Dialogue: 0,{_clock(cue.start)},{_clock(cue.end)},Default,{cue.speaker.replace(',', ' ')}"
        f",0,0,0,,{_written(cue.text)}\n"
        for cue in track.cues
    ]
    return _HEAD + "".join(events)


def _cue(
    row: dict[str, str], times: tuple[int, int], line: int, kept: Sequence[str], *, breaks: bool
) -> Cue:
    text = _read(row["text"], breaks=breaks)
    style = row.get("style", "").strip().lstrip("*")
    keeps = _KARAOKE.search(text) or any(fnmatchcase(style, pattern) for pattern in kept)
    speaker = row.get("name", row.get("actor", "")).strip()
    target = text if keeps else ""
    return Cue(*times, text, line=line, speaker=speaker, style=style, target=target)


def _extents(
    order: Sequence[str], cells: Sequence[str], begin: int, offset: int, after: int
) -> tuple[Extent, Extent, tuple[tuple[Extent, int], ...]]:
    """Where an event's text, all of its line, and its times stand."""
    places, at = {}, begin + offset
    for name, cell in zip(order, cells, strict=False):
        places[name] = (at, at + len(cell))
        at += len(cell) + 1
    return places["text"], (begin, after), ((places["start"], 0), (places["end"], 0))


def _read(text: str, *, breaks: bool) -> str:
    """The payload of a text: lines and hard spaces as characters."""
    soft = "\n" if breaks or "\\q2" in text else " "
    signs = {"N": "\n", "n": soft, "h": "\N{NO-BREAK SPACE}"}
    return _ESCAPES.sub(lambda match: match[1] or signs[match[2]], text)


def _written(text: str) -> str:
    return re.sub(r"\s*[\r\n]+\s*", r"\\N", text.strip("\r\n")).replace("\N{NO-BREAK SPACE}", r"\h")


def _is_top(row: dict[str, str], section: str) -> bool:
    alignment = row.get("alignment", "").strip()
    return alignment in (("7", "8", "9") if "+" in section else ("5", "6", "7"))


def _milliseconds(text: str) -> int | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    return 0 if match[1] else from_clock(*match.groups()[1:])


def _clock(milliseconds: int) -> str:
    seconds, rest = divmod(max(milliseconds, 0) // 10, 100)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:02}"


FORMATS = (
    Format(
        "ass",
        "Advanced SubStation (ASS)",
        (".ass", ".ssa"),
        parse,
        render,
        "ass",
        begins=r"\s*\[Script Info\]",
        keeps="styles, overrides, karaoke, drawings, comments, layers",
    ),
)
