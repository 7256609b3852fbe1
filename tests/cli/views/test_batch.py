"""What people see of many files: a line each."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from subfit.batch.items import STATES, Item, Result
from subfit.cli.views.batch import STATE_NAMES, short_figures, tell_plan
from subfit.cli.views.console import Messages
from subfit.reporting.report import report_on
from subfit.subtitles.cues import Track
from tests.reporting.conftest import NETFLIX, OUTCOMES

ITEM = Item("film.srt", "film.de.srt", "de")


def line(*numbers: int) -> str:
    """The figures of a file with some of the outcomes."""
    outcomes = [OUTCOMES[number] for number in numbers]
    report = report_on(outcomes, Track(tuple(one.cue for one in outcomes), "srt"), NETFLIX)
    return short_figures(Result(ITEM, "done", {"totals": report.totals}))


def test_a_file_that_fits_says_so() -> None:
    assert line(0, 1).startswith("2 cues, all fit, ")
    assert line(0).startswith("1 cue, all fit, ")


def test_what_is_over_and_what_was_not_translated_is_counted() -> None:
    assert line(0, 1, 2).startswith("3 cues, 1 over, ")
    told = line(0, 4)
    assert told.startswith("2 cues, none over, 1 untranslated, ")
    assert told.endswith("LR 1")


def test_every_state_has_its_word() -> None:
    assert STATE_NAMES.keys() == STATES.keys()


def test_files_named_as_of_another_language_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    failure = SimpleNamespace(message="season: cannot be read")
    listing = SimpleNamespace(failures=[("season", failure)], left_out=["a.de.srt", "b.de.srt"])
    tell_plan(SimpleNamespace(listing=listing), Messages(data_on_stdout=False, quiet=False))
    told = capsys.readouterr()
    assert "left out: 2 files named as of another language than the source, as a.de.srt" in told.out
    assert "season: cannot be read" in told.err
