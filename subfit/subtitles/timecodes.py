"""Times as people write them (clocks, frames, seconds, spreadsheets' own), and frames of a film.

SMPTE time codes count frames: ``01:02:03:12``. At 23.976, 29.97 and 59.94 frames per second they
are labelled as if there were 24, 30 and 60, so that a second of the code lasts 1.001 seconds; with
``;`` before the frames, numbers are dropped to keep up with the clock (two every minute but each
tenth, four at 59.94).

A list of shot changes has one a line: ``12.48`` seconds, ``00:00:12.480`` a time, ``299`` the frame
that a shot begins with (seconds, if any line has fractions), ``00:00:12:12`` a time code with
frames. Blank lines, and what follows a ``#``, say nothing.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.repairs import quoted

Cell = str | float | timedelta | None
"""What stands in a cell; a spreadsheet's times are times already."""

_FRAMES = re.compile(r"(\d{1,3}):([0-5]?\d):([0-5]?\d)([:;])(\d{1,3})", re.ASCII)
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):([0-5]?\d)(?:[.,](\d{1,9}))?", re.ASCII)
_SECONDS = re.compile(r"\d{1,9}(?:[.,]\d{1,20})?\s*(?:s|sec|sek)?\.?", re.ASCII | re.IGNORECASE)


class NoSuchFrameError(UsageError):
    """A time code with a frame that its second has not: a mistake of that code alone, perhaps."""

    def __init__(self, code: str, fps: float) -> None:
        self.code, self.fps = code, fps
        super().__init__(f"time code {code!r} has no such frame at {fps:g} frames per second")


def parse_fps(text: str) -> float:
    """Read a frame rate: ``25``, ``23.976``, or ``30000/1001``.

    Raises:
        UsageError: It is none.
    """
    over, slash, under = text.partition("/")
    try:
        fps = float(over) / float(under) if slash else float(over)
    except (ValueError, ZeroDivisionError):
        fps = math.nan
    if not 1 <= fps <= 240:
        raise UsageError(f"--fps {text}: a frame rate is a number such as 25, 23.976 or 29.97")
    return fps


def from_clock(
    hours: str | None, minutes: str | None, seconds: str | None, fraction: str | None = None
) -> int:
    """Return the milliseconds of a clock's digits; of a fraction of a second, three count."""
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return whole * 1000 + int((fraction or "0").ljust(3, "0")[:3])


def to_clock(milliseconds: int, separator: str = ".") -> str:
    """Return a time as ``hh:mm:ss.mmm``; nothing is earlier than 0."""
    minutes, rest = divmod(max(milliseconds, 0), 60_000)
    seconds, thousandths = divmod(rest, 1000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}{separator}{thousandths:03}"


