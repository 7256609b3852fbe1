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
from itertools import groupby

import pysrt

from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Spliced, Track, Unread
from subfit.subtitles.formats.layout import Scanner, defused, read_timing, splice, timing_line

_COORDINATES = re.compile(r"(?:[A-Za-z][A-Za-z0-9]*:\S+\s*)+")
_INDEX = re.compile(r"[\s\ufeff]*([0-9]{1,9})\s*")


def parse(contents: Contents) -> Parsed:
    """Parse a SubRip file.

    Raises:
        InputFileError: There is not a single timing line.
    """
    return _Scanner(contents.text.split("\n"), contents.name).scan(_times)


def render(track: Track) -> Spliced:
    """Return the track as a SubRip file, in its own layout if it has one.

    A payload line that is blank or reads like times would end its cue, so the one is left out and
    the arrow of the other is written as ``➝``.
    """
    return splice(track, "srt", lambda at: ("", f"{at + 1}") if at else ("1",), _payload)


def _times(line: str) -> Cue | None:
    timing = read_timing(line)
    # pysrt splits the line at every arrow: a second one is no arrow any more.
    return timing and replace(timing, settings=timing.settings.replace("-->", "→"))


def _payload(text: str) -> list[str]:
    lines = [line for line in re.split(r"\r\n|\r|\n", text) if line.strip()]
    return [defused(line) if _times(line) else line for line in lines]


def _index(line: str) -> int | None:
    match = _INDEX.fullmatch(line)
    return int(match[1]) if match else None


@dataclass
class _Scanner(Scanner):
    format, checked_by = "srt", "pysrt"
    nothing = "no cue found, nor any line with times"
    usual = "SubRip cues have a line like 00:00:01,000 --> 00:00:02,500"
    count: int = 0
    """Cues so far."""
    seen: set[int] = field(default_factory=set)
    """Their numbers."""

    def header(self, stop: int | None) -> list[str]:
        """Return it with what is told of text in it."""
        assert stop is not None
        end = stop - 1 if stop and _index(self.lines[stop - 1]) is not None else stop
        text_at = [at for at in range(end) if self.lines[at].strip(" \t\ufeff")]
        if text_at:
            self.repair(text_at[0], "text before the first cue; kept as it stands, untranslated")
            self.report_arrows(0, end, kept=True)
        return self.lines[:stop]

    def named(self, lead: list[str], at: int, settings: str) -> tuple[list[str], str]:
        """Return the lead with a cue number at its end, and the number; tell of odd settings."""
        self.count += 1
        number = _index(lead[-1]) if lead else None
        if number is None:
            number = self.count
            self.repair(at, "the cue has no number; numbered")
            lead = [*lead, *([""] if lead and lead[-1].strip() else []), str(number)]
        elif number in self.seen:
            self.repair(at - 1, "a cue number that was used before; kept as written")
        else:
            self.seen.add(number)
        if settings and not _COORDINATES.fullmatch(settings):
            self.repair(at, "text on the timing line; kept as it stands, untranslated")
        return lead, str(number)

    def region(self, begin: int, stop: int, name: str) -> tuple[list[str], list[str]]:
        """Divide them at paragraphs; what is no number or cue of its own is the cue's text."""
        last, number = stop == len(self.lines), int(name)
        # "3" alone between two timing lines: the number if it counts on, else the text.
        index = None if last or stop == begin else _index(self.lines[stop - 1])
        indexed = index is not None and (stop > begin + 1 or index == number + 1)
        end = stop - 1 if indexed else stop
        payload: list[str] = []
        rest = at = begin
        for shown, lines in groupby(range(begin, end), lambda at: bool(self.lines[at].strip())):
            first, at = at, at + len(list(lines))
            if not shown:
                continue
            if first > begin and self._is_orphan(first, at, end, number):
                break
            if first > begin:
                self.repair(first, "a blank line inside a cue's text; taken out")
            self.report_arrows(first, at, kept=False)
            payload.extend(self.lines[first:at])
            rest = at
        lead = self.lines[rest:stop]
        if not last and (not lead or lead[0].strip()):
            self.repair(end, "no blank line before this cue; put in")
            lead = ["", *lead]
        return payload, lead

    def _is_orphan(self, first: int, stop: int, end: int, number: int) -> bool:
        """Whether a paragraph is a cue whose times are missing or cannot be read; tell of it."""
        arrow = any("-->" in line for line in self.lines[first:stop][:2])
        if not arrow and _index(self.lines[first]) != number + 1:
            return False
        if not any("-->" in line for line in self.lines[first:end][:2]):
            problem = "a cue number without times; kept as it stands, untranslated"
            self.repairs.append(Unread(first + 1, problem))
        self.report_arrows(first, end, kept=True)
        return True

    def reread(self, cues: Sequence[Cue]) -> list[tuple[int, int]]:
        """Return what pysrt reads."""
        lines: list[str] = []
        for at, cue in enumerate(cues, start=1):
            lines += [f"{at}\n", f"{timing_line(cue, 'srt')}\n"]
            lines += [f"{line}\n" for line in cue.text.split("\n") if line] + ["\n"]
        # Our own list of lines: pysrt would split a string at U+2028 and U+0085 as well.
        items = pysrt.SubRipFile.stream(lines, error_handling=pysrt.SubRipFile.ERROR_RAISE)
        return [(item.start.ordinal, item.end.ordinal) for item in items]


FORMATS = (
    Format("srt", "SubRip", (".srt",), parse, render, "srt", keeps="everything between the texts"),
)
