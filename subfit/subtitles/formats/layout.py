"""Timing lines, and what a file keeps between its cue texts, to splice new ones into the same file.

A time is `[hours:]minutes:seconds[,fraction]`. The fraction is a decimal fraction of a second, as
in mathematics: ``0:0:1,5`` is 1.500 s (pysrt and srt read it as 1.005 s). A time before zero, which
files get by being shifted, is read as zero: nothing of a film is earlier.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from subfit.errors import InputFileError
from subfit.subtitles.cues import FORMATS, Cue, FormatName, Parsed, Repair, Spliced, Track, Unread
from subfit.subtitles.repairs import UNREADABLE, quoted
from subfit.subtitles.timecodes import from_clock, to_clock

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
_SRT = r"[ \t]*[0-9]{2,}:[0-5][0-9]:[0-5][0-9],[0-9]{3}"
_VTT = r"[ \t\f]*(?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9]\.[0-9]{3}"
_STRICT = {
    "srt": re.compile(rf"{_SRT}[ \t]*-->{_SRT}(?:[ \t](?!.*-->).*)?"),
    "vtt": re.compile(rf"{_VTT}[ \t\f]*-->{_VTT}(?:[ \t\f].*)?"),
}
_END = re.compile(r"(?<=-->)([ \t\f]*)((?:[0-9]{2,}:)?)[0-5][0-9]:[0-5][0-9][,.][0-9]{3}")
_SEPARATOR = {"srt": ",", "vtt": "."}


def read_timing(line: str) -> Cue | None:
    """Read a timing line in any of the ways files write it, as a cue without text.

    Returns:
        In-time, out-time and settings; None of another line.
    """
    match = _LINE.fullmatch(line) if _ANY_ARROW.search(line) else None
    if match is None:
        return None
    first, arrow, second, settings = match.groups()[:5], match[6], match.groups()[6:11], match[12]
    # "Open 10:30 -> 11:30": dialogue may say so, and would not with hours or fractions in it.
    if arrow != "-->" and not ((first[1] or first[4]) and (second[1] or second[4])):
        return None
    start, end = _milliseconds(first), _milliseconds(second)
    return Cue(start, end, "", settings=(settings or "").strip())


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


def timing_line(cue: Cue, format: FormatName) -> str:
    """Return the timing line of a cue in the format ``srt`` or ``vtt``."""
    start, end = (to_clock(time, _SEPARATOR[format]) for time in (cue.start, cue.end))
    return f"{start} --> {end} {cue.settings}".rstrip()


def _milliseconds(parts: Sequence[str | None]) -> int:
    if any((part or "0")[0] in "-−" for part in parts if part):
        return 0
    return from_clock(*parts[1:])


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
    lead: Callable[[int], tuple[str, ...]],
    payload_of: Callable[[str], list[str]],
) -> Spliced:
    """Put cue texts between the lines of their file, or of a new one.

    Args:
        track: Its layout, where it is of the format, is the file without its texts.
        format: The format to write, ``srt`` or ``vtt``.
        lead: Gives the lines before the timing line of a cue of another file, by its index.
        payload_of: Gives the lines to write for a cue text; no line may end the cue.
    """
    cues, layout = track.cues, track.layout
    if track.format != format or not isinstance(layout, Layout):
        blocks = (
            Block(lead(at), timing_line(cue, format), cue.start, cue.end)
            for at, cue in enumerate(cues)
        )
        layout = Layout(tuple(blocks), ("",) if cues else (*lead(0)[:-1], ""))
    pairs = zip(cues, layout.blocks, strict=True)
    return Spliced(
        heads=tuple("\n".join([*block.lead, _timing(cue, block, format)]) for cue, block in pairs),
        payloads=tuple("\n".join(payload_of(cue.text)) for cue in cues),
        tail="\n".join(layout.tail) if layout.tail else None,
    )


def _timing(cue: Cue, block: Block, format: FormatName) -> str:
    """The timing line to write for a cue: where only its out-time has changed, as it was."""
    if cue.start != block.start:
        return timing_line(cue, format)
    if cue.end == block.end:
        return block.timing

    def end(old: re.Match[str]) -> str:
        hours, _, rest = to_clock(cue.end, _SEPARATOR[format]).partition(":")
        hours = f"{hours.zfill(len(old[2]) - 1)}:" if old[2] or int(hours) else ""
        return f"{old[1]}{hours}{rest}"

    return _END.sub(end, block.timing, count=1)


ITALIC_STYLE = "italic"
"""What a cue's settings have whose style is in italics, beside those of WebVTT."""
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


def with_parts(track: Track, parts: Sequence[Sequence[Cue]]) -> Track:
    """Return a track without some of its cues, or with some in several.

    What else stands between them, such as a header or notes, stays; the numbers of a SubRip file
    count on.

    Args:
        track: A track of subtitles; only SubRip and WebVTT files may have more cues than before.
        parts: For each of its cues what stands in its place.
    """
    cues, more = list[Cue](), 0
    for old, own in zip(track.cues, parts, strict=True):
        for number, cue in enumerate(own):
            more, name = more + (number > 0), "" if number else old.identifier
            if track.format == "srt" and old.identifier.isdecimal():
                name = str(int(old.identifier) + more)
            cues.append(replace(cue, identifier=name))
        more -= not own
    layout = track.layout
    if isinstance(layout, Layout):
        layout = _parted(layout, parts, track, iter(cues))
    elif isinstance(layout, Places):
        pairs = list(zip(layout.places, parts, strict=True))
        gone = tuple(place.whole for place, own in pairs if not own)
        places = tuple(place for place, own in pairs if own)
        layout = replace(layout, places=places, gone=(*layout.gone, *gone))
    return replace(track, cues=tuple(cues), layout=layout)


