"""Changes to parts of a text, made all at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Edit:
    """What is to stand in place of a part of a text."""

    start: int
    end: int
    """Where the part ends: at ``start`` where something is put in."""
    new: str
    fixed: bool = False
    """Whether it stays as it is where the text around it is changed as well."""


def edited(
    text: str,
    edits: Sequence[Edit],
    ranges: Sequence[tuple[int, int]],
    change: Callable[[str], str],
) -> str:
    """Return a text with edits, and with some ranges of it changed.

    Args:
        text: The text.
        edits: Of those that overlap the first counts.
        ranges: Of the text; edits in them are changed too, unless they are fixed.
        change: What becomes of a part that lies in one of the ranges.
    """
    taken: list[Edit] = []
    for edit in edits:
        if all(edit.end <= other.start or other.end <= edit.start for other in taken):
            taken.append(edit)
    parts: list[str] = []
    at = 0
    for edit in sorted(taken, key=lambda edit: (edit.start, edit.end)):
        inside = any(start <= edit.start and edit.end <= end for start, end in ranges)
        new = change(edit.new) if inside and not edit.fixed and edit.end > edit.start else edit.new
        parts += [_changed(text, at, edit.start, ranges, change), new]
        at = edit.end
    return "".join([*parts, _changed(text, at, len(text), ranges, change)])


def _changed(
    text: str,
    start: int,
    end: int,
    ranges: Sequence[tuple[int, int]],
    change: Callable[[str], str],
) -> str:
    """A part of a text, changed where it lies in one of some ranges."""
    bounds = {start, end, *(min(max(at, start), end) for bound in ranges for at in bound)}
    ordered = sorted(bounds)
    return "".join(
        change(text[a:b]) if any(one <= a and b <= two for one, two in ranges) else text[a:b]
        for a, b in pairwise(ordered)
    )
