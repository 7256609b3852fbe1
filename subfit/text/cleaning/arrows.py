"""Arrows between the names of menus: ``File -> Export``, ``File > Export``, ``File → Export``.

Models that have seen them seldom leave them out, or a part of them. They keep a dash.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from subfit.text.cleaning.stand_ins import StandIn

_ARROW = regex.compile(
    r"(?<=[^\s>] )(?:[-=]{1,2}>|[→⇒➔➜➝])(?= [^\s>])"
    r"|(?<=(?:\p{L}{2}|[\"”“»’']) )>{1,2}(?= [\"“„«‘']?\p{L}{2})"  # no comparison: x > 3
)
_DASH = regex.compile(r"(?<!\S)[-–—]+(?!\S)")


def find_arrows(text: str) -> Iterator[StandIn]:
    """Yield the arrows between words; none where dashes stand between words as well."""
    if _DASH.search(text):
        return
    for match in _ARROW.finditer(text):
        yield StandIn("arrow", match[0], match.start(), "-", "[-–—]", "-", match[0])
