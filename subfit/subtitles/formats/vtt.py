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

from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Spliced, Track
from subfit.subtitles.formats.layout import Scanner, defused, read_timing, splice, timing_line
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
    lines = contents.text.split("\n")
    signed = _ROUGH_SIGNATURE.fullmatch(lines[0]) is not None
    return _Scanner(lines, contents.name).scan(read_timing, may_be_bare=signed)


def render(track: Track) -> Spliced:
    """Return the track as a WebVTT file, in its own layout if it has one.

    A payload line that is empty would end its cue and is left out; ``-->`` is escaped, and so is
    what would read as the header of another file.
    """
    return splice(track, "vtt", lambda at: ("",) if at else ("WEBVTT", ""), _payload)


def _payload(text: str) -> list[str]:
    lines = [defused(line) for line in re.split(r"\r\n|\r|\n", text) if line]
    for at in range(1, len(lines)):
        if _is_header(lines[at:]):
            lines[at] = lines[at].replace("W", "&#87;", 1)
    # Only white space: no cue text, and the lines stand in the layout already.
    said = any(line.strip() for line in lines)
    return [line.replace("-->", "--&gt;") for line in lines] if said else []


def _is_header(lines: Sequence[str]) -> bool:
    return bool(_SEGMENT.fullmatch("\n".join(lines[:2])))


@dataclass
class _Scanner(Scanner):
    format, checked_by = "vtt", "webvtt-py"
    nothing = "neither the WEBVTT signature nor a cue"
    usual = "a WebVTT file begins with the line WEBVTT"

    def header(self, stop: int | None) -> list[str]:
        """Return it beginning with a proper signature."""
        has_cues, stop = stop is not None, len(self.lines) if stop is None else stop
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
        if end < stop or not has_cues:
            return [head, *self.lines[1:end], *self._between(end, stop)]
        end -= stop > 1 and _NUMBER.fullmatch(self.lines[stop - 1]) is not None
        self.repair(stop, "no blank line before this cue; put in")
        return [head, *self.lines[1:end], "", *self.lines[end:stop]]

    def named(self, lead: list[str], at: int, settings: str) -> tuple[list[str], str]:
        """Return the lead as it is, and the identifier at its end."""
        return lead, lead[-1]

    def region(self, begin: int, stop: int, name: str) -> tuple[list[str], list[str]]:
        """Divide them at the first empty line, or the header of another file."""
        last = stop == len(self.lines)
        end = self._paragraph_end(begin, stop)
        joined = end == stop and not last
        if joined and end > begin and _NUMBER.fullmatch(self.lines[end - 1]):
            end -= 1 if end - 1 > begin or _NUMBER.fullmatch(name) else 0
        text_end = next((at for at in range(begin + 1, end) if _is_header(self.lines[at:end])), end)
        another = text_end < end
        while text_end > begin and not self.lines[text_end - 1].strip():
            text_end -= 1  # white space below the text, as YouTube writes it, is layout
        self.report_arrows(begin, text_end, kept=False)
        payload = [line.replace("-->", "--&gt;") for line in self.lines[begin:text_end]]
        if another:
            problem = "the header of another file; kept as it stands, apart from the cue"
            self.repair(text_end, problem)
            return payload, ["", *self._between(text_end, stop)]
        if joined:
            self.repair(end, "no blank line before this cue; put in")
            return payload, [*self.lines[text_end:end], "", *self.lines[end:stop]]
        return payload, [*self.lines[text_end:end], *self._between(end, stop)]

    def _paragraph_end(self, begin: int, stop: int) -> int:
        """Return where the block of lines ends: only an empty line ends one, a space does not."""
        return next((at for at in range(begin, stop) if not self.lines[at]), stop)

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
        known = _COMMENT.fullmatch(lines[0]) or _is_header(lines)
        if known or not any(line.strip() for line in lines):
            return
        if not self.report_arrows(begin, end, kept=True):
            self.repair(begin, "text outside of any cue; kept as it stands, untranslated")

    def reread(self, cues: Sequence[Cue]) -> list[tuple[int, int]]:
        """Return what webvtt-py reads."""
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
