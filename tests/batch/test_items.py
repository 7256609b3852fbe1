"""What goes through a run."""

from __future__ import annotations

from subfit.batch.items import STATES, Group, Item, Result, Source


def test_a_group_has_the_cues_of_its_files() -> None:
    item = Item("a.srt", "a.de.srt", "de")
    group = Group("de", (Source(0, item, b"", 3), Source(1, item, b"", 4)))
    assert group.cues == 7


def test_a_dash_is_standard_output() -> None:
    assert Item("a.srt", "-", "de").to_stdout and not Item("-", "a.srt", "de").to_stdout


def test_what_failed_is_not_over_its_limits() -> None:
    failed = Result(Item("a.srt", "a.de.srt", "de"), "failed")
    assert not failed.over and failed.state in STATES