def _parted(
    layout: Layout, parts: Sequence[Sequence[Cue]], track: Track, cues: Iterator[Cue]
) -> Layout:
    blocks: list[Block] = []
    waiting: tuple[str, ...] | None = None
    """What stood before a cue that is gone, but for its number or name."""
    for old, own, block in zip(track.cues, parts, layout.blocks, strict=True):
        named = bool(block.lead) and bool(block.lead[-1].strip())
        lead = _put_behind(waiting, block.lead[: len(block.lead) - named])
        waiting = None if own else lead
        name = block.lead[-1:] if named else ()
        for number in range(len(own)):
            cue = next(cues)
            if cue.identifier != old.identifier:
                name = (cue.identifier,) if cue.identifier else ()
            if number:
                lead, block = ("",), Block((), timing_line(cue, track.format), cue.start, cue.end)
            blocks.append(replace(block, lead=(*lead, *name)))
    return Layout(tuple(blocks), _put_behind(waiting, layout.tail))


def _put_behind(before: tuple[str, ...] | None, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Lines behind others, if there are any, with one blank line between them, none before all."""
    if before is None:
        return lines
    if lines and not lines[0].strip() and not (before and before[-1].strip()):
        return (*before, *lines[1:])
    return (*before, *lines)


@dataclass
class Scanner(ABC):
    """One pass over the lines of a file with timing lines, which are mended where they are odd.

    Positions are 0-based, reported lines 1-based.
    """

    lines: list[str]
    name: str
    """The file's, for messages."""
    repairs: list[Repair] = field(default_factory=list)
    format: ClassVar[FormatName]
    checked_by: ClassVar[str]
    """The package whose reader must find the same times in the mended cues."""
    nothing: ClassVar[str]
    """What is told of a file that has no cue."""
    usual: ClassVar[str]
    """What such files have, told beside it."""

    @abstractmethod
    def header(self, stop: int | None) -> list[str]:
        """Return the lines before the first timing line, None without any, as they are written."""

    @abstractmethod
    def named(self, lead: list[str], at: int, settings: str) -> tuple[list[str], str]:
        """Return the lines before the timing line at a position, and its cue's number or name."""

    @abstractmethod
    def region(self, begin: int, stop: int, name: str) -> tuple[list[str], list[str]]:
        """Divide the lines between two timing lines into a cue's text and the next one's lead."""

    @abstractmethod
    def reread(self, cues: Sequence[Cue]) -> list[tuple[int, int]]:
        """Return the in- and out-times of cues, in milliseconds, as `checked_by` reads them."""

    def scan(self, read: Callable[[str], Cue | None], *, may_be_bare: bool = False) -> Parsed:
        """Build cues and layout around the timing lines.

        Args:
            read: Reads a timing line; None of another line.
            may_be_bare: Whether the file may be without cues.

        Raises:
            InputFileError: There is no cue, or the package `checked_by` reads other times of the
                mended cues.
        """
        timings = [(at, cue) for at, line in enumerate(self.lines) if (cue := read(line))]
        if not (timings or may_be_bare):
            problem = self.nothing if any(map(str.strip, self.lines)) else "the file is empty"
            remedy = f"{self.usual}; for a file of plain sentences pass --input-format txt"
            raise InputFileError(self.name, problem, line=1, remedy=remedy)
        starts = [at for at, _ in timings]
        lead = self.header(starts[0] if starts else None)
        cues: list[Cue] = []
        blocks: list[Block] = []
        for (at, timing), stop in zip(timings, [*starts, len(self.lines)][1:], strict=False):
            lead, name = self.named(lead, at, timing.settings)
            blocks.append(Block(tuple(lead), self._timing(at, timing), timing.start, timing.end))
            payload, lead = self.region(at + 1, stop, name)
            text = "\n".join(payload)
            cues.append(replace(timing, text=text, identifier=name, line=at + 1))
        self._check(cues)
        return Parsed(tuple(cues), Layout(tuple(blocks), tuple(lead)), tuple(self.repairs))

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

    def _timing(self, at: int, timing: Cue) -> str:
        """The timing line at a position as it is to be written."""
        line = self.lines[at]
        if _STRICT[self.format].fullmatch(line):
            return line
        mended, title = timing_line(timing, self.format), FORMATS[self.format].title
        self.repair(at, f"times not in {title} form: {quoted(line)} read as {mended}")
        return mended

    def _check(self, cues: Sequence[Cue]) -> None:
        """Make sure that another reader finds the same times in the mended cues."""
        try:
            times = self.reread(cues)
        except Exception as error:  # whatever that reader raises
            problem = f"{self.checked_by} cannot read a cue: {quoted(str(error))}"
            raise InputFileError(self.name, problem) from error
        if times != [(cue.start, cue.end) for cue in cues]:
            pairs = zip(cues, times, strict=False)
            odd = (cue.line for cue, time in pairs if time != (cue.start, cue.end))
            problem = f"{self.checked_by} reads other times of the cues"
            raise InputFileError(self.name, problem, line=next(odd, 1))
