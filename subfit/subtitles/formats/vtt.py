"""WebVTT files: our own lossless scanner, checked against webvtt-py.

webvtt-py rewrites what it saves (hours are added, STYLE moves below REGION) and passes over cues
with comma times in silence. So the file's own lines are kept in the layout and only the cue texts
are replaced; webvtt-py reads the mended cues, and must find as many of them as we did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import webvtt

from subfit.errors import InputFileError
from subfit.subtitles.cues import Cue, Repair, Track, Unread
from subfit.subtitles.formats.layout import Block, Layout, Parsed, Spliced, splice
from subfit.subtitles.formats.timing import Timing, defused, is_strict, read_timing, write_timing
from subfit.subtitles.repairs import UNREADABLE, quoted

_SIGNATURE = re.compile(r"WEBVTT(?:[ \t].*)?")
_ROUGH_SIGNATURE = re.compile(r"[\s\ufeff]*WEBVTT\b[ \t]*(.*)", re.IGNORECASE)
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t].*)?")
_NUMBER = re.compile(r"[0-9]{1,9}")


def parse(text: str, name: str) -> Parsed:
    """Parse a WebVTT file.

    Args:
        text: The file with ``\\n`` between its lines.
        name: The file's name, for messages.

    Raises:
        InputFileError: There is neither the WEBVTT signature nor a single timing line.
    """
    lines = text.split("\n")
    found = [(at, timing) for at, line in enumerate(lines) if (timing := read_timing(line))]
    if not found and not _ROUGH_SIGNATURE.fullmatch(lines[0]):
        raise InputFileError(
            name,
            "the file is empty" if not text.strip() else "neither the WEBVTT signature nor a cue",
            line=1,
            remedy="a WebVTT file begins with the line WEBVTT; for a file of plain sentences pass "
            "--input-format txt",
        )
    return _Scanner(lines, name).scan(found)


def render(track: Track) -> Spliced:
    """Return the track as a WebVTT file, in its own layout if it has one.

    A payload line that is empty would end its cue and is left out; ``-->`` is escaped.
    """
    layout = track.layout
    if track.format != "vtt" or not isinstance(layout, Layout):
        layout = _standard_layout(track.cues)
    return splice(track.cues, layout, _payload, _timing_line)


def _payload(text: str) -> list[str]:
    lines = [defused(line) for line in re.split(r"\r\n|\r|\n", text) if line]
    # Only white space: no cue text, and the lines stand in the layout already.
    return [_escaped(line) for line in lines] if any(line.strip() for line in lines) else []


def _escaped(line: str) -> str:
    return line.replace("-->", "--&gt;")


def _timing_line(cue: Cue) -> str:
    return write_timing(cue.start, cue.end, cue.settings, "vtt")


def _standard_layout(cues: Sequence[Cue]) -> Layout:
    blocks = [
        Block(("",) if at else ("WEBVTT", ""), _timing_line(cue), start=cue.start, end=cue.end)
        for at, cue in enumerate(cues)
    ]
    return Layout(tuple(blocks), ("",) if cues else ("WEBVTT", ""))


@dataclass
class _Scanner:
    """One pass over the lines of one file; positions are 0-based, reported lines 1-based."""

    lines: list[str]
    name: str
    repairs: list[Repair] = field(default_factory=list)

    def scan(self, found: Sequence[tuple[int, Timing]]) -> Parsed:
        """Build cues and layout around the timing lines that were found."""
        stops = [*(at for at, _ in found[1:]), len(self.lines)][: len(found)]
        lead = self._header(found[0][0] if found else len(self.lines), bool(found))
        cues: list[Cue] = []
        blocks: list[Block] = []
        for (at, timing), stop in zip(found, stops, strict=True):
            identifier = lead[-1] if lead[-1] and len(lead) > 1 else ""
            blocks.append(Block(tuple(lead), self._timing(at, timing), timing.start, timing.end))
            payload, lead = self._region(at + 1, stop, bool(_NUMBER.fullmatch(identifier)))
            cue = Cue(
                timing.start, timing.end, "\n".join(payload), identifier, timing.settings, at + 1
            )
            cues.append(cue)
            self._check_duration(cue)
        _check_with_webvtt(cues, self.name)
        return Parsed(tuple(cues), Layout(tuple(blocks), tuple(lead)), tuple(self.repairs))

    def _repair(self, at: int, problem: str) -> None:
        self.repairs.append(Repair(at + 1, problem))

    def _header(self, stop: int, has_cues: bool) -> list[str]:
        """Return everything before the first timing line, beginning with a proper signature."""
        signature = _ROUGH_SIGNATURE.fullmatch(self.lines[0]) if stop else None
        if signature is None:
            self._repair(0, "the WEBVTT signature is missing; put in")
            return ["WEBVTT", "", *self._between(0, stop)]
        head = self.lines[0]
        if not _SIGNATURE.fullmatch(head):
            self._repair(0, f"the signature reads {quoted(head)}; written as WEBVTT")
            head = f"WEBVTT {signature[1]}".rstrip()
        end = self._paragraph_end(1, stop)
        if end < stop:
            return [head, *self.lines[1:end], *self._between(end, stop)]
        if not has_cues:
            return [head, *self.lines[1:end]]
        numbered = stop > 1 and _NUMBER.fullmatch(self.lines[stop - 1]) is not None
        end = stop - 1 if numbered else stop
        self._repair(stop, "no blank line before this cue; put in")
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
        text_end = end
        while text_end > begin and not self.lines[text_end - 1].strip():
            text_end -= 1  # white space below the text, as YouTube writes it, is layout
        payload = self.lines[begin:text_end]
        for at in range(begin, text_end):
            if "-->" in self.lines[at]:
                self._repair(at, f"{UNREADABLE}: {quoted(self.lines[at])}; taken as text")
        payload = [_escaped(line) for line in payload]
        if joined:
            self._repair(end, "no blank line before this cue; put in")
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
                    self._repair(stop, "no blank line before this cue; put in")
                    return [*self.lines[begin:stop], ""]
            at = end + 1
        return self.lines[begin:stop]

    def _report_block(self, begin: int, end: int) -> None:
        lines = self.lines[begin:end]
        if _COMMENT.fullmatch(lines[0]) or not any(line.strip() for line in lines):
            return
        unreadable = [at for at in range(begin, end) if "-->" in self.lines[at]]
        for at in unreadable:
            what = "the block is kept as it stands, untranslated"
            told = f"{UNREADABLE}: {quoted(self.lines[at])}; {what}"
            self.repairs.append(Unread(at + 1, told))
        if not unreadable:
            self._repair(begin, "text outside of any cue; kept as it stands, untranslated")

    def _timing(self, at: int, timing: Timing) -> str:
        line = self.lines[at]
        if is_strict(line, "vtt"):
            return line
        mended = write_timing(timing.start, timing.end, timing.settings, "vtt")
        self._repair(at, f"times not in WebVTT form: {quoted(line)} read as {mended}")
        return mended

    def _check_duration(self, cue: Cue) -> None:
        if cue.duration <= 0:
            fault = "ends before it begins" if cue.duration < 0 else "has no duration"
            self._repair(cue.line - 1, f"the cue {fault}; kept as written")


def _check_with_webvtt(cues: Sequence[Cue], name: str) -> None:
    """Make sure that webvtt-py sees each mended cue as we do."""
    blocks = [f"{_timing_line(cue)}\n{cue.text}".rstrip("\n") for cue in cues]
    try:
        captions = webvtt.from_string("\n\n".join(["WEBVTT", *blocks])).captions
    except webvtt.errors.MalformedCaptionError as error:
        raise InputFileError(name, f"webvtt-py cannot read a cue: {quoted(str(error))}") from error
    for cue, caption in zip(cues, captions, strict=False):
        times = (caption.start_time.in_milliseconds(), caption.end_time.in_milliseconds())
        if times != (cue.start, cue.end):
            raise InputFileError(name, "the cue's times cannot be read", line=cue.line)
    if len(captions) != len(cues):
        raise InputFileError(name, f"{len(cues)} timing lines but {len(captions)} cues")
