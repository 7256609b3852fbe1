"""Timing lines, and what a file keeps between its cue texts, to splice new ones into the same file.

A time is `[hours:]minutes:seconds[,fraction]`. The fraction is a decimal fraction of a second, as
in mathematics: ``0:0:1,5`` is 1.500 s (pysrt and srt read it as 1.005 s). A time before zero, which
files get by being shifted, is read as zero: nothing of a film is earlier.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from subfit.errors import InputFileError
from subfit.subtitles.cues import FORMATS, Cue, FormatName, Repair, Spliced, Track, Unread
from subfit.subtitles.repairs import UNREADABLE, quoted

# Scripts that shift times leave floats ("01,120.4000000000001") and a minus before every part.
_CLOCK = (
    r"([-−]?)(?:([0-9]{1,6})\s?:\s?)?([-−]?[0-9]{1,4})\s?:\s?([-−]?[0-9]{1,5})"
    r"(?:\s?[.,:]\s?([-−]?[0-9]{1,12})(?:[.,][0-9]*)?)?"
)
# "->", "-- >", "–>", "--&gt;", "→" come from hand-typed files, word processors and web pages.
_ARROW = r"(-{1,4}\s?>|[–—]+\s?>|-{1,2}&gt;|={1,2}>|[→⟶➜⇒])"
# Concatenated files leave a byte order mark in front of a line.
_LINE = re.compile(rf"[\s\ufeff]*{_CLOCK}\s*{_ARROW}\s*{_CLOCK}(?:\s+(.*))?\s*", re.ASCII)
_ANY_ARROW = re.compile(r">|&gt;|[→⟶➜⇒]")
_WITHIN = re.compile(rf"{_CLOCK}\s*{_ARROW}\s*{_CLOCK}", re.ASCII)
_ANY_TIME = re.compile(r"[0-9]{1,4}\s?:\s?[0-9]{1,5}")
_STRICT = {
    "srt": re.compile(
        r"[ \t]*[0-9]{2,}:[0-5][0-9]:[0-5][0-9],[0-9]{3}[ \t]*-->"
        r"[ \t]*[0-9]{2,}:[0-5][0-9]:[0-5][0-9],[0-9]{3}(?:[ \t](?!.*-->).*)?"
    ),
    "vtt": re.compile(
        r"[ \t\f]*(?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9]\.[0-9]{3}[ \t\f]*-->"
        r"[ \t\f]*(?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9]\.[0-9]{3}(?:[ \t\f].*)?"
    ),
}
_END = re.compile(r"(.*?-->[ \t\f]*)((?:[0-9]{2,}:)?)([0-5][0-9]:[0-5][0-9])([,.])[0-9]{3}(.*)")
_SEPARATOR = {"srt": ",", "vtt": "."}


@dataclass(frozen=True, slots=True)
class Timing:
    """What one timing line says."""

    start: int
    """In-time in milliseconds."""
    end: int
    """Out-time in milliseconds."""
    settings: str
    """The rest of the line, stripped."""


def read_timing(line: str) -> Timing | None:
    """Read a timing line in any of the ways files write it; None if it is not one."""
    if not _ANY_ARROW.search(line) and "&gt;" not in line:
        return None
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    first, arrow, second, settings = match.groups()[:5], match[6], match.groups()[6:11], match[12]
    # "Open 10:30 -> 11:30": dialogue may say so, and would not with hours or fractions in it.
    if arrow != "-->" and not ((first[1] or first[4]) and (second[1] or second[4])):
        return None
    return Timing(_milliseconds(*first), _milliseconds(*second), (settings or "").strip())


def why_unread(line: str) -> str:
    """Say, for a warning, why a line with an arrow is taken for text and not for times."""
    if _WITHIN.search(line):
        return "there is something before the times"
    times = len(_ANY_TIME.findall(line))
    if times < 2:
        return "it has one time" if times else "it has no times"
    return "its times are not two of minutes and seconds with an arrow between"


def defused(line: str) -> str:
    """Return a line of text so that it cannot be taken for a timing line: with ``➝`` as arrow."""
    return re.sub(_ARROW, "➝", line) if read_timing(line) else line


def is_strict(line: str, format_name: str) -> bool:
    """Whether a timing line stands exactly as the format (``srt`` or ``vtt``) wants it."""
    return _STRICT[format_name].fullmatch(line) is not None


def write_timing(start: int, end: int, settings: str, format_name: str) -> str:
    """Return the timing line for the times (milliseconds) in the format ``srt`` or ``vtt``."""
    separator = _SEPARATOR[format_name]
    times = f"{_clock(start, separator)} --> {_clock(end, separator)}"
    return f"{times} {settings}" if settings else times


def with_end(line: str, end: int) -> str:
    """Return a timing line with another out-time and everything else as it stands.

    Args:
        line: The line, `is_strict` in its format.
        end: The out-time in milliseconds. Hours are written as they were; where there were none,
            only if they are needed.
    """
    match = _END.fullmatch(line)
    if match is None:
        raise ValueError(f"no strict timing line: {line!r}")
    before, old_hours, _, separator, after = match.groups()
    hours, _, rest = _clock(end, separator).partition(":")
    hours = f"{hours.zfill(len(old_hours) - 1)}:" if old_hours or int(hours) else ""
    return f"{before}{hours}{rest}{after}"


def _milliseconds(
    sign: str, hours: str | None, minutes: str, seconds: str, fraction: str | None
) -> int:
    if sign or any(part[:1] in ("-", "−") for part in (minutes, seconds, fraction or "0")):
        return 0
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int((fraction or "0").ljust(3, "0")[:3])


def _clock(milliseconds: int, separator: str) -> str:
    seconds, thousandths = divmod(max(milliseconds, 0), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}{separator}{thousandths:03d}"


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of a file from the end of one cue's text to the beginning of the next one's."""

    lead: tuple[str, ...]
    """Blank lines, header, notes, index or identifier: everything before the timing line."""
    timing: str
    """The timing line as it is to be written while the cue keeps its times."""
    start: int
    """In-time that ``timing`` says, in milliseconds."""
    end: int
    """Out-time that ``timing`` says, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole file without its cue texts."""

    blocks: tuple[Block, ...]
    """One for each cue."""
    tail: tuple[str, ...]
    """The lines after the last cue's text; ends with an empty one if the last line has an end."""


