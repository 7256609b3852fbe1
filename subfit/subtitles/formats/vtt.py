"""WebVTT files: our own lossless scanner, checked against webvtt-py.

webvtt-py rewrites what it saves (hours are added, STYLE moves below REGION) and passes over cues
with comma times in silence. So the file's own lines are kept in the layout and only the cue texts
are replaced; webvtt-py reads the mended cues, and must find as many of them as we did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import webvtt

from subfit.errors import InputFileError
from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Spliced, Track
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
from subfit.subtitles.repairs import quoted

_SIGNATURE = re.compile(r"WEBVTT(?:[ \t].*)?")
_ROUGH_SIGNATURE = re.compile(r"[\s\ufeff]*WEBVTT\b[ \t]*(.*)", re.IGNORECASE)
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t].*)?")
_SEGMENT = re.compile(
    r"\ufeff?WEBVTT(?:[ \t].*)?(?:\n(?:(?:X-TIMESTAMP-MAP=|\ufeff?WEBVTT).*)?|\Z)"
)
"""The header of another file that was put behind, as of the pieces of a stream."""
_NUMBER = re.compile(r"[0-9]{1,9}")


def parse(contents: Contents) -> Parsed:
    """Parse a WebVTT file.

    Raises:
        InputFileError: There is neither the WEBVTT signature nor a single timing line.
    """
    text, name = contents.text, contents.name
    lines = text.split("\n")
    timings = [(at, timing) for at, line in enumerate(lines) if (timing := read_timing(line))]
    if not timings and not _ROUGH_SIGNATURE.fullmatch(lines[0]):
        raise InputFileError(
            name,
            "the file is empty" if not text.strip() else "neither the WEBVTT signature nor a cue",
            line=1,
            remedy="a WebVTT file begins with the line WEBVTT; for a file of plain sentences pass "
            "--input-format txt",
        )
    return _Scanner(lines, name).scan(timings)


def render(track: Track) -> Spliced:
    """Return the track as a WebVTT file, in its own layout if it has one.

    A payload line that is empty would end its cue and is left out; ``-->`` is escaped, and so is
    what would read as the header of another file.
    """
    return splice(track, "vtt", _new_layout, _payload)


def _payload(text: str) -> list[str]:
    lines = [defused(line) for line in re.split(r"\r\n|\r|\n", text) if line]
    for at in range(1, len(lines)):
        if _is_header(lines[at:]):
            lines[at] = lines[at].replace("W", "&#87;", 1)
    # Only white space: no cue text, and the lines stand in the layout already.
    return [_escaped(line) for line in lines] if any(line.strip() for line in lines) else []


def _escaped(line: str) -> str:
    return line.replace("-->", "--&gt;")


def _is_header(lines: Sequence[str]) -> bool:
    return bool(_SEGMENT.fullmatch("\n".join(lines[:2])))


def _new_layout(cues: Sequence[Cue]) -> Layout:
    blocks = [
        Block(
            ("",) if at else ("WEBVTT", ""), timing_line(cue, "vtt"), start=cue.start, end=cue.end
        )
        for at, cue in enumerate(cues)
    ]
    return Layout(tuple(blocks), ("",) if cues else ("WEBVTT", ""))


@dataclass
class _Scanner(Scanner):
    """One pass over the lines of one file."""

    format = "vtt"

    def scan(self, timings: Sequence[tuple[int, Timing]]) -> Parsed:
        """Build cues and layout around the timing lines that were found."""
        stops = [*(at for at, _ in timings[1:]), len(self.lines)][: len(timings)]
        lead = self._header(timings[0][0] if timings else len(self.lines), bool(timings))
        cues: list[Cue] = []
        blocks: list[Block] = []
        for (at, timing), stop in zip(timings, stops, strict=True):
            identifier = lead[-1] if lead[-1] and len(lead) > 1 else ""
            blocks.append(Block(tuple(lead), self.timing(at, timing), timing.start, timing.end))
            payload, lead = self._region(at + 1, stop, bool(_NUMBER.fullmatch(identifier)))
            cues.append(self.cue(at, timing, payload, identifier))
        self.check(cues, lambda: _times_by_webvtt(cues))
        return Parsed(tuple(cues), Layout(tuple(blocks), tuple(lead)), tuple(self.repairs))

    def _header(self, stop: int, has_cues: bool) -> list[str]:
        """Return everything before the first timing line, beginning with a proper signature."""
        signature = _ROUGH_SIGNATURE.fullmatch(self.lines[0]) if stop else None
        if signature is None:
            self.repair(0, "the WEBVTT signature is missing; put in")
            return ["WEBVTT", "", *self._between(0, stop)]
        head = self.lines[0]
        if not _SIGNATURE.fullmatch(head):
            self.repair(0, f"the signature reads {quoted(head)}; written as WEBVTT")
            head = f"WEBVTT {signature[1]}".rstrip()
        end = self._paragraph_end(1, stop)
        self.report_arrows(0, end, kept=True)
        if end < stop:
            return [head, *self.lines[1:end], *self._between(end, stop)]
        if not has_cues:
            return [head, *self.lines[1:end]]
        numbered = stop > 1 and _NUMBER.fullmatch(self.lines[stop - 1]) is not None
        end = stop - 1 if numbered else stop
        self.repair(stop, "no blank line before this cue; put in")
        return [head, *self.lines[1:end], "", *self.lines[end:stop]]

    def _paragraph_end(self, begin: int, stop: int) -> int:
        """Return where the block of lines ends: only an empty line ends one, a space does not."""
        return next((at for at in range(begin, stop) if not self.lines[at]), stop)

    def _region(self, begin: int, stop: int, numbered: bool) -> tuple[list[str], list[str]]:
        """Divide the lines between two timing lines into a cue's text and the next one's lead."""
        last = stop == len(self.lines)
        end = self._paragraph_end(begin, stop)
        joined = end == stop and not last
        if joined and end > begin and _NUMBER.fullmatch(self.lines[end - 1]):
            end -= 1 if end - 1 > begin or numbered else 0
        text_end = next((at for at in range(begin + 1, end) if _is_header(self.lines[at:end])), end)
        another = text_end < end
        while text_end > begin and not self.lines[text_end - 1].strip():
            text_end -= 1  # white space below the text, as YouTube writes it, is layout
        self.report_arrows(begin, text_end, kept=False)
        payload = [_escaped(line) for line in self.lines[begin:text_end]]
        if another:
            problem = "the header of another file; kept as it stands, apart from the cue"
            self.repair(text_end, problem)
            return payload, ["", *self._between(text_end, stop)]
        if joined:
            self.repair(end, "no blank line before this cue; put in")
            return payload, [*self.lines[text_end:end], "", *self.lines[end:stop]]
        return payload, [*self.lines[text_end:end], *self._between(end, stop)]

    def _between(self, begin: int, stop: int) -> list[str]:
        """Return the lines of the blocks between two cues, reporting text that no player shows.

        An identifier, if there is one, is the last of these lines, after an empty one.
        """
        last = stop == len(self.lines)
        at = begin
        while at < stop:
            end = self._paragraph_end(at, stop)
            single = end - at == 1 and "-->" not in self.lines[at]
            identifies = end == stop and single and not last
            if end > at and not identifies:
                self._report_block(at, end)
                if end == stop and not last:
                    self.repair(stop, "no blank line before this cue; put in")
                    return [*self.lines[begin:stop], ""]
            at = end + 1
        return self.lines[begin:stop]

    def _report_block(self, begin: int, end: int) -> None:
        lines = self.lines[begin:end]
        if (
            _COMMENT.fullmatch(lines[0])
            or _is_header(lines)
            or not any(line.strip() for line in lines)
        ):
            return
        if not self.report_arrows(begin, end, kept=True):
            self.repair(begin, "text outside of any cue; kept as it stands, untranslated")


def _times_by_webvtt(cues: Sequence[Cue]) -> list[tuple[int, int]]:
    blocks = [f"{timing_line(cue, 'vtt')}\n{cue.text}".rstrip("\n") for cue in cues]
    captions = webvtt.from_string("\n\n".join(["WEBVTT", *blocks])).captions
    times = ((caption.start_time, caption.end_time) for caption in captions)
    return [(start.in_milliseconds(), end.in_milliseconds()) for start, end in times]


FORMATS = (
    Format(
        "vtt",
        "WebVTT",
        (".vtt", ".webvtt"),
        parse,
        render,
        "vtt",
        begins=r"\s*WEBVTT\b",
        keeps="header, notes, styles, regions, settings",
    ),
)
