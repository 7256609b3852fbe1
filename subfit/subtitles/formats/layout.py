"""What a file keeps between its cue texts, so that new texts can be spliced into the same file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from subfit.subtitles.cues import Cue, Repair
from subfit.subtitles.formats.timing import with_end


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
    cues: Sequence[Cue],
    layout: Layout,
    payload_of: Callable[[str], list[str]],
    timing_of: Callable[[Cue], str],
) -> Spliced:
    """Put cue texts back between the lines of their file.

    Args:
        cues: One for each block of the layout.
        layout: The file without its texts.
        payload_of: Gives the lines to write for a cue text; no line may end the cue.
        timing_of: Writes the timing line of a cue whose in-time has changed. Where only its
            out-time has, the line is written as it was, with the other time.
    """
    heads = []
    for cue, block in zip(cues, layout.blocks, strict=True):
        heads.append("\n".join([*block.lead, _timing(cue, block, timing_of)]))
    return Spliced(
        heads=tuple(heads),
        payloads=tuple("\n".join(payload_of(cue.text)) for cue in cues),
        tail="\n".join(layout.tail) if layout.tail else None,
    )


def _timing(cue: Cue, block: Block, timing_of: Callable[[Cue], str]) -> str:
    """The timing line to write for a cue."""
    if cue.start != block.start:
        return timing_of(cue)
    return block.timing if cue.end == block.end else with_end(block.timing, cue.end)