def splice(
    track: Track,
    format: FormatName,
    new_layout: Callable[[Sequence[Cue]], Layout],
    payload_of: Callable[[str], list[str]],
) -> Spliced:
    """Put cue texts between the lines of their file, or of a new one.

    Args:
        track: Its layout, where it is of the format, is the file without its texts.
        format: The format to write, ``srt`` or ``vtt``.
        new_layout: Lays out a file for cues of another one.
        payload_of: Gives the lines to write for a cue text; no line may end the cue.
    """
    cues, layout = track.cues, track.layout
    if track.format != format or not isinstance(layout, Layout):
        layout = new_layout(cues)
    heads = []
    for cue, block in zip(cues, layout.blocks, strict=True):
        heads.append("\n".join([*block.lead, _timing(cue, block, format)]))
    return Spliced(
        heads=tuple(heads),
        payloads=tuple("\n".join(payload_of(cue.text)) for cue in cues),
        tail="\n".join(layout.tail) if layout.tail else None,
    )


TOP_SETTING = "line:0"
"""How WebVTT puts a cue at the top; in other formats, what `Cue.settings` says of such a cue."""
Extent = tuple[int, int]
"""Where something begins and ends in a file's text, in characters."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cue stands in a file's text."""

    cue: Cue
    """As it was read there."""
    text: Extent
    whole: Extent
    """All that goes with the cue, if it goes."""
    times: tuple[tuple[Extent, int], ...] = ()
    """Its in-time and its out-time, each with the milliseconds that it is counted from."""


