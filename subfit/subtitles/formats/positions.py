"""Where a cue stands on screen, as far as SubRip and WebVTT can say the same of it.

SubRip has no positions of its own, but what ASS says of them is widely understood: ``{\\an8}`` at
the top, and nothing at the bottom, where subtitles stand by themselves. WebVTT has a line of the
video, from the top or (negative) from the bottom, or a share of its height.
"""

from __future__ import annotations

import re
from typing import Literal

Height = Literal["top", "middle", "bottom"]

TOP_MARK, TOP_SETTING = "{\\an8}", "line:0"
"""How SubRip and WebVTT put a cue at the top."""

_LINE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)(%?)(?:,(?:start|center|end))?")
_ALIGNMENT = re.compile(r"\\an([1-9])")
_AS_WITHOUT = {"align": {"center", "middle"}, "position": {"50%", "auto"}, "size": {"100%"}}
"""Values of settings that say nothing new."""
_ROWS = 15
"""Lines of text that a video is high, about."""


def height_of(settings: str) -> Height:
    """Return the third of the video that the settings of a WebVTT cue put it into."""
    values = _values(settings)
    match = _LINE.fullmatch(values.get("line", ""))
    if match is None or "vertical" in values:
        return "bottom"
    number = float(match[1])
    rows = number + _ROWS if number < 0 else number
    share = number / 100 if match[2] else rows / _ROWS
    return "top" if share <= 1 / 3 else "middle" if share < 2 / 3 else "bottom"


def is_more_than_height(settings: str) -> bool:
    """Whether the settings of a WebVTT cue say more than whether it is at the top or the bottom."""
    values = _values(settings)
    others = (
        value.split(",")[0] not in _AS_WITHOUT.get(name, ())
        for name, value in values.items()
        if name not in ("line", "region")
    )
    return height_of(settings) == "middle" or any(others)


def is_in_region(settings: str) -> bool:
    """Whether the settings of a WebVTT cue put it into a region."""
    return "region" in _values(settings)


def alignment_of(mark: str) -> int:
    """Return where an ASS override puts a cue, as the digits of a keypad; 2, below, by default."""
    match = _ALIGNMENT.search(mark)
    return int(match[1]) if match else 2


def commands_of(mark: str) -> list[str]:
    """Return what an ASS override says one by one: ``an8`` and ``i0`` of ``{\\an8\\i0}``."""
    return [command.strip() for command in mark.strip("{}").split("\\") if command.strip()]


def _values(settings: str) -> dict[str, str]:
    pairs = (setting.partition(":") for setting in settings.split())
    return {name: value for name, colon, value in pairs if colon}
