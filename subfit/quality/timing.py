"""Times: gaps that are to be closed, cues over shot changes, and out-times that mend both.

Netflix closes gaps of 3 to 11 frames to 2 and ends a cue two frames before a shot change that is
within half a second (Timed Text Style Guide, Subtitle Timing Guidelines).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from subfit.limits.guideline import Guideline
from subfit.quality.findings import Finding
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.markup.payload import plain_text, seen_lines
from subfit.subtitles.timecodes import FrameGrid
from subfit.text.counting import count_characters


class Clock:
    """The times of a track, measured against a guideline; all in milliseconds."""

    def __init__(self, track: Track, guideline: Guideline) -> None:
        self.cues, self.format, self.guideline = track.cues, track.format, guideline
        self.shots, self.half_frame = sorted(track.shot_changes), 500 / guideline.frame_rate
        self.starts: dict[tuple[bool, str, str], list[int]] = {}
        """In-times at each spot of the screen, in order."""
        for cue in sorted(track.cues, key=lambda cue: cue.start):
            self.starts.setdefault(cue.spot, []).append(cue.start)

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong with each cue's times, beside the limits."""
        for at, cue in enumerate(self.cues):
            new = self.better_end(cue)
            if self._loose(self._gap(cue, cue.end)):
                frames = round(self._gap(cue, cue.end) / (2 * self.half_frame))
                told = f"{frames} frames to the next cue, to be closed"
                yield Finding("loose_gap", at, told, new is not None)
            if (shot := self._near(cue, cue.end)) is not None:
                ahead = shot - cue.end
                told = f"ends {abs(ahead)} ms {'before' if ahead > 0 else 'behind'} a shot change"
                if ahead == 0:
                    told = "ends on a shot change"
                yield Finding("shot_change", at, told, new is not None)
            elif (late := self._late_start(cue)) is not None:
                yield Finding("shot_change", at, f"starts {late} ms behind a shot change")

    def better_end(self, cue: Cue) -> int | None:
        """Return the nearest out-time that keeps every rule, None if the cue's does or none can."""
        if cue.duration <= 0 or self._keeps(cue, cue.end):
            return None
        grid, limits = FrameGrid.of(self.guideline.frame_rate), self.guideline
        ends = [cue.start + (limits.min_duration or 0), self._next(cue) - limits.min_gap]
        before = grid.frame_at(round(cue.end))
        zone = grid.frames_in(max(limits.shot_zone or 0, limits.close_gaps or 0))
        for shot in self.shots[bisect_left(self.shots, cue.start) :]:
            if shot > cue.end + (limits.shot_zone or 0):
                break
            ends.append(grid.time_of(grid.frame_at(shot) - (limits.shot_gap_frames or 0)))
        ends += [grid.time_of(before + frames) for frames in range(-zone, zone + 1)]
        near = [end for end in ends if abs(end - cue.end) <= 1000 and self._keeps(cue, end)]
        # Later rather than earlier, when speech may still go on.
        return min(near, key=lambda end: max(end - cue.end, 2 * (cue.end - end)), default=None)

    def _keeps(self, cue: Cue, end: int) -> bool:
        limits, gap = self.guideline, self._gap(cue, end)
        least, most = limits.min_duration or 0, limits.max_duration
        shorter = end < cue.end and end - cue.start < least
        long = end != cue.end and most is not None and end - cue.start > most
        brief = 0 < end - cue.start < least and end >= cue.end
        if shorter or long or brief or gap < limits.min_gap or self._loose(gap):
            return False
        return self._near(cue, end) is None and not self._hurries(cue, end)

    def _hurries(self, cue: Cue, end: int) -> bool:
        """Whether an earlier end makes a cue too fast that is not."""
        speed = self.guideline.reading_speed
        if end >= cue.end or speed is None:
            return False
        text = seen_lines(plain_text(cue.text, self.format))
        width = count_characters(text, self.guideline.cps_counting)
        return end - cue.start < 1000 * width / speed <= cue.duration

    def _next(self, cue: Cue) -> int:
        """The next in-time at its spot; far away for the last."""
        starts = self.starts.get(cue.spot, ())
        at = bisect_left(starts, cue.start + 1)
        return starts[at] if at < len(starts) else cue.end + 10**7

    def _gap(self, cue: Cue, end: int) -> int:
        return self._next(cue) - end

    def _loose(self, gap: int) -> bool:
        wide, limits = self.guideline.close_gaps, self.guideline
        return wide is not None and limits.min_gap + self.half_frame < gap < wide - self.half_frame

    def _near(self, cue: Cue, end: int) -> int | None:
        """The shot change that an out-time is too near to."""
        zone, limits = self.guideline.shot_zone or 0, self.guideline
        wanted = 2 * self.half_frame * (limits.shot_gap_frames or 0)
        at = bisect_left(self.shots, end - zone + self.half_frame)
        for shot in self.shots[at:]:
            if shot - end >= max(zone, wanted) - self.half_frame:
                return None
            if shot > cue.start + self.half_frame and abs(shot - end - wanted) > self.half_frame:
                return shot
        return None

    def _late_start(self, cue: Cue) -> int | None:
        """How far behind a shot change a cue starts that was to start on it."""
        zone = self.guideline.shot_zone or 0
        at = bisect_left(self.shots, cue.start - zone + self.half_frame)
        for shot in self.shots[at:]:
            if self.half_frame < cue.start - shot < zone - self.half_frame:
                return cue.start - shot
        return None
