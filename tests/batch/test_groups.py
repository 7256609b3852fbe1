"""Groups of files: large enough for full batches, small enough to lose to a crash."""

from __future__ import annotations

import pytest

from subfit.batch.groups import FIRST_CUES, GROUP_CUES, GROUP_SECONDS, Pace, grouped
from subfit.batch.items import Item, Source


def sources(*cues: int, language: str = "de") -> list[Source]:
    return [
        Source(n, Item(f"{n}.srt", f"{n}.{language}.srt", language), b"", count)
        for n, count in enumerate(cues)
    ]


@pytest.mark.parametrize("speed", [0.5, 2.0, 10.0, 1000.0])
def test_no_group_behind_the_first_takes_longer_than_a_minute(speed: float) -> None:
    now = 0.0
    took: list[tuple[int, float]] = []
    pace = Pace(clock=lambda: now)
    for group in grouped(sources(*[10] * 300), pace):
        cues = sum(source.cues for source in group.sources)
        now += cues / speed
        took.append((cues, cues / speed))
        pace.note(cues)
    assert sum(cues for cues, _ in took) == 3000
    assert took[0][0] <= FIRST_CUES
    assert all(cues == 10 or seconds <= 60 for cues, seconds in took[1:])
    assert max(cues for cues, _ in took) == min(GROUP_CUES, max(FIRST_CUES, speed * GROUP_SECONDS))


def test_a_long_file_is_a_group_by_itself() -> None:
    found = grouped(sources(100, 5000, 100), Pace())
    assert [[source.cues for source in group.sources] for group in found] == [[100], [5000], [100]]
