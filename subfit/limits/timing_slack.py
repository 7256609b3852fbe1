"""How much later a cue may end: the slack that guidelines allow for reading.

In-times never move. An out-time may move to the frames that are left by all of these, and to no
others:

- at most the guideline's ``out_slack`` past the out-time of the source;
- at least the shortest gap, in frames, before the next in-time. Where the guideline closes short
  gaps, the gap left is the shortest one or no short one;
- no longer on screen than the longest duration;
- not over a shot change: at most ``shot_gap_frames`` before it. Where the guideline has a zone
  around shot changes, nowhere else within it.

A cue that shares its part of the screen with another one, or that has no duration, is left as it
is: whoever timed it so knew of more than its times tell. Signs that stand higher are in no one's
way but each other's.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

from subfit.limits.guideline import Guideline
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.timecodes import FrameGrid


def later_ends(track: Track, guideline: Guideline) -> tuple[tuple[int, ...], ...]:
    """Return where each cue might end, if it ended later.

    Args:
        track: The cues, with the shot changes of their film if known.
        guideline: Its slack, gaps, durations and rules about shot changes, and the frame rate.

    Returns:
        Per cue all out-times it may have beside its own, in milliseconds, the earliest first; all
        on frames.
    """
    if guideline.out_slack is None or not track.timed:
        return ((),) * len(track.cues)
    later: dict[int, tuple[int, ...]] = {}
    for raised in (False, True):
        indices = [at for at, cue in enumerate(track.cues) if cue.is_raised == raised]
        cues = [track.cues[at] for at in indices]
        room = _Room(track, cues, guideline)
        for at, cue, shares in zip(indices, cues, _shared(cues), strict=True):
            later[at] = () if cue.duration <= 0 or shares else tuple(room.ends_of(cue))
    return tuple(later[at] for at in range(len(track.cues)))


class _Room:
    """What stands on one part of the screen, and how near to it cues may end, in frames."""

    def __init__(self, track: Track, cues: Sequence[Cue], guideline: Guideline) -> None:
        self.guideline, self.grid = guideline, FrameGrid.of(guideline.frame_rate)
        self.starts = sorted(cue.start for cue in cues)
        self.shots = sorted(map(self.grid.frame_at, track.shot_changes))
        self.slack, self.closed, self.shot_zone = (
            self.grid.frames_in(time or 0)
            for time in (guideline.out_slack, guideline.close_gaps, guideline.shot_zone)
        )
        covered = self.grid.frames_to_cover(guideline.min_gap_ms or 0)
        self.gap = max(guideline.min_gap_frames or 0, covered)
        self.shot_gap = guideline.shot_gap_frames or 0

    def ends_of(self, cue: Cue) -> list[int]:
        """Return the later out-times of a cue that has the screen to itself."""
        first, longest = self.grid.frame_at(cue.end), self.guideline.max_duration or math.inf
        at, shot_at = bisect_left(self.starts, cue.end), bisect_left(self.shots, first)
        next_start = self.starts[at] if at < len(self.starts) else None
        next_shot = self.shots[shot_at] if shot_at < len(self.shots) else None
        last_shot = self.shots[shot_at - 1] if shot_at else None
        return [
            self.grid.time_of(frame)
            for frame in range(first + 1, first + self.slack + 1)
            if self.grid.time_of(frame) - cue.start <= longest
            and self._leaves_gap(frame, next_start)
            and self._keeps_to_shot(frame, last_shot, next_shot)
        ]

    def _leaves_gap(self, frame: int, next_start: int | None) -> bool:
        if next_start is None:
            return True
        if next_start - self.grid.time_of(frame) < self.guideline.min_gap:
            return False
        gap = self.grid.frame_at(next_start) - frame
        return gap == self.gap or gap >= max(self.gap, self.closed)

    def _keeps_to_shot(self, frame: int, last_shot: int | None, next_shot: int | None) -> bool:
        if last_shot is not None and frame - last_shot < self.shot_zone:
            return False
        if next_shot is None:
            return True
        ahead = next_shot - frame
        return ahead == self.shot_gap or ahead >= max(self.shot_gap, self.shot_zone)


def _shared(cues: Sequence[Cue]) -> list[bool]:
    """Tell of each cue whether another one is on screen at the same time."""
    shared = [False] * len(cues)
    held: int | None = None  # the one that lasts longest so far
    for index in sorted(range(len(cues)), key=lambda index: (cues[index].start, cues[index].end)):
        if held is not None and cues[held].end > cues[index].start:
            shared[index] = shared[held] = True
        if held is None or cues[held].end < cues[index].end:
            held = index
    return shared
