"""Files in groups whose sentences are translated together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from subfit.batch.items import Group, Source

GROUP_CUES = 1000
"""Cues that make a group: enough for full batches, few enough to lose to a crash."""

_TIMES = (b"-->", b"-\0-\0>")


def count_cues(data: bytes) -> int:
    """Return about how many cues the bytes of a file hold; lines, of plain text."""
    return max(map(data.count, _TIMES)) or data.count(b"\n") + 1


def grouped(sources: Iterable[Source], most: int) -> Iterator[Group]:
    """Collect files of one language until they have enough cues, and yield what was collected.

    Args:
        sources: In the order they are to be translated in, languages mixed.
        most: Cues of a group, more where a single file has more.
    """
    open_: dict[str, list[Source]] = {}
    for source in sources:
        language = source.item.language
        waiting = open_.setdefault(language, [])
        if waiting and sum(each.cues for each in waiting) + source.cues > most:
            yield Group(language, tuple(waiting))
            waiting.clear()
        waiting.append(source)
    for language, waiting in open_.items():
        if waiting:
            yield Group(language, tuple(waiting))
