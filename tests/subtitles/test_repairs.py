"""How repairs of a file are told."""

from __future__ import annotations

from subfit.subtitles.cues import Repair, Unread
from subfit.subtitles.repairs import fold_repairs, quoted


def test_what_many_lines_share_is_told_once() -> None:
    repairs = [Repair(line, "no cue number: made one up") for line in (9, 1, 5, 13)]
    (folded,) = fold_repairs(repairs)
    assert folded.line == 1 and folded.problem.endswith("(and on 3 more lines, to line 13)")


def test_few_are_told_one_by_one_in_their_order() -> None:
    repairs = [Repair(7, "b"), Repair(2, "a"), Repair(3, "a")]
    assert [repair.line for repair in fold_repairs(repairs)] == [2, 3, 7]


def test_a_cue_that_may_be_lost_is_never_folded() -> None:
    unread = [Unread(line, "times that are none") for line in range(1, 7)]
    assert len(fold_repairs(unread)) == 6


def test_a_quoted_line_is_short_and_printable() -> None:
    assert quoted("  two \t words ") == "“two words”"
    assert quoted("a\x07b") == "“a�b”"
    assert quoted("x" * 50, limit=5) == "“xxxx…”"
