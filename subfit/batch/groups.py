"""Files in groups whose sentences are translated together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from subfit.batch.items import Group, Source

GROUP_CUES = 1000
"""Most cues of a group: enough for full batches."""
FIRST_CUES = 150
"""Most cues of the groups that come before any is done, whose speed is not known."""
GROUP_SECONDS = 40.0
"""About how long a group may take, since that is what a crash may cost."""

_TIMES = (b"-->", b"-\0-\0>")


def count_cues(data: bytes) -> int:
    """Return about how many cues the bytes of a file hold; lines, of plain text."""
    return max(map(data.count, _TIMES)) or data.count(b"\n") + 1


class Pace:
    """How many cues are translated in `GROUP_SECONDS`, as far as is known.

    Args:
        most: Cues that a group may have, however fast they are.
        clock: Tells the time in seconds.
    """

    def __init__(
        self, most: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock, self._most = clock, GROUP_CUES if most is None else most
        self._cues, self._since = FIRST_CUES, clock()

    @property
    def most(self) -> int:
        """Cues that a group may have."""
        return min(self._cues, self._most)

    def note(self, cues: int) -> None:
        """Take note that a group of so many cues was done since this was last called."""
        now = self._clock()
        seconds, self._since = now - self._since, now
        self._cues = max(1, int(cues * GROUP_SECONDS / max(seconds, 1e-3)))


def grouped(sources: Iterable[Source], pace: Pace) -> Iterator[Group]:
    """Collect files of one language until they have enough cues, and yield what was collected.

    Args:
        sources: In the order they are to be translated in, languages mixed.
        pace: Says how many cues a group may have; a single file may have more.
    """
    open_: dict[str, list[Source]] = {}
    for source in sources:
        language = source.item.language
        waiting = open_.setdefault(language, [])
        if waiting and sum(item.cues for item in waiting) + source.cues > pace.most:
            yield Group(language, tuple(waiting))
            waiting.clear()
        waiting.append(source)
    for language, waiting in open_.items():
        if waiting:
            yield Group(language, tuple(waiting))
