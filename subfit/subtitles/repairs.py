"""How repairs of a file are told: each with its line, and what many lines share only once."""

from __future__ import annotations

from collections.abc import Sequence

from subfit.subtitles.cues import Repair, Unread

UNREADABLE = "times that cannot be read"
"""How the repair begins that says where a cue may have been lost; never folded, like `Unread`."""
_FOLD_ABOVE = 3


def fold_repairs(repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """Sort repairs by line, and fold a problem that many lines share into one repair.

    A file without any cue numbers would otherwise warn a thousand times of the same thing.
    """
    alike: dict[str, list[Repair]] = {}
    for repair in sorted(repairs, key=lambda repair: repair.line):
        alike.setdefault(_kind_of(repair), []).append(repair)
    folded: list[Repair] = []
    for group in alike.values():
        if len(group) > _FOLD_ABOVE and not _is_told_alone(group[0]):
            rest = f"and on {len(group) - 1} more lines, to line {group[-1].line}"
            group = [Repair(group[0].line, f"{group[0].problem} ({rest})")]
        folded.extend(group)
    return tuple(sorted(folded, key=lambda repair: repair.line))


def _kind_of(repair: Repair) -> str:
    return repair.problem if _is_told_alone(repair) else repair.problem.partition(": ")[0]


def _is_told_alone(repair: Repair) -> bool:
    return isinstance(repair, Unread) or repair.problem.startswith(UNREADABLE)


def quoted(line: str, limit: int = 40) -> str:
    """Return a line for use in a message: printable, stripped, at most ``limit`` characters."""
    text = " ".join(line.split())
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return f"“{text[: limit - 1]}…”" if len(text) > limit else f"“{text}”"
