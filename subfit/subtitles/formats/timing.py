"""Timing lines: what files write there, read leniently and written strictly.

A time is `[hours:]minutes:seconds[,fraction]`. The fraction is a decimal fraction of a second, as
in mathematics: ``0:0:1,5`` is 1.500 s (pysrt and srt read it as 1.005 s). A time before zero, which
files get by being shifted, is read as zero: nothing of a film is earlier.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
