"""Lists of shot changes: where in a film shots begin, one a line.

A line is a number or a time, as tools that find shot changes and people who note them write it:

- ``12.48``: seconds (ffmpeg, PySceneDetect's times, Subtitle Edit);
- ``299``: a frame, counted from 0; but seconds in a list that has seconds with a fraction too;
- ``00:00:12.480``, ``00:00:12,480``, ``00:12``: a time;
- ``00:00:12:12``, ``00:00:12;12``: a time code with frames.

Blank lines, and what follows a ``#``, say nothing.
"""

from __future__ import annotations

import re

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.repairs import quoted
from subfit.subtitles.timecodes import FrameGrid, milliseconds_of

_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
_SECONDS = re.compile(r"\d{1,6}[.,]\d{1,9}", re.ASCII)


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
    in_frames = not any(_SECONDS.fullmatch(entry) for entry in entries.values())
    grid = FrameGrid.of(fps)
    times = set()
    for number, entry in entries.items():
        if in_frames and _WHOLE.fullmatch(entry):
            times.add(grid.time_of(int(entry)))
        else:
            times.add(_time(entry, name, number, fps))
    return tuple(sorted(times))


def _time(entry: str, name: str, line: int, fps: float) -> int:
    try:
        time = milliseconds_of(entry, fps)
    except UsageError as error:
        raise InputFileError(name, str(error), line=line) from error
    if time is None:
        raise InputFileError(
            name,
            f"no shot change: {quoted(entry)}",
            line=line,
            remedy="write one a line, as 12.48 (seconds), 299 (frame), 00:00:12.480 or 00:00:12:12",
        )
    return time