@dataclass(frozen=True, slots=True)
class Places:
    """A file's text, in which only what has changed of its cues is replaced."""

    text: str
    places: tuple[Place, ...]
    """One for each cue, in the order of the cues, which need not be that of the file."""
    known: Any = None
    """What else the format must know to write."""
    gone: tuple[Extent, ...] = ()
    """Of cues that were taken out."""

    def spliced(
        self,
        cues: Sequence[Cue],
        write_text: Callable[[str], str],
        write_time: Callable[[int, str], str],
        edits: Iterable[tuple[Extent, str]] = (),
    ) -> str:
        """Return the file with the texts and times of cues.

        Args:
            cues: As many as there are places.
            write_text: Makes a payload what stands in the file.
            write_time: Makes milliseconds what stands there, given what stood there.
            edits: What else is to be replaced.
        """
        changes = [*edits, *((extent, "") for extent in self.gone)]
        for cue, place in zip(cues, self.places, strict=True):
            if cue.text != place.cue.text:
                changes.append((place.text, write_text(cue.text)))
            moved = (cue.start, place.cue.start), (cue.end, place.cue.end)
            for (time, old), (extent, zero) in zip(moved, place.times, strict=True):
                if time != old:
                    changes.append((extent, write_time(time - zero, self.text[slice(*extent)])))
        parts, at = list[str](), 0
        for (start, stop), new in sorted(changes):
            if start >= at:
                parts += [self.text[at:start], new]
                at = stop
        return "".join([*parts, self.text[at:]])


def without_cues(track: Track, numbers: Collection[int]) -> Track:
    """Return a track without some of its cues; the indices of a SubRip file count on without them.

    What else stands between the cues, such as a header or notes, stays.

    Args:
        track: A track of subtitles.
        numbers: 0 for the first cue.
    """
    if not numbers:
        return track
    kept = [number for number in range(len(track.cues)) if number not in numbers]
    cues = [track.cues[number] for number in kept]
    numbered = track.format == "srt"
    if numbered:
        cues = [replace(cue, identifier=str(at)) for at, cue in enumerate(cues, 1)]
    layout = track.layout
    if isinstance(layout, Layout):
        layout = _without_blocks(layout, numbers, numbered=numbered)
    elif isinstance(layout, Places):
        gone = tuple(layout.places[number].whole for number in sorted(numbers))
        places = tuple(layout.places[number] for number in kept)
        layout = replace(layout, places=places, gone=(*layout.gone, *gone))
    return replace(track, cues=tuple(cues), layout=layout)


def _without_blocks(layout: Layout, numbers: Collection[int], *, numbered: bool) -> Layout:
    blocks: list[Block] = []
    waiting: tuple[str, ...] | None = None
    """What stood before a cue that is gone, but for its number or name."""
    for number, block in enumerate(layout.blocks):
        named = bool(block.lead) and bool(block.lead[-1].strip())
        lead = _put_behind(waiting, block.lead[: len(block.lead) - named])
        if number in numbers:
            waiting = lead
            continue
        name = str(len(blocks) + 1) if numbered else block.lead[-1] if named else ""
        blocks.append(replace(block, lead=(*lead, name) if name else lead))
        waiting = None
    return Layout(tuple(blocks), _put_behind(waiting, layout.tail))


