"""What a file keeps between its cue texts, so that new texts can be spliced into the same file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from subfit.errors import InputFileError
from subfit.subtitles.cues import FORMATS, Cue, FormatName, Repair, Track
from subfit.subtitles.formats.timing import Timing, is_strict, with_end, write_timing
from subfit.subtitles.repairs import quoted


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


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a format's parser makes of a text."""

    cues: tuple[Cue, ...]
    layout: Layout | None = None
    """What `render` needs to write the same file again, beside the cues."""
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class Spliced:
    """A file as it is to be written, taken apart at its cue texts; ``\\n`` between lines."""

    heads: tuple[str, ...]
    """What stands before the text of each cue, its timing line included; none in plain text."""
    payloads: tuple[str, ...]
    """The text of each cue as written. Where there are heads, an empty one has no line at all."""
    tail: str | None
    """What stands behind the last cue's text; None for nothing, not even the end of a line."""

    @property
    def text(self) -> str:
        """The file."""
        lines: list[str] = list(self.payloads)
        if self.heads:
            pairs = zip(self.heads, self.payloads, strict=True)
            lines = [part for head, text in pairs for part in ((head, text) if text else (head,))]
        return "\n".join([*lines, self.tail] if self.tail is not None else lines)


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
        """Return the cue of the timing line at a position, and tell if it has no duration."""
        text = "\n".join(payload)
        cue = Cue(timing.start, timing.end, text, identifier, timing.settings, at + 1)
        if cue.duration <= 0:
            fault = "ends before it begins" if cue.duration < 0 else "has no duration"
            self.repair(at, f"the cue {fault}; kept as written")
        return cue

    def check(self, cues: Sequence[Cue], times: Sequence[tuple[int, int]]) -> None:
        """Make sure that a library has read the same times (milliseconds) of the mended cues.

        Raises:
            InputFileError: It has not.
        """
        for cue, read in zip(cues, times, strict=False):
            if read != (cue.start, cue.end):
                raise InputFileError(self.name, "the cue's times cannot be read", line=cue.line)
        if len(times) != len(cues):
            raise InputFileError(self.name, f"{len(cues)} timing lines but {len(times)} cues")
