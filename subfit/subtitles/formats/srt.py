"""SubRip files: our own scanner in front of pysrt, which on its own loses cues silently.

pysrt drops a cue without milliseconds, the text after a blank line, and a cue that no blank line
separates from the one before. So the scanner finds every timing line first, mends what stands
around it (each mend is a `Repair` with its line), hands pysrt a clean file in the strict mode, and
compares what came out with what was found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pysrt

from subfit.errors import InputFileError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Spliced, Track, Unread
from subfit.subtitles.formats.layout import (
    Block,
    Layout,
    Scanner,
    Timing,
    defused,
    read_timing,
    splice,
    timing_line,
)

_COORDINATES = re.compile(r"(?:[A-Za-z][A-Za-z0-9]*:\S+\s*)+")
_INDEX = re.compile(r"[\s\ufeff]*([0-9]{1,9})\s*")


def parse(contents: Contents) -> Parsed:
    """Parse a SubRip file.

    Raises:
        InputFileError: There is not a single timing line.
    """
    text, name = contents.text, contents.name
    lines = text.split("\n")
    timings = [(at, timing) for at, line in enumerate(lines) if (timing := _times(line))]
    if not timings:
        raise InputFileError(
            name,
            "the file is empty" if not text.strip() else "no cue found, nor any line with times",
            line=1,
            remedy="SubRip cues have a line like 00:00:01,000 --> 00:00:02,500; for a file of "
            "plain sentences pass --input-format txt",
        )
    return _Scanner(lines, name).scan(timings)


def render(track: Track) -> Spliced:
    """Return the track as a SubRip file, in its own layout if it has one.

    A payload line that is blank or reads like times would end its cue, so the one is left out and
    the arrow of the other is written as ``➝``.
    """
    return splice(track, "srt", _new_layout, _payload)


def _times(line: str) -> Timing | None:
    timing = read_timing(line)
    # pysrt splits the line at every arrow: a second one is no arrow any more.
    return timing and replace(timing, settings=timing.settings.replace("-->", "→"))


def _payload(text: str) -> list[str]:
    lines = [line for line in re.split(r"\r\n|\r|\n", text) if line.strip()]
    return [defused(line) if _times(line) else line for line in lines]


def _new_layout(cues: Sequence[Cue]) -> Layout:
    blocks = [
        Block(("", str(at)) if at > 1 else (str(at),), timing_line(cue, "srt"), cue.start, cue.end)
        for at, cue in enumerate(cues, start=1)
    ]
    return Layout(tuple(blocks), ("",))


def _index(line: str) -> int | None:
    match = _INDEX.fullmatch(line)
    return int(match[1]) if match else None


@dataclass
class _Scanner(Scanner):
    """One pass over the lines of one file."""

    format = "srt"
    seen: set[int] = field(default_factory=set)

    def scan(self, timings: Sequence[tuple[int, Timing]]) -> Parsed:
        """Build cues and layout around the timing lines that were found."""
        stops = [*(at for at, _ in timings[1:]), len(self.lines)]
        lead = self._header(timings[0][0])
        number: int | None = None
        cues: list[Cue] = []
        blocks: list[Block] = []
        for (at, timing), stop in zip(timings, stops, strict=True):
            lead, number = self._numbered(lead, at, len(cues) + 1)
            blocks.append(Block(tuple(lead), self.timing(at, timing), timing.start, timing.end))
            last = stop == len(self.lines)
            indexed = not last and self._is_index(stop - 1, at, number)
            payload, lead = self._region(at + 1, stop, indexed, last, number)
            cues.append(self.cue(at, timing, payload, str(number)))
        layout = Layout(tuple(blocks), tuple(lead))
        self.check(cues, lambda: _times_by_pysrt(cues))
        return Parsed(tuple(cues), layout, tuple(self.repairs))

    def _header(self, stop: int) -> list[str]:
        end = stop - 1 if stop and _index(self.lines[stop - 1]) is not None else stop
        text_at = [at for at in range(end) if self.lines[at].strip(" \t\ufeff")]
        if text_at:
            self.repair(text_at[0], "text before the first cue; kept as it stands, untranslated")
            self.report_arrows(0, end, kept=True)
        return self.lines[:stop]

    def _numbered(self, lead: list[str], at: int, position: int) -> tuple[list[str], int]:
        """Return the lines before a timing line with a cue number at their end, and the number."""
        number = _index(lead[-1]) if lead else None
        if number is None:
            self.repair(at, "the cue has no number; numbered")
            gap = [""] if lead and lead[-1].strip() else []
            return [*lead, *gap, str(position)], position
        if number in self.seen:
            self.repair(at - 1, "a cue number that was used before; kept as written")
        self.seen.add(number)
        return lead, number

    def _is_index(self, at: int, timing_at: int, number: int | None) -> bool:
        """Whether the line right before a timing line is that cue's number, and not text."""
        index = _index(self.lines[at])
        if index is None or at == timing_at:
            return False
        # "3" alone between two timing lines: the number if it counts on, else the text.
        return at > timing_at + 1 or (number is not None and index == number + 1)

    def timing(self, at: int, timing: Timing) -> str:
        """Also tell of text behind the times."""
        if timing.settings and not _COORDINATES.fullmatch(timing.settings):
            self.repair(at, "text on the timing line; kept as it stands, untranslated")
        return super().timing(at, timing)

    def _region(
        self, begin: int, stop: int, indexed: bool, last: bool, number: int | None
    ) -> tuple[list[str], list[str]]:
        """Divide the lines between two timing lines into a cue's text and the next one's lead."""
        payload_end = stop - 1 if indexed else stop
        payload: list[str] = []
        rest = begin
        for first, end in self._paragraphs(begin, payload_end):
            if first > begin and self._is_orphan(first, end, number):
                self._report_orphan(first, payload_end)
                break
            if first > begin:
                self.repair(first, "a blank line inside a cue's text; taken out")
            self.report_arrows(first, end, kept=False)
            payload.extend(self.lines[first:end])
            rest = end
        lead = self.lines[rest:stop]
        if not last and (not lead or lead[0].strip()):
            self.repair(stop - 1 if indexed else stop, "no blank line before this cue; put in")
            lead = ["", *lead]
        return payload, lead

    def _paragraphs(self, begin: int, end: int) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        start: int | None = None
        for at in range(begin, end + 1):
            blank = at == end or not self.lines[at].strip()
            if blank and start is not None:
                spans.append((start, at))
                start = None
            elif not blank and start is None:
                start = at
        return spans

    def _is_orphan(self, first: int, end: int, number: int | None) -> bool:
        """Whether a paragraph is a cue whose times are missing or unreadable, and not text."""
        counts_on = number is not None and _index(self.lines[first]) == number + 1
        return counts_on or any("-->" in line for line in self.lines[first:end][:2])

    def _report_orphan(self, first: int, stop: int) -> None:
        if not any("-->" in line for line in self.lines[first:stop][:2]):
            problem = "a cue number without times; kept as it stands, untranslated"
            self.repairs.append(Unread(first + 1, problem))
        self.report_arrows(first, stop, kept=True)


def _times_by_pysrt(cues: Sequence[Cue]) -> list[tuple[int, int]]:
    lines: list[str] = []
    for at, cue in enumerate(cues, start=1):
        lines += [f"{at}\n", f"{timing_line(cue, 'srt')}\n"]
        lines += [f"{line}\n" for line in cue.text.split("\n") if line] + ["\n"]
    # Our own list of lines: pysrt would split a string at U+2028 and U+0085 as well.
    strict = pysrt.SubRipFile.ERROR_RAISE
    items = pysrt.SubRipFile.stream(lines, error_handling=strict)
    return [(item.start.ordinal, item.end.ordinal) for item in items]


FORMATS = (
    Format("srt", "SubRip", (".srt",), parse, render, "srt", keeps="everything between the texts"),
)