def _put_behind(before: tuple[str, ...] | None, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Lines behind others, if there are any, with one blank line between them, none before all."""
    if before is None:
        return lines
    if lines and not lines[0].strip() and not (before and before[-1].strip()):
        return (*before, *lines[1:])
    return (*before, *lines)


def with_parts(track: Track, parts: Sequence[Sequence[Cue]]) -> Track:
    """Return a track with some of its cues in several; the indices of a SubRip file count on.

    Args:
        track: A track of a SubRip or WebVTT file, in its layout.
        parts: For each of its cues what stands in its place.
    """
    layout: Layout = track.layout
    cues, blocks, more = list[Cue](), list[Block](), 0
    for own, block in zip(parts, layout.blocks, strict=True):
        for number, cue in enumerate(own):
            lead, more = block.lead, more + (number > 0)
            name = str(int(cue.identifier) + more) if track.format == "srt" else ""
            if number:
                line = timing_line(cue, track.format)
                block = Block(("", name) if name else ("",), line, cue.start, cue.end)
            elif name and more:
                block = replace(block, lead=(*lead[:-1], name))
            blocks.append(block)
            cues.append(replace(cue, identifier=name if name else "" if number else cue.identifier))
    return replace(track, cues=tuple(cues), layout=replace(layout, blocks=tuple(blocks)))


def timing_line(cue: Cue, format: FormatName) -> str:
    """Return the timing line of a cue in the format ``srt`` or ``vtt``."""
    return write_timing(cue.start, cue.end, cue.settings, format)


def _timing(cue: Cue, block: Block, format: FormatName) -> str:
    """The timing line to write for a cue: where only its out-time has changed, as it was."""
    if cue.start != block.start:
        return timing_line(cue, format)
    return block.timing if cue.end == block.end else with_end(block.timing, cue.end)


@dataclass
class Scanner:
    """What the passes over files of timing lines share: how these are mended, and repairs told.

    Positions are 0-based, reported lines 1-based.
    """

    lines: list[str]
    name: str
    """The file's, for messages."""
    repairs: list[Repair] = field(default_factory=list)
    format: ClassVar[FormatName]

    def repair(self, at: int, problem: str) -> None:
        """Tell of something that was mended at a line."""
        self.repairs.append(Repair(at + 1, problem))

    def report_arrows(self, begin: int, end: int, *, kept: bool) -> bool:
        """Tell of lines that may have been meant for times; return whether there are any."""
        what = "the block is kept as it stands, untranslated" if kept else "taken as text"
        found = [at for at in range(begin, end) if "-->" in self.lines[at]]
        for at in found:
            line = self.lines[at]
            meant = self.format == "vtt" or any(map(str.isdecimal, line))
            kind = Unread if kept and meant else Repair
            problem = f"{UNREADABLE}: {quoted(line)}; {what} ({why_unread(line)})"
            self.repairs.append(kind(at + 1, problem))
        return bool(found)

    def timing(self, at: int, timing: Timing) -> str:
        """Return the timing line at a position as it is to be written."""
        line = self.lines[at]
        if is_strict(line, self.format):
            return line
        mended = write_timing(timing.start, timing.end, timing.settings, self.format)
        title = FORMATS[self.format].title
        self.repair(at, f"times not in {title} form: {quoted(line)} read as {mended}")
        return mended

    def cue(self, at: int, timing: Timing, payload: Sequence[str], identifier: str) -> Cue:
        """Return the cue of the timing line at a position."""
        text = "\n".join(payload)
        return Cue(timing.start, timing.end, text, identifier, timing.settings, at + 1)

    def check(self, cues: Sequence[Cue], read: Callable[[], list[tuple[int, int]]]) -> None:
        """Make sure that the library of the format reads the same times of the mended cues.

        Args:
            cues: What the scanner has found.
            read: Lets the library read them; returns its times, in milliseconds.

        Raises:
            InputFileError: It reads others, or refuses the file.
        """
        library = {"srt": "pysrt", "vtt": "webvtt-py"}[self.format]
        try:
            times = read()
        except Exception as error:  # whatever a library raises
            problem = f"{library} cannot read a cue: {quoted(str(error))}"
            raise InputFileError(self.name, problem) from error
        if times != [(cue.start, cue.end) for cue in cues]:
            pairs = zip(cues, times, strict=False)
            odd = (cue.line for cue, time in pairs if time != (cue.start, cue.end))
            problem = f"{library} reads other times of the cues"
            raise InputFileError(self.name, problem, line=next(odd, 1))
