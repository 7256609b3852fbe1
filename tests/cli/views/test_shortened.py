"""What is told of subtitles that were shortened in their own language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.batch.items import Item, Result
from subfit.cli.views.console import Messages
from subfit.cli.views.shortened import SHOWN, OneShortened, was_shortened
from subfit.reporting.report import Report, report_on
from subfit.subtitles.cues import Track
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK, outcome


def told(report: Report, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of a file with this report."""
    view = OneShortened(Messages(data_on_stdout=False, quiet=False), for_screens=False)
    item = Item("film.srt", "film.short.srt", "de")
    view.finished(Result(item, "done", report=report), 5)
    return capsys.readouterr().out


def shortened(count: int) -> Report:
    """A report on cues that lost half of their twenty characters."""
    cues = [outcome("s" * 20, "s" * 10, "s" * 20, 2000 * n, 2000 * n + 1000) for n in range(count)]
    return report_on(cues, Track(tuple(one.cue for one in cues), "srt"), NETFLIX)


def test_shortened_cues_are_counted_and_shown(capsys) -> None:
    out = told(shortened(3), capsys)
    assert "3: 3 shortened by 30 characters, the rest as it was" in out
    assert "Shortened:" in out and out.count("20 to 10") == 3
    assert "Still over:" not in out


def test_of_many_only_the_first_are_shown_and_the_rest_counted(capsys) -> None:
    out = told(shortened(SHOWN + 4), capsys)
    assert out.count("20 to 10") == SHOWN
    assert "4 more" in out


def test_what_stays_over_is_shown_with_what_a_fit_would_lose(capsys) -> None:
    kept = replace(OUTCOMES[2], source="u" * 40, withheld=("a negation",))
    out = told(report_on((kept,), Track((kept.cue,), "srt"), NETFLIX), capsys)
    assert "Still over:" in out and "a negation" in out
    assert "0 shortened" in out and "kept whole" in out


def test_broken_lines_are_no_other_words() -> None:
    cues = (
        outcome("one two", "one\ntwo", "one two", 0, 5000),
        outcome("one two", "two", "one two", 6000, 9000),
    )
    report = report_on(cues, Track(tuple(one.cue for one in cues), "srt"), NETFLIX)
    assert [was_shortened(cue) for cue in report.cues] == [False, True]


def test_what_was_mended_is_told(capsys) -> None:
    assert "no index" in told(report_on(OUTCOMES, TRACK, NETFLIX), capsys)
