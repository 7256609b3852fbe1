"""What the page's counter must know of Unicode to count as `subfit.text.counting` does."""

from __future__ import annotations

from functools import cache
from itertools import groupby

from subfit.text.counting import Counting, count_characters

_HALVES = Counting(half_width=True)
_PLANES = (range(0xD800), range(0xE000, 0x20000), range(0xE0000, 0xE1000))
"""All code points but ideographs, which are wide, and private ones, which are not."""
_IDEOGRAPHS = (0x20000, 0x3FFFD)


@cache
def character_ranges() -> dict[str, list[int]]:
    """Return code points that make no character by themselves, and those of full width.

    Returns:
        ``baseless`` and ``wide``: first and last code point of each range, one after the other.
    """
    baseless: list[int] = []
    wide: list[int] = []
    for plane in _PLANES:
        for count, group in groupby(plane, lambda point: count_characters(chr(point), _HALVES)):
            points = list(group)
            if count != 0.5:
                (wide if count else baseless).extend((points[0], points[-1]))
    return {"baseless": baseless, "wide": [*wide, *_IDEOGRAPHS]}