def milliseconds_of(cell: Cell, fps: float | None) -> int | None:
    """Read a time in milliseconds; None of what is no time.

    Args:
        cell: ``hh:mm:ss:ff``, ``hh:mm:ss;ff``, ``hh:mm:ss.mmm``, ``mm:ss``, or a time of a
            spreadsheet; a mere number is seconds.
        fps: Frames per second, for codes with frames.

    Raises:
        NoSuchFrameError: The time code has no such frame at this rate.
        UsageError: It cannot be read without a frame rate, or not with this one.
    """
    if isinstance(cell, timedelta):
        return round(cell / timedelta(milliseconds=1))
    if isinstance(cell, int | float):
        return round(cell * 1000) if math.isfinite(cell) and cell >= 0 else None
    text = (cell or "").strip()
    if match := _FRAMES.fullmatch(text):
        *clock, mark, frames = match.groups()
        return _from_frames(text, from_clock(*clock) // 1000, int(frames), fps, dropped=mark == ";")
    if match := _CLOCK.fullmatch(text):
        *clock, fraction = match.groups()
        return from_clock(*clock) + round(float(f"0.{fraction or 0}") * 1000)
    if _SECONDS.fullmatch(text):
        number = re.sub(r"[^\d.,]", "", text).rstrip(".").replace(",", ".")
        return round(float(number) * 1000)
    return None


def _from_frames(text: str, whole: int, frames: int, fps: float | None, *, dropped: bool) -> int:
    """Return the milliseconds of a code that counts frames.

    Args:
        text: The code, for messages.
        whole: Its hours, minutes and seconds, in seconds.
        frames: Its frames.
        fps: Frames per second.
        dropped: Whether it is a drop-frame code.
    """
    if fps is None:
        raise UsageError(
            f"time code {text!r} counts frames; pass --fps, such as 25, 24, 23.976 or 29.97"
        )
    grid = FrameGrid.of(fps)
    if frames >= grid.nominal:
        raise NoSuchFrameError(text, fps)
    if dropped and grid.rate not in (30 * _NTSC, 60 * _NTSC):
        raise UsageError(
            f"time code {text!r} drops frames (';'), which goes with --fps 29.97 or 59.94, "
            f"not {fps:g}"
        )
    return round(grid.frame_of(whole, frames, drops=dropped) * 1000 / grid.rate)


_NTSC = Fraction(1000, 1001)
"""What 24, 30 and 60 frames per second are slowed down by, to 23.976, 29.97 and 59.94."""


@dataclass(frozen=True, slots=True)
class FrameGrid:
    """Where frames begin. Frame 0 begins at 0; a cue is shown up to the frame it ends on.

    Times are cut to whole milliseconds, never rounded up: a cue that ended a fraction of a
    millisecond late would still be seen on that frame.
    """

    rate: Fraction
    """Frames per second, exactly."""

    @classmethod
    def of(cls, rate: float) -> FrameGrid:
        """Return the grid of a frame rate; 23.976, 29.97 and the like mean 24000/1001 and so on."""
        slowed = math.ceil(rate - 0.01) * _NTSC
        if abs(rate - slowed) < 0.005:
            return cls(slowed)
        return cls(Fraction(rate).limit_denominator(1001))

    @property
    def nominal(self) -> int:
        """Frames that a second of a time code has."""
        return math.ceil(self.rate)

    def frame_of(self, seconds: int, frames: int, *, drops: bool = False) -> int:
        """Return the frame that a time code means; ``drops``: numbers are dropped (SMPTE 12M)."""
        minutes = seconds // 60
        dropped = self.nominal // 15 * (minutes - minutes // 10) if drops else 0
        return seconds * self.nominal + frames - dropped

    def code_of(self, frame: int, *, drops: bool = False) -> tuple[int, int]:
        """Return the time code of a frame: hours, minutes and seconds in seconds, and frames."""
        if drops:
            each = self.nominal // 15
            tens, rest = divmod(frame, 600 * self.nominal - 9 * each)
            frame += 9 * each * tens + each * max(0, (rest - each) // (60 * self.nominal - each))
        return divmod(frame, self.nominal)

    def frame_at(self, milliseconds: int) -> int:
        """Return the last frame that has begun at a time of a file."""
        return math.ceil((milliseconds + 1) * self.rate / 1000) - 1

    def time_of(self, frame: int) -> int:
        """Return where a frame begins, in milliseconds."""
        return math.floor(frame * 1000 / self.rate)

    def frames_in(self, milliseconds: int) -> int:
        """Return how many frames a guideline's time comes to, rounded, a half frame down.

        Half a second is 12 frames at 24 and 23.976, 12 at 25, 15 at 30 and 29.97.
        """
        return math.ceil(milliseconds * self.rate / 1000 - Fraction(1, 2))

    def frames_to_cover(self, milliseconds: int) -> int:
        """Return the fewest frames that last at least so long."""
        return math.ceil(milliseconds * self.rate / 1000)


_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
_DECIMAL = re.compile(r"\d{1,6}[.,]\d{1,9}", re.ASCII)


def parse_shot_changes(data: bytes, name: str, fps: float) -> tuple[int, ...]:
    """Read a list of shot changes.

    Args:
        data: The file, in UTF-8.
        name: Its name, for messages.
        fps: Frames per second, for frames and time codes with frames.

    Returns:
        Where shots begin, in milliseconds, in order, each once.

    Raises:
        InputFileError: A line is none of what it may be.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputFileError(name, "is not UTF-8 text", line=line) from error
    entries = {
        number: entry
        for number, line in enumerate(text.splitlines(), 1)
        if (entry := line.partition("#")[0].strip())
    }
    in_frames = not any(_DECIMAL.fullmatch(entry) for entry in entries.values())
    grid = FrameGrid.of(fps)
    times = set()
    for number, entry in entries.items():
        whole = in_frames and _WHOLE.fullmatch(entry)
        try:
            time = grid.time_of(int(entry)) if whole else milliseconds_of(entry, fps)
        except UsageError as error:
            raise InputFileError(name, str(error), line=number) from error
        if time is None:
            problem, forms = f"no shot change: {quoted(entry)}", "12.48 (seconds), 299 (frame)"
            remedy = f"write one a line, as {forms}, 00:00:12.480 or 00:00:12:12"
            raise InputFileError(name, problem, line=number, remedy=remedy)
        times.add(time)
    return tuple(sorted(times))
