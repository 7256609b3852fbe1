"""Frames of a film and the milliseconds that subtitle files write for them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

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
