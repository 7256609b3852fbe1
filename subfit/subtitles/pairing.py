"""Which source cues a translated cue stands for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from subfit.errors import UsageError
from subfit.subtitles.cues import Cue, Track

Method = Literal["position", "time"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The source cues of every translated cue."""

    method: Method
    """``position``: both files have as many cues, and the first is the first's. ``time``: a source
    cue goes to the translated cue that it shares most time with."""
    sources: tuple[tuple[int, ...], ...]
    """For every translated cue the indices of its source cues, in their order; maybe none."""
    left_over: int
    """Source cues that belong to no translated cue."""


def can_pair(target: Track, source: Track) -> bool:
    """Whether the cues of two tracks can be paired: they are as many, or all have times."""
    return len(target.cues) == len(source.cues) or (target.timed and source.timed)


def pair_tracks(target: Track, source: Track) -> Pairing:
    """Find the source cues of every translated cue: by position if possible, else by time.

    Raises:
        UsageError: The tracks have different numbers of cues, and one of them has no times.
    """
    if not can_pair(target, source):
        raise UsageError(
            f"the source has {len(source.cues)} lines and its translation {len(target.cues)}: "
            "without times they cannot be paired"
        )
    if len(target.cues) == len(source.cues):
        return Pairing("position", tuple((index,) for index in range(len(target.cues))), 0)
    return _pair_by_time(target.cues, source.cues)


def _pair_by_time(targets: Sequence[Cue], sources: Sequence[Cue]) -> Pairing:
    order = sorted(range(len(targets)), key=lambda index: targets[index].start)
    starts = [targets[index].start for index in order]
    longest = max((cue.duration for cue in targets), default=0)
    numbers_of: list[list[int]] = [[] for _ in targets]
    left_over = 0
    for number, source in enumerate(sources):
        # Only cues that start in this window can share time with the source.
        window = order[
            bisect_left(starts, source.start - longest) : bisect_left(starts, source.end)
        ]
        shared = {index: _shared_time(targets[index], source) for index in window}
        best = max(shared, key=lambda index: shared[index], default=None)
        if best is None or shared[best] <= 0:
            left_over += 1
        else:
            numbers_of[best].append(number)
    return Pairing("time", tuple(tuple(numbers) for numbers in numbers_of), left_over)


def _shared_time(one: Cue, other: Cue) -> int:
    return min(one.end, other.end) - max(one.start, other.start)
